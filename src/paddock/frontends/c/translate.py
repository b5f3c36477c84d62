"""From C files to a program: preprocessing and parsing into a tree of its own, and lowering to the IR."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from paddock.frontends.c.clang.parse import parse
from paddock.frontends.c.flags import Flags
from paddock.frontends.c.lowering.program import Lowered, lower
from paddock.frontends.c.lowering.settings import Settings
from paddock.frontends.c.symbols import model_file
from paddock.frontends.c.written_models import models_of
from paddock.ir.origin import Origin


def load(files: Sequence[tuple[str, str]], flags: Flags, settings: Settings) -> Lowered:
    """The program that C files (names and texts) make together."""
    lines: dict[str, list[str]] = {}
    texts = dict(files)

    def source_line(origin: Origin) -> str:
        if origin.file not in lines:
            lines[origin.file] = texts.get(origin.file, "").split("\n")
        found = lines[origin.file]
        return found[origin.line - 1] if 0 < origin.line <= len(found) else ""

    return lower(parse(files, flags, _models_for), settings, source_line)


def _models_for(wanted: Collection[str]) -> list[tuple[str, str]]:
    """The files of models that define some of the functions that a program wants."""
    return [(model_file(name), text) for name, text in models_of(wanted)]
