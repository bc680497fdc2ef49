"""Build the compiled parts: every ``.pyx`` below ``sim/`` is found by pattern.

``TENBIN_DEBUG=1`` builds with bounds, division, initialisation and None checks on,
``TENBIN_SANITIZE=1`` with gcc's address and undefined-behaviour sanitizers. All kinds leave their
modules at the same place, where time stamps cannot tell them apart. The file ``build/kind``
therefore says how the last build was made, every module depends on it, and it is rewritten whenever
the answer changes: then all modules are older than it and are built again.

``TENBIN_KERNELS=0`` leaves the compiled parts out, for an editable install that is followed by
``build_ext --inplace`` and need not do the same work before.
"""

import os
from pathlib import Path

import Cython
import numpy as np
from Cython.Build import cythonize
from setuptools import Extension, setup

KERNELS = os.environ.get("TENBIN_KERNELS", "1") != "0"
DEBUG = os.environ.get("TENBIN_DEBUG", "0") not in ("", "0")
SANITIZE = os.environ.get("TENBIN_SANITIZE", "0") not in ("", "0")

DIRECTIVES = {
    "language_level": 3,
    "boundscheck": DEBUG,
    "wraparound": False,
    "cdivision": not DEBUG,
    "initializedcheck": DEBUG,
    "nonecheck": DEBUG,
    "embedsignature": True,
    "show_performance_hints": False,
}
#: The first finding of a sanitizer ends the process: none is passed over. Python's own flags let
#: numbers wrap, which kernels never mean to do.
SANITIZERS = [
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
    "-fno-omit-frame-pointer",
    "-fno-wrapv",
]
FLAGS = ["-O1", "-g"] if DEBUG or SANITIZE else ["-O3"]
FLAGS += SANITIZERS if SANITIZE else []
BUILD = Path("build")
KIND = BUILD / "kind"

extensions = [
    Extension(
        ".".join(path.with_suffix("").parts),
        [path.as_posix()],
        include_dirs=[np.get_include()],
        define_macros=[("NPY_NO_DEPRECATED_API", "NPY_2_0_API_VERSION")],
        extra_compile_args=FLAGS,
        extra_link_args=SANITIZERS if SANITIZE else [],
    )
    for path in sorted(Path("sim").rglob("*.pyx") if KERNELS else ())
]

kind = f"{FLAGS} {DIRECTIVES} Cython {Cython.__version__}\n"
changed = KERNELS and (not KIND.exists() or KIND.read_text(encoding="utf-8") != kind)
modules = cythonize(
    extensions,
    compiler_directives=DIRECTIVES,
    build_dir=str(BUILD / ("cython-debug" if DEBUG else "cython")),
    force=changed,
)
for module in modules:
    # Only now: cythonize would copy what it finds here.
    module.depends.append(KIND.as_posix())
if changed:
    BUILD.mkdir(exist_ok=True)
    KIND.write_text(kind, encoding="utf-8")

setup(ext_modules=modules, options={"build_ext": {"parallel": os.cpu_count() or 1}})
