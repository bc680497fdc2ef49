"""What the tests of runs share: which bytes are promised."""

from __future__ import annotations

from pathlib import Path

#: What the promise of equal bytes is about; the log, the lock and set-aside are not.
PROMISED = ("manifest.json", "games", "seats", "sums", "shards")


def promised_bytes(path: Path) -> dict[str, bytes]:
    """Return the files of a store that must not depend on how it was made."""
    return {
        file.relative_to(path).as_posix(): file.read_bytes()
        for file in sorted(path.rglob("*"))
        if file.is_file() and file.relative_to(path).parts[0] in PROMISED
    }
