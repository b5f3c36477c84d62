"""Models of library functions that are written in C: the files of `models/`.

A file is taken when a program uses a function that it defines. `Builtins:` in a comment is followed by the names of
those of its functions that compilers also have as `__builtin_…`, and `Defines:` by the names of functions that macros
make.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache
from importlib import resources

_DEFINITION = re.compile(r"^(?!static)[a-z][\w ]*?[ *](\w+)\([^)]*\) \{", re.MULTILINE)
_BUILTINS = re.compile(r"Builtins:([^*]*)\*/")
_DEFINES = re.compile(r"Defines:([^*]*)\*/")


@cache
def _texts() -> tuple[tuple[str, str], ...]:
    """The names and texts of the files."""
    folder = resources.files("paddock.frontends.c") / "models"
    files = sorted(folder.iterdir(), key=lambda file: file.name)
    return tuple((file.name, file.read_text(encoding="utf-8")) for file in files)


def models_of(wanted: Collection[str]) -> list[tuple[str, str]]:
    """The names and texts of the files that define some functions."""
    if not wanted:
        return []
    return [(name, text) for name, text in _texts() if not set(wanted).isdisjoint(_defined_in(text))]


def _defined_in(text: str) -> list[str]:
    """The functions that a file defines."""
    return _DEFINITION.findall(text) + [name for listed in _DEFINES.findall(text) for name in listed.split()]


@cache
def builtins() -> frozenset[str]:
    """The functions with a model in C that compilers also have as builtins."""
    return frozenset(name for _, text in _texts() for listed in _BUILTINS.findall(text) for name in listed.split())


@cache
def defined() -> frozenset[str]:
    """All functions that have a model in C."""
    return frozenset(name for _, text in _texts() for name in _defined_in(text))
