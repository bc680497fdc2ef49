# All that a fresh clone needs is Python 3.11 or newer with its headers, a C compiler and make.
# `make` alone lists the targets.

PYTHON ?= python3
TITLE ?= granmagia
GAMES ?= 1000000

VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/installed
SOURCES := setup.py $(shell find sim -name '*.pyx' -o -name '*.pxd')
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt
# cython-lint looks for its pycodestyle on the path.
export PATH := $(CURDIR)/$(BIN):$(PATH)

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help venv build debug lint test report bench notebooks verify cluster sanitize clean

help:  ## list the targets
	@echo "make TARGET, where TARGET is"
	@sed -n 's/^\([a-z]*\):.*## \(.*\)$$/\1|\2/p' Makefile | while IFS='|' read -r name text; do \
		printf '  %-10s %s\n' "$$name" "$$text"; done

define CHECK
import os, pathlib, shlex, shutil, sys, sysconfig
if sys.version_info < (3, 11):
    sys.exit("tenbin needs Python 3.11 or newer; %s is %s.\nName another one: make PYTHON=python3.13 ..."
             % (sys.executable, sys.version.split()[0]))
try:
    import ensurepip, venv
except ImportError:
    sys.exit("this Python cannot make virtual environments; on Debian and Ubuntu install python3-venv")
compiler = (shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"))[0]
if not shutil.which(compiler):
    sys.exit("no C compiler: %r is not on the path.\nInstall gcc or clang, or name one: CC=clang make ..."
             % compiler)
if not (pathlib.Path(sysconfig.get_path("include")) / "Python.h").exists():
    sys.exit("Python.h is missing in %s; on Debian and Ubuntu install python3-dev"
             % sysconfig.get_path("include"))
endef
export CHECK

$(INSTALLED): pyproject.toml constraints.txt
	@command -v $(PYTHON) >/dev/null || { \
		echo "no $(PYTHON) on the path; name a Python 3.11 or newer: make PYTHON=... " >&2; exit 1; }
	@$(PYTHON) -c "$$CHECK"
	@echo "Installing into $(VENV); this takes a minute or two, once. Lines of pip that begin with"
	@echo "WARNING are harmless."
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(INSTALL) setuptools Cython numpy
	@TENBIN_KERNELS=0 $(INSTALL) --no-build-isolation --editable '.[dev]'
	@touch $@

venv: $(INSTALLED)  ## make the environment in .venv

build/release: $(INSTALLED) $(SOURCES)
	@echo "Compiling the kernels"
	@rm -f build/debug build/sanitize
	@$(BIN)/python setup.py --quiet build_ext --inplace
	@touch $@

build/debug: $(INSTALLED) $(SOURCES)
	@echo "Compiling the kernels with bounds checks"
	@rm -f build/release build/sanitize
	@TENBIN_DEBUG=1 $(BIN)/python setup.py --quiet build_ext --inplace
	@touch $@

build/sanitize: $(INSTALLED) $(SOURCES)
	@echo "Compiling the kernels with sanitizers"
	@rm -f build/release build/debug
	@TENBIN_SANITIZE=1 CC=gcc $(BIN)/python setup.py --quiet build_ext --inplace
	@touch $@

build: build/release  ## compile the kernels

debug: build/debug  ## compile the kernels with bounds checks (slow games)

lint: build  ## ruff, mypy and cython-lint
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/cython-lint sim

# Files of tests stay together: many share what is played once for all of them.
test: lint  ## lint, types and the default tests
	$(BIN)/python -m pytest -n auto --dist loadfile

report: build  ## play a million games and write the page (TITLE=, GAMES=)
	$(BIN)/tenbin report $(TITLE) --games $(GAMES)

bench: build  ## measure the kernels against the calibration loop
	$(BIN)/tenbin bench

notebooks: build  ## execute the notebooks
	$(BIN)/python -m pytest --nbmake notebooks

verify: build  ## the long proofs
	$(BIN)/python -m pytest -m verify

# Apart, since these packages are large, and nobody else needs them.
cluster: build  ## runs on clusters of Dask and Ray, and in object stores
	@test -x $(VENV)-cluster/bin/python || $(PYTHON) -m venv $(VENV)-cluster
	@echo "Installing into $(VENV)-cluster"
	@$(VENV)-cluster/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt \
		setuptools Cython numpy
	@TENBIN_KERNELS=0 $(VENV)-cluster/bin/python -m pip install --quiet --disable-pip-version-check \
		-c constraints.txt --no-build-isolation --editable '.[test,dask,ray,remote]' s3fs 'moto[server]'
	$(VENV)-cluster/bin/python -m pytest -m cluster tests/cluster

# What plays in kernels: whole titles on kernels with bounds checks, and their batteries (the proofs,
# hostile input) under the sanitizers, which Python has to be started with. Leaks are not looked for:
# Python itself keeps what it has.
BATTERY := tests/core tests/run/test_sums.py $(wildcard tests/titles/*/test_kernel*.py \
	tests/titles/*/test_hostile.py tests/titles/*/test_fuzz.py tests/titles/*/test_limits_*.py)
SANITIZED = LD_PRELOAD="$$(gcc -print-file-name=libasan.so) $$(gcc -print-file-name=libubsan.so)" \
	ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 PYTHONMALLOC=malloc TENBIN_SANITIZE=1

sanitize: $(INSTALLED)  ## kernels under bounds checks and sanitizers (gcc)
	@status=0; { $(MAKE) --no-print-directory debug && \
		$(BIN)/python -m pytest -n auto --dist loadfile tests/core tests/titles && \
		$(MAKE) --no-print-directory build/sanitize && \
		$(SANITIZED) $(BIN)/python -m pytest -n auto --dist loadfile $(BATTERY); } || status=$$?; \
		$(MAKE) --no-print-directory build || exit 1; exit $$status

clean:  ## remove what was built, but not the environment
	rm -rf build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find sim analysis tests -name __pycache__ -type d -prune -exec rm -rf {} +
	find sim -name '*.so' -delete
