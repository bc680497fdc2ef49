"""Build the compiled parts: every ``.pyx`` below ``sim/`` is found by pattern.

``TENBIN_DEBUG=1`` builds with bounds, wrap-around, division and initialisation checks on.
"""

import os
from pathlib import Path

import numpy as np
from Cython.Build import cythonize
from setuptools import Extension, setup

DEBUG = os.environ.get("TENBIN_DEBUG", "0") not in ("", "0")

DIRECTIVES = {
    "language_level": 3,
    "boundscheck": DEBUG,
    "wraparound": False,
    "cdivision": not DEBUG,
    "initializedcheck": DEBUG,
    "nonecheck": DEBUG,
    "embedsignature": True,
}

extensions = [
    Extension(
        ".".join(path.with_suffix("").parts),
        [str(path)],
        include_dirs=[np.get_include()],
        define_macros=[("NPY_NO_DEPRECATED_API", "NPY_1_7_API_VERSION")],
        extra_compile_args=["-O1", "-g"] if DEBUG else ["-O3"],
    )
    for path in sorted(Path("sim").rglob("*.pyx"))
]

setup(
    ext_modules=cythonize(
        extensions,
        compiler_directives=DIRECTIVES,
        build_dir="build/cython-debug" if DEBUG else "build/cython",
        # A switch of the build kind must not find the other kind's objects up to date.
        force=DEBUG,
    )
)
