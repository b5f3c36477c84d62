"""Languages that programs are written in, one folder each: from text to a program, and from its runs to words.

Whatever folder here has a module `frontend.py` is a front end (`protocol.py` says what that is).
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from types import MappingProxyType

from paddock.frontends.boogie.frontend import BOOGIE
from paddock.frontends.protocol import FrontEnd, Language
from paddock.ir.program import Program

__all__ = ["FrontEnd", "Language", "front_end_of", "front_ends", "language_of"]


@cache
def front_ends() -> Mapping[str, FrontEnd]:
    """The front ends, by the names of their folders."""
    here = os.path.dirname(__file__)
    folders = [name for name in sorted(os.listdir(here)) if os.path.exists(os.path.join(here, name, "frontend.py"))]
    return MappingProxyType({name: import_module(f"{__package__}.{name}.frontend").FRONT_END for name in folders})


def front_end_of(file: str) -> FrontEnd | None:
    """The front end that reads files of such a name."""
    return next((f for f in front_ends().values() if file.endswith(f.endings)), None)


def language_of(program: Program) -> Language:
    """The language that a program is shown in. One that was built in Python is shown in Boogie."""
    return program.language if program.language is not None else BOOGIE  # type: ignore[return-value]
