"""What all tests share: the seeds of statistical tests, and readable failures of their helpers."""

from __future__ import annotations

import pytest
from hypothesis import settings

# No test asserts a time, and neither do examples: a busy machine must not fail any.
settings.register_profile("tenbin", deadline=None)
settings.load_profile("tenbin")

pytest.register_assert_rewrite("tests.budget")


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("tenbin")
    group.addoption("--stat-seed", type=int, default=1, help="seed of the statistical tests")
    group.addoption(
        "--all-stat-seeds", action="store_true", help="run the statistical tests on seeds 0 to 99"
    )
    group.addoption(
        "--refresh-golden", action="store_true", help="write the golden transcripts anew"
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give ``stat_seed`` to statistical tests; they must pass for every one of 0 to 99."""
    if "stat_seed" in metafunc.fixturenames:
        every = metafunc.config.getoption("--all-stat-seeds")
        seeds = range(100) if every else [metafunc.config.getoption("--stat-seed")]
        metafunc.parametrize("stat_seed", seeds)
