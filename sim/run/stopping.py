"""Stopping from outside: a request to terminate ends a run as Ctrl-C does."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator

__all__ = ["terminable"]


@contextlib.contextmanager
def terminable() -> Iterator[None]:
    """Raise ``KeyboardInterrupt`` where SIGTERM would end the process on the spot.

    So what is finished is kept and told, and no worker process outlives its parent. Whoever has a
    handler of his own keeps it, and only the main thread can have one.
    """
    if (
        threading.current_thread() is not threading.main_thread()
        or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL
    ):
        yield
        return
    signal.signal(signal.SIGTERM, _stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _stop(number: int, frame: object) -> None:
    raise KeyboardInterrupt
