"""Majestic Magic: a trading card game for two. See README.md and RULES.md."""
