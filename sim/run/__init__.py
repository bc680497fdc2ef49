"""Plans, batches, workers and stores; knows no rules."""
