"""The file `paddock.toml` of a project: a suite whose default options are also those of `paddock check` in its folder.

It may come with a project that somebody else has written, so it can neither name a command to run nor a file to write;
see `options/tables.py`.
"""

from __future__ import annotations

import os
from pathlib import Path

from paddock.driver.suite_files import default_options, read_toml
from paddock.ir.origin import Diagnostic, InputError, Origin

PROJECT = "paddock.toml"

TEMPLATE = """\
# What `paddock check` and `paddock suite` do in this folder. docs/suites.md says what may stand here.

[defaults.options]
{options}
# store = ".paddock"         # keeps what proofs need in this folder, for the next run

{tasks}"""
EACH = """\
[[task]]
each = "{pattern}"
# expected = "safe"          # or "proved", or "bug"
# options = {{ entry = "main" }}
"""
C_CHECKS = 'checks = ["assert", "bounds", "pointer", "overflow", "div-by-zero", "shift"]\n'


def project_options(folder: str = "") -> dict[str, object]:
    """The options of the project in a folder, by their names; none if there is no project. Raises `InputError`."""
    path = os.path.join(folder, PROJECT)
    return default_options(read_toml(path), path) if os.path.isfile(path) else {}


def made_project(folder: str) -> str:
    """Write the file of a project, for the programs that are in a folder. Gives its path. Raises `InputError`."""
    if not os.path.isdir(folder):
        raise InputError(Diagnostic("there is no such folder", Origin(folder)))
    path = os.path.join(folder, PROJECT)
    patterns = [
        pattern
        for ending in ("bpl", "c", "i")
        for pattern in (f"*.{ending}", f"**/*.{ending}")
        if any(file.is_file() for file in Path(folder).glob(pattern))
    ]
    shown = [p for p in patterns if f"**/{p}" not in patterns or p.startswith("**/")]
    # A pattern with folders fits the files above them, too.
    tasks = "\n".join(EACH.format(pattern=pattern) for pattern in shown or ["*.bpl"])
    has_c = any(pattern.endswith((".c", ".i")) for pattern in shown)
    options = f"{C_CHECKS if has_c else ''}recursion-bound = 8\ntimeout = 60"
    text = TEMPLATE.format(options=options, tasks=tasks)
    try:
        # Never over a file that is there, nor to where a link leads.
        with open(path, "x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise InputError(Diagnostic("the project has this file already", Origin(path))) from None
    except OSError as error:
        raise InputError(Diagnostic(f"cannot write: {error.strerror}", Origin(path))) from None
    return path
