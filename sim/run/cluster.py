"""Workers on other machines: how they are reached, and whether they would play the same games.

A cluster is asked through joblib's own backends, Dask or Ray. Its machines have a tenbin of their
own, which may be an older one, or built from other sources: its games would be others, and nobody
would see it in the numbers. So every task brings along what this process plays with, and a worker
that has anything else plays nothing and says so.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import os
import pickle
import platform
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Any, NamedTuple

from sim.core._rng import STREAM_VERSION
from sim.errors import CannotFinishError, InputError, short
from sim.run import provenance

__all__ = ["CLUSTERS", "Call", "Engine", "Refused", "call", "connected", "engine", "missing"]
__all__ += ["of_joblib", "packed", "result", "split"]

#: Backends whose workers may be on other machines.
CLUSTERS = ("dask", "ray")

#: How long a scheduler may take to answer, in seconds.
_PATIENCE = 10


class Engine(NamedTuple):
    """What the results of a title depend on, beside rules, policies and seed.

    ``kernels`` and ``sources`` are SHA-256 of the compiled and of the Python files of ``sim``.
    """

    version: str | None
    result_version: int | None
    stream_version: int
    kernels: str
    sources: str


#: Fields of an engine, as sentences name them.
_WORDS = {
    "version": "tenbin",
    "result_version": "result version",
    "stream_version": "stream version",
    "kernels": "kernels (compiled files)",
    "sources": "engine (Python files)",
}


class Call(NamedTuple):
    """A function for workers, and the engine that it is to run on.

    It is kept pickled: nothing of it is looked at before the engines are compared, and it is
    pickled once for all tasks.
    """

    title: str
    engine: Engine
    pickled: bytes


class Refused(NamedTuple):
    """What a worker gives back that has another engine."""

    worker: str
    engine: Engine


@cache
def engine(title: str) -> Engine:
    """Return the engine of this process; titles that are not registered have no result version."""
    from sim import titles

    registered = title in titles.TITLES
    kernels, sources = hashlib.sha256(), hashlib.sha256()
    package = Path(__file__).parents[1]
    for file in sorted(package.rglob("*")):
        compiled = file.name.endswith(tuple(EXTENSION_SUFFIXES))
        if compiled or file.suffix == ".py":
            digest = kernels if compiled else sources
            digest.update(file.relative_to(package).as_posix().encode() + b"\0")
            digest.update(hashlib.sha256(file.read_bytes()).digest())
    return Engine(
        provenance.version("tenbin"),
        titles.load(title).info.result_version if registered else None,
        STREAM_VERSION,
        kernels.hexdigest(),
        sources.hexdigest(),
    )


def packed(title: str, function: Callable[..., Any]) -> Call:
    """Return a function as workers get it."""
    return Call(title, engine(title), pickle.dumps(function))


def call(packed: Call, *arguments: Any) -> Any:
    """Call a function on a worker, unless it has another engine; for :func:`result`."""
    own = engine(packed.title)
    if own != packed.engine:
        return Refused(f"{platform.node()}, process {os.getpid()}", own)
    # Arrays that ray carries itself arrive read-only.
    return pickle.dumps(_function(packed.pickled)(*arguments))


def result(title: str, returned: Refused | bytes) -> Any:
    """Return the result of a call, or raise when a worker had another engine."""
    if isinstance(returned, Refused):
        raise _refusal(title, returned)
    return pickle.loads(returned)


@lru_cache(maxsize=8)
def _function(pickled: bytes) -> Any:
    return pickle.loads(pickled)


def _refusal(title: str, refused: Refused) -> CannotFinishError:
    """Return the error that says how a worker differs."""
    found = [
        f"its {_WORDS[field]} is {_brief(theirs)} and not {_brief(ours)}"
        for field, theirs, ours in zip(Engine._fields, refused.engine, engine(title), strict=True)
        if theirs != ours
    ]
    return CannotFinishError(
        f"the worker on {refused.worker} would play other games: {'; '.join(found)}; install the "
        "same build of tenbin on all machines and start the workers anew; what is finished stays"
    )


def _brief(value: Any) -> str:
    return "not installed" if value is None else str(value)[:12]


def split(backend: str) -> tuple[str, str | None]:
    """Return the name of a backend, and the address of its cluster if one is given.

    Examples
    --------
    >>> split("dask=tcp://10.0.0.7:8786"), split("threads")
    (('dask', 'tcp://10.0.0.7:8786'), ('threads', None))
    """
    name, given, address = backend.partition("=")
    if not given or name not in CLUSTERS:
        return backend, None
    if not address:
        raise InputError(f"backend {backend!r} has no address behind the sign =")
    return name, address


@contextlib.contextmanager
def connected(name: str, address: str | None, jobs: int | None) -> Iterator[int]:
    """Connect to the cluster of a backend for as long as a run is played.

    Yields
    ------
    int
        Number of workers; those of a cluster can become more or fewer.
    """
    if name not in CLUSTERS:
        yield jobs or provenance.usable_cpus()
        return
    if jobs is not None:
        raise InputError(f"the workers of {name} are those of its cluster: leave out jobs")
    with contextlib.ExitStack() as stack:
        try:
            workers = stack.enter_context(_CONNECT[name](address))
        except ImportError as error:
            raise missing(name, error) from error
        yield workers


def missing(name: str, error: ImportError) -> InputError:
    """Return the error for a backend whose packages are not there."""
    return InputError(
        f"backend {name!r} is not installed ({error}): pip install 'tenbin[{name}]'; "
        "the others are threads and processes"
    )


@contextlib.contextmanager
def _dask(address: str | None) -> Iterator[int]:
    distributed = importlib.import_module("distributed")
    config = importlib.import_module("dask").config
    try:
        client = distributed.get_client()  # of whoever calls from Python
    except ValueError:
        client = None
    own = client is None or address is not None
    if own:
        address = address or config.get("scheduler-address", None)
        if not address:
            raise InputError(
                "backend 'dask' needs a scheduler: give its address, as dask=tcp://HOST:8786 or in "
                "DASK_SCHEDULER_ADDRESS, or its file, as dask=FILE.json"
            )
        where = {"scheduler_file": address} if Path(address).is_file() else {"address": address}
        try:
            client = distributed.Client(**where, timeout=_PATIENCE, set_as_default=True)
        except (OSError, ValueError) as error:
            raise CannotFinishError(
                f"no scheduler of dask answers at {short(address)}: {short(str(error))}"
            ) from None
    try:
        try:
            client.wait_for_workers(1, timeout=_PATIENCE)
        except TimeoutError:
            raise CannotFinishError(
                "the scheduler of dask has no workers: start some (dask worker ADDRESS)"
            ) from None
        # One that cannot load what it is sent says so to nobody, and its tasks would never end.
        for worker, found in client.run(provenance.version, "tenbin", on_error="return").items():
            if isinstance(found, Exception):
                raise CannotFinishError(
                    f"the worker of dask at {worker} has no tenbin: {short(str(found))}; "
                    "install the same build on all machines"
                )
        yield sum(client.ncores().values())
    finally:
        if own:
            client.close()


@contextlib.contextmanager
def _ray(address: str | None) -> Iterator[int]:
    ray = importlib.import_module("ray")
    own = not ray.is_initialized()
    if own:
        address = address or os.environ.get("RAY_ADDRESS")
        if not address:
            raise InputError(
                "backend 'ray' needs a cluster: give its address, as ray=HOST:6379 or in "
                "RAY_ADDRESS; ray=auto is the one started on this machine, ray=local starts one"
            )
        try:
            ray.init(address=address, log_to_driver=False, logging_level="ERROR")
        except (OSError, ValueError, RuntimeError) as error:
            raise CannotFinishError(
                f"no cluster of ray answers at {short(address)}: {short(str(error))}"
            ) from None
    try:
        yield int(ray.cluster_resources().get("CPU", 0))
    finally:
        if own:
            ray.shutdown()


def of_joblib(name: str) -> Any:
    """Return joblib's backend for the cluster that this process is connected to."""
    if name == "ray":
        home = importlib.import_module("ray.util.joblib.ray_backend")
        # A worker that dies comes back and plays its task again; dask does so unasked.
        backend = home.RayBackend(ray_remote_args={"max_restarts": -1, "max_task_retries": 5})
        # It is barred from giving results one by one as a kind of pool of processes, which can
        # hang when it is left early; actors of ray are ended from outside.
        backend.supports_return_generator = True
        return backend
    backend = importlib.import_module("joblib._dask").DaskDistributedBackend()
    workers = backend.effective_n_jobs
    # joblib plays in this process what a single worker is to play. But more workers may be on their
    # way, and what this process plays is no proof that a worker would.
    backend.effective_n_jobs = lambda asked: max(2, workers(asked))
    return backend


_CONNECT: dict[str, Callable[[str | None], contextlib.AbstractContextManager[int]]] = {
    "dask": _dask,
    "ray": _ray,
}
