"""The formats of reports, by command and name: all modules of the folders in `formats`.

`formats/check/json.py` is what `paddock check --format json` prints. A module has a function `render`, from what the
command reports and a painter to text; its docstring's first line says what the format is. A new format is a file there,
and no more: the command line, its completion and its help find it. Modules are loaded when they are used.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any

from paddock.report.color import PLAIN, Painter

DEFAULT = "text"
_FORMATS = f"{__package__}.formats"


def formats(command: str) -> tuple[str, ...]:
    """The names of the formats of a command, the default first."""
    folders = import_module(f"{_FORMATS}.{command}").__path__
    modules = (os.path.splitext(file) for folder in folders for file in os.listdir(folder))
    names = (name.replace("_", "-") for name, ending in modules if ending == ".py" and not name.startswith("_"))
    return tuple(sorted(names, key=lambda name: (name != DEFAULT, name)))


def summary(command: str, name: str) -> str:
    """What a format is, in one line."""
    return (_module(command, name).__doc__ or "").partition("\n")[0]


def rendered(command: str, name: str, thing: Any, paint: Painter = PLAIN) -> str:
    """What a command reports, in a format. Those that draw pictures raise `DrawingUnavailable`."""
    text: str = _module(command, name).render(thing, paint)
    return text


def _module(command: str, name: str) -> Any:
    return import_module(f"{_FORMATS}.{command}.{name.replace('-', '_')}")
