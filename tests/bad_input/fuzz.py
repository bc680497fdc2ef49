"""A process in which hostile files are read, with limits on time and memory for each of them.

``python -m tests.bad_input.fuzz KIND FIRST COUNT`` works in the current folder. Before each case
it names it on stderr, so that whoever started it knows what a dead process was doing; at last it
writes on stdout how many files were taken, how many refused, and each fault.
"""

from __future__ import annotations

import json
import resource
import signal
import sys
import traceback
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from types import FrameType

import sim
from sim.core.policy import available
from sim.errors import TenbinError
from sim.run.api import find_title
from sim.titles import TITLES
from tests.bad_input import loaders, stores
from tests.bad_input.bombs import bombs, lists
from tests.bad_input.mutate import changes, mutated

#: For one file: seconds of processor time, and bytes beyond what the process has at the start.
SECONDS, BYTES = 5, 500 * 2**20

#: Longest message: forty faults that are told at once.
LONGEST = 40_000

#: What a message may name besides the file.
_ELSEWHERE = ("change the rules that lead there", "data/", "--set")

Case = tuple[str, Callable[[], object]]


class TooSlowError(BaseException):
    """Not an Exception: whoever catches those must not catch this."""


def _too_slow(_: int, __: FrameType | None) -> None:
    raise TooSlowError


def fault_of(step: Callable[[], object], named: str) -> tuple[bool, str | None]:
    """Return whether a step took its file, and what is wrong with how it did or did not."""
    loaders.forget()
    signal.signal(signal.SIGPROF, _too_slow)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        step()
    except (TenbinError, loaders.RefusedError) as error:
        return False, _unfit(str(error), error.exit_code, named)
    except KeyboardInterrupt:
        raise
    except BaseException:  # this is what is looked for
        return False, "".join(traceback.format_exc().splitlines(keepends=True)[-12:])
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return True, None


def _unfit(said: str, code: int, named: str) -> str | None:
    """Return what is wrong with a message."""
    if code not in (2, 4):
        return f"exit code {code}: {said[-1500:]}"
    if len(said) > LONGEST:
        return f"a message of {len(said)} characters: {said[:500]}"
    if not said.replace("\n", "").isprintable():
        return f"a message that cannot be printed: {said[:500]!r}"
    if named not in said and not any(text in said for text in _ELSEWHERE):
        return f"a message that does not name {named}: {said[:500]}"
    return None


def _written(content: bytes) -> Path:
    file = Path("hostile.toml")
    file.write_bytes(content)
    return file


def _bombs(first: int, count: int) -> Iterator[Case]:
    """Each bomb for as many loaders as asked for; which ones comes round."""
    read = [loaders.overlay("granmagia"), loaders.policy("granmagia"), loaders.spec]
    read += [loaders.overlay("wizard"), loaders.overlay("majestic"), loaders.policy("magnolia")]
    for place, (name, content) in enumerate(bombs().items()):
        own = {"acquire": 1, "weights": 1, 'title = "': 2, "cards.market": 0}
        home = next((n for text, n in own.items() if text in content[:40].decode("latin-1")), place)
        for turn in range(first, first + count):
            load = read[(home + turn) % len(read)]
            yield f"{name}, loader {turn}", lambda load=load, c=content: load(_written(c))
    for name, content in lists().items():
        yield f"list: {name}", lambda c=content: loaders.decks(_written(c))


def _files(first: int, count: int) -> Iterator[Case]:
    for name, (load, content) in loaders.good_files().items():
        for seed in range(first, first + count):
            spoilt = mutated(content, Random(zlib.crc32(name.encode()) + seed))
            yield f"{name}, seed {seed}", lambda load=load, c=spoilt: load(_written(c))


def _rules(first: int, count: int) -> Iterator[Case]:
    """Rules that pass all checks must be playable, whatever they say."""
    for title in TITLES:
        good, names = sim.load(title), available(find_title(title).data / "policies")
        for seed in range(first, first + count):
            random = Random(seed)
            sets, policy = changes(good, random), random.choice(names)
            yield (
                f"{title}: {sets}, {policy}",
                lambda t=title, s=sets, p=policy: loaders.play(t, ["random", p], overrides=s),
            )


def _stores(first: int, count: int) -> Iterator[Case]:
    stores.make()
    before = _outside()
    for kind in stores.KINDS:
        for seed in range(first, first + count):
            stores.forge(kind, Random(seed))
            for words in stores.commands(kind):
                yield f"{kind} {seed}: {words[0]}", lambda words=words: loaders.run(*words)
            assert _outside() == before, f"{kind} {seed} wrote outside of its folder"


def _outside() -> dict[str, bytes]:
    mine = {"run", "again", "page"}
    files = (file for file in Path().rglob("*") if file.parts[0] not in mine and file.is_file())
    return {str(file): file.read_bytes() for file in files}


KINDS = {"bombs": _bombs, "files": _files, "rules": _rules, "stores": _stores}


def main(kind: str, first: int, count: int) -> None:
    """Read hostile files of one kind."""
    # What is loaded once, the threads of polars among it, belongs to no file.
    loaders.play("granmagia", ["engine"])
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + BYTES
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    told = {"taken": 0, "refused": 0}
    faults = []
    for name, step in KINDS[kind](first, count):
        print(name, file=sys.stderr, flush=True)
        named = "" if kind == "stores" else "hostile.toml"
        taken, fault = fault_of(step, named)
        told["taken" if taken else "refused"] += 1
        if fault:
            faults.append(f"{name}: {fault}")
    print(json.dumps({**told, "faults": faults}))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
