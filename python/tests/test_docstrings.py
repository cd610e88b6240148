"""Every example in a docstring, and every block of the pages about Python, runs and says what it says."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import sfumato

MODULES = sorted(
    module.name
    for module in pkgutil.iter_modules(sfumato.__path__, "sfumato.")
    if not module.name.endswith(("._sfumato", ".spark"))
)


@pytest.mark.parametrize("name", ["sfumato", *MODULES])
def test_examples(name):
    try:
        module = importlib.import_module(name)
    except ImportError as error:
        pytest.skip(f"skipped: {error}")
    found = doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert found.failed == 0


def test_every_function_has_an_example_or_words():
    for name in sfumato.__all__:
        one = getattr(sfumato, name)
        if name not in ("errors", "__version__"):
            assert one.__doc__, name


def test_the_package_is_typed():
    import pathlib

    folder = pathlib.Path(sfumato.__file__).parent
    assert (folder / "py.typed").exists() and (folder / "_sfumato.pyi").exists()
    # The stub says of the native module what the native module has.
    native = importlib.import_module("sfumato._sfumato")
    stub = (folder / "_sfumato.pyi").read_text()
    for name in dir(native):
        if not name.startswith("_"):
            assert f"def {name}(" in stub or f"class {name}:" in stub or f"{name}:" in stub, name
