"""Parts of a run, played by machines that know nothing of each other, become the run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from sim.core.title import Title
from sim.errors import CannotFinishError, InputError, StoreMismatchError
from sim.run.layout import Shard
from sim.run.manifest import Manifest, differences, read_manifest
from sim.run.playing import logged
from sim.run.result import Run
from sim.run.runner import Progress
from sim.run.stopping import terminable
from sim.run.store import StoreWriter, shard_files

__all__ = ["merge"]


def merge(
    out: str | Path,
    parts: Sequence[str | Path],
    *,
    title: Title | None = None,
    progress: Progress | None = None,
) -> Run:
    """Join the parts of a run in a new folder, which is then the run, byte for byte.

    Whatever is whole in the folders is used: parts, unfinished ones too, and other copies of the
    run. Every file is compared with what its entry says of it. What is in ``out`` already stays.

    Parameters
    ----------
    out : path
        Folder of the whole run.
    parts : sequence of path
        Folders of ``simulate(part=…)``, in any order.
    title : Title, optional
        The run's title, when it is not a registered one.
    progress : callable, optional
        ``progress(done, total)`` in games.

    Returns
    -------
    Run

    Raises
    ------
    StoreMismatchError
        When a folder holds no run, or not a part of the same one.
    CannotFinishError
        When shards are missing. Those that were found are in ``out``: more parts can be joined to
        them, or ``simulate`` with the same ``out`` plays what is missing.

    Examples
    --------
    >>> import sim, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> asked = {"games": 20_000, "players": 2, "keep": "sums"}
    >>> for number in (1, 2):
    ...     _ = sim.simulate("classic", part=(number, 2), out=f"{folder}/{number}", **asked)
    >>> run = sim.merge(f"{folder}/whole", [f"{folder}/1", f"{folder}/2"])
    >>> run.sums.wins.equals(sim.simulate("classic", **asked).sums.wins)
    True
    """
    folders = [Path(part) for part in ([parts] if isinstance(parts, str | Path) else parts)]
    if not folders:
        raise InputError("there is nothing to merge: give the folders of the parts")
    whole = _common(folders)
    with terminable(), StoreWriter(Path(out), whole) as writer:
        there = writer.verify(whole.shards)
        with logged(writer, None, "merge") as session:
            done, missing = 0, []
            for shard in whole.shards:
                if shard.key not in there:
                    if _take(writer, shard, folders, whole):
                        session["games"] += shard.games
                    else:
                        missing.append(shard)
                done += shard.games
                if progress is not None:
                    progress(done, whole.games)
            if missing:
                raise _lacking(Path(out), whole, folders, missing)
        return Run(Path(out), writer.manifest, title=title, notices=writer.notices)


def _common(folders: Sequence[Path]) -> Manifest:
    """Return the manifest of the run that all folders are parts of."""
    first = replace(read_manifest(folders[0]), part=None)
    if first.until is not None and first.stopped is None:
        raise StoreMismatchError(f"{folders[0]} is not finished, and only its command can go on")
    for folder in folders[1:]:
        other = read_manifest(folder)
        found = differences(first.identity, other.identity)
        if not found and first.games != other.games:
            found = [f"games are {first.games:,} there and {other.games:,} here"]
        if found:
            raise StoreMismatchError(
                f"{folder} is no part of the run in {folders[0]}: {'; '.join(found[:6])}"
            )
    return first


def _take(writer: StoreWriter, shard: Shard, folders: Sequence[Path], whole: Manifest) -> bool:
    """Copy a shard from the first folder that has it whole."""
    for folder in folders:
        files = shard_files(folder, shard, whole, writer.schemas)
        if files is not None:
            writer.commit(shard, {part: file.read_bytes() for part, file in files.items()})
            return True
    return False


def _lacking(
    out: Path, whole: Manifest, folders: Sequence[Path], missing: Sequence[Shard]
) -> CannotFinishError:
    """Return the error that says what is missing, and from which folder it may be."""
    lost = {shard.key for shard in missing}
    unfinished, present = [], set()
    for folder in folders:
        part = read_manifest(folder)
        present.add(part.part)
        if lost & {shard.key for shard in part.own_shards}:
            unfinished.append(str(folder))
    why = f" ({', '.join(unfinished)} not finished or damaged)" if unfinished else ""
    of = max((part[1] for part in present if part), default=0)
    absent = [str(n) for n in range(1, of + 1) if (n, of) not in present]
    if absent and not unfinished:
        why = f" (nothing of part {', '.join(absent[:20])}{', …' * (len(absent) > 20)} of {of})"
    return CannotFinishError(
        f"{len(missing)} of {len(whole.shards)} shards are in none of the folders{why}; those that "
        f"are there are in {out}: merge again with the rest, or simulate with this folder"
    )
