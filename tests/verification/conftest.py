"""Tells at the end of a run what the long proofs asserted, one line each."""

from __future__ import annotations

import pytest

from tests import budget
from tests.verification import items


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if not any(items.place_of(one) for one in budget.MADE):
        return
    terminalreporter.section("statistical assertions")
    for line in [*items.table(budget.MADE), *items.too_many(budget.MADE)]:
        terminalreporter.write_line(line)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail when a file asserts more than it declares; a run of all seeds is a hundred runs."""
    every = session.config.getoption("--all-stat-seeds")
    if not every and session.exitstatus == 0 and items.too_many(budget.MADE):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
