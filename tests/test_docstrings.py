"""What public functions say about themselves: parameters, returns, raises, an example that runs."""

from __future__ import annotations

import inspect
import re

import pytest

import analysis
import sim

PUBLIC = [
    (package.__name__, name)
    for package in (sim, analysis)
    for name in package.__all__
    if not inspect.ismodule(getattr(package, name))
]


def sections(text: str) -> set[str]:
    return set(re.findall(r"^(\w+)\n-{3,}$", inspect.cleandoc(text), re.M))


@pytest.mark.parametrize(("package", "name"), PUBLIC, ids=[".".join(pair) for pair in PUBLIC])
def test_public_names_are_documented(package, name):
    """The examples themselves are run by pytest's collection of docstrings."""
    value = getattr({"sim": sim, "analysis": analysis}[package], name)
    text = value.__doc__ or ""
    found = sections(text)
    if inspect.isclass(value):
        assert found & {"Attributes", "Parameters"}
    elif callable(value):
        signature = inspect.signature(value)
        if signature.parameters:
            assert "Parameters" in found
            assert "Raises" in found, "every argument can be wrong"
            for parameter in signature.parameters:
                assert re.search(rf"\b{re.escape(parameter)}\b", text), parameter
        if signature.return_annotation not in (None, "None"):
            assert "Returns" in found
    assert "Examples" in found
    assert ">>> " in text
