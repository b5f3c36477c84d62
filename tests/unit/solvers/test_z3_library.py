"""The prototypes that Z3's functions are called by must be right: a wrong one would crash Python."""

from __future__ import annotations

import ctypes
import re
from pathlib import Path
from typing import Any

import pytest
import z3.z3core

import paddock.solvers
from paddock.solvers.factory import open_solver
from paddock.solvers.interface import SolverFailure
from paddock.solvers.z3 import library as z3_library
from paddock.solvers.z3.library import Library, load_library, packed

_LETTERS = {
    ctypes.c_uint: "u",
    ctypes.c_int: "i",
    ctypes.c_int64: "q",
    ctypes.c_uint64: "Q",
    ctypes.c_bool: "b",
    ctypes.c_double: "d",
    ctypes.c_char_p: "s",
}


def official_prototype(name: str) -> str:
    """A function's prototype as the `z3` package has it; all pointers are alike."""
    wrapper = getattr(z3.z3core, f"Z3_{name}")
    function = next(d.f for d in wrapper.__defaults__ if hasattr(d, "f"))
    return "".join(_LETTERS.get(t, "p") for t in (function.restype, *function.argtypes))


def prototypes_in_use(monkeypatch: pytest.MonkeyPatch) -> set[tuple[str, str]]:
    """The prototypes in the source text, and those that are made up as a solver opens."""
    texts = [p.read_text(encoding="utf-8") for p in sorted(Path(paddock.solvers.__path__[0]).glob("z3/*.py"))]
    used = {pair for text in texts for pair in re.findall(r'(?:bound|function)\(\s*"(\w+)", "([\w-]+)"', text)}
    original = Library.function

    def recording(self: Library, name: str, prototype: str, *, long: bool = False) -> Any:
        used.add((name, prototype))
        return original(self, name, prototype, long=long)

    monkeypatch.setattr(Library, "function", recording)
    open_solver("z3").close()
    return used


def test_prototypes_agree_with_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    used = prototypes_in_use(monkeypatch)
    assert len(used) > 200
    wrong = []
    for name, prototype in sorted(used):
        expected = official_prototype(name)
        # What returns nothing is declared as an int there.
        if prototype[1:] != expected[1:] or prototype[0] not in (expected[0], "-"):
            wrong.append((name, prototype, expected))
    assert wrong == []


def test_handles_are_packed_as_pointers() -> None:
    array = (ctypes.c_void_p * 3)(1, 2**40, 3)
    assert packed([1, 2**40, 3]) == bytes(array)
    assert packed([]) == b""


def test_without_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(z3_library, "find_spec", lambda _: None)
    with pytest.raises(SolverFailure, match="z3-solver"):
        load_library.__wrapped__()
