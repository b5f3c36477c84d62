"""Options from a table of a file that may come with a project that others have written.

Such a file may say what to check and how deep. It may not name commands to run, nor places to write to outside of its
own folder: those are for the command line alone.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

from paddock.ir.origin import Diagnostic, InputError, Origin
from paddock.ir.spelling import did_you_mean
from paddock.options import settings

# What would run something else than Paddock, connect to somewhere, or write a file.
ON_THE_COMMAND_LINE_ONLY = ("dump_smt", "harness", "ray_address", "executor", "witness")
# Of what may be a command, the values that are none.
OWN_VALUES = {"solver": ("auto", "z3", "cvc5", "bitwuzla"), "backend": ("paddock",)}


# Folders that are written to: they must be inside of the one that the file is in.
FOLDERS = ("store",)


def options_in_table(table: Mapping[str, object], file: str, refused: Iterable[str] = ()) -> dict[str, object]:
    """The options that a table names, by their names in `Options`; names may be written with dashes. Raises
    `InputError`."""
    known = {name: s for name, s in settings().items() if name not in (*ON_THE_COMMAND_LINE_ONLY, *refused)}
    found: dict[str, object] = {}
    for key, given in table.items():
        name = key.replace("-", "_")
        if name in ON_THE_COMMAND_LINE_ONLY:
            raise _problem(f"{key} can be given on the command line only, not in a file of a project", file)
        if name not in known:
            raise _problem(f"there is no option {key}", file, did_you_mean(name, list(known)))
        value = tuple(given) if isinstance(given, list) else given
        if known[name].is_names and isinstance(value, str):
            value = (value,)
        if name in OWN_VALUES and value not in OWN_VALUES[name]:
            choices = ", ".join(OWN_VALUES[name])
            raise _problem(f"{key} may be a command on the command line only; here it is one of {choices}", file)
        if name in FOLDERS and isinstance(value, str):
            value = _inside(value, key, file)
        problem = known[name].type_problem(value) or known[name].problem(value)
        if problem is not None:
            raise _problem(f"{key}: {problem.message}", file, problem.hint)
        found[name] = value
    return found


def _inside(folder: str, key: str, file: str) -> str:
    """A folder that a file names, below the one that the file is in, whatever links there are."""
    around = os.path.realpath(os.path.dirname(file) or ".")
    meant = os.path.join(os.path.dirname(file), folder)
    if os.path.isabs(folder) or os.path.commonpath([around, os.path.realpath(meant)]) != around:
        raise _problem(f"{key} must be a folder inside of the project", file)
    return meant


def _problem(message: str, file: str, hint: str = "") -> InputError:
    return InputError(Diagnostic(message, Origin(file), hint=hint))
