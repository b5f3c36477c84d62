"""What a user says about how C files are to be preprocessed, and the arguments for clang that it comes to.

Compiler headers (`stddef.h`, `stdarg.h`, …) are always our own. Those of the C library are the system's where it has
some, and else our own, which declare what programs commonly use.
"""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from paddock.frontends.c.types import LP64, DataModel
from paddock.frozen import frozen
from paddock.ir.origin import Diagnostic, InputError, Origin

HEADERS = Path(__file__).parent / "headers"
VERIFIERS = HEADERS / "verifiers.h"  # what each file begins with: the names of other verifiers
SYSTEM_FOLDERS = ("/usr/local/include", "/usr/include/{machine}-linux-gnu", "/usr/include")

# What older compilers let pass with a warning; and none of clang's warnings is about what we look for.
_LENIENT = (
    "-w",
    "-Wno-implicit-function-declaration",
    "-Wno-implicit-int",
    "-Wno-int-conversion",
    "-Wno-incompatible-function-pointer-types",
    "-Wno-return-type",
)
# The GNU C library makes functions such as isdigit macros that look into its tables, unless a macro forbids it.
_AS_FUNCTIONS = ("-D__NO_CTYPE",)
# Where a program asks for vector instructions, it has another way without them: the machine has none.
_WITHOUT_VECTORS = tuple(f"-U__{name}__" for name in ("MMX", "SSE", "SSE2", "SSE_MATH", "SSE2_MATH"))
# What gcc has preprocessed has no macros left, but names of types that only gcc knows.
_PREPROCESSED = (
    "-undef",
    "-D_Float32=float",
    "-D_Float64=double",
    "-D_Float32x=double",
    "-D_Float64x=long double",
    "-D_Float128=__float128",
)
STANDARDS = tuple(f"{kind}{year}" for kind in ("gnu", "c") for year in ("89", "90", "99", "11", "17", "18", "23"))
_DEEPEST_BRACKETS = 20_000
_WITH_FOLDER = ("-I", "-isystem", "-iquote", "-idirafter")
_WITH_FILE = ("-include", "-imacros")
_WITH_WORD = ("-D", "-U")


@frozen
class Flags:
    """How to preprocess and parse; `arguments` go to all files, those of `commands` to the files that they name."""

    model: DataModel = LP64
    standard: str = "gnu11"
    include_folders: tuple[str, ...] = ()
    definitions: tuple[str, ...] = ()  # NAME or NAME=VALUE
    included_files: tuple[str, ...] = ()  # as if each file began with an #include of them
    compile_commands: str | None = None  # the name of a compilation database

    def arguments(self, file: str, commands: Mapping[str, Sequence[str]]) -> list[str]:
        """The arguments for one file."""
        if self.standard not in STANDARDS:
            raise InputError(f"--tune std={self.standard} is unknown: choose from {', '.join(STANDARDS)}")
        own = commands.get(os.path.realpath(file), ())
        return [
            "-xc",
            f"-std={self.standard}",
            f"--target={self.model.triple}",
            *_LENIENT,
            *(_PREPROCESSED if file.endswith(".i") else (*_AS_FUNCTIONS, *_WITHOUT_VECTORS)),
            f"-fbracket-depth={_DEEPEST_BRACKETS}",
            *own,
            *(f"-D{definition}" for definition in self.definitions),
            *(f"-I{folder}" for folder in self.include_folders),
            *("-include", str(VERIFIERS)),
            *(word for name in self.included_files for word in ("-include", name)),
            "-nostdinc",
            *(word for folder in header_folders(self.model) for word in ("-isystem", folder)),
        ]


def header_folders(model: DataModel) -> Iterator[str]:
    """Where standard headers are looked for, in this order."""
    yield str(HEADERS / "compiler")
    machine = model.triple.split("-")[0]
    folders = [folder.format(machine=name) for folder in SYSTEM_FOLDERS for name in dict.fromkeys((machine, "x86_64"))]
    yield from (folder for folder in dict.fromkeys(folders) if os.path.isdir(folder))
    yield str(HEADERS / "library")


def read_compile_commands(path: str) -> dict[str, tuple[str, ...]]:
    """The arguments that a compilation database has for the preprocessor, by the real name of each file."""
    where = Origin(path)
    try:
        entries = json.loads(Path(path).read_text(encoding="utf-8"))
        return {
            os.path.realpath(os.path.join(entry["directory"], entry["file"])): tuple(
                _for_preprocessor(entry.get("arguments") or shlex.split(entry["command"]), entry["directory"])
            )
            for entry in entries
        }
    except OSError as error:
        raise InputError(Diagnostic(f"cannot read the file: {error.strerror or error}", where)) from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(Diagnostic(f"not a compilation database: {error}", where)) from None


def _for_preprocessor(command: Sequence[str], folder: str) -> Iterator[str]:
    """Those of the arguments of a compiler that say what is included and defined, and which standard is meant."""
    words = iter(command[1:])
    for word in words:
        option = next((o for o in (*_WITH_FOLDER, *_WITH_FILE, *_WITH_WORD) if word.startswith(o)), None)
        if option is not None:
            argument = word.removeprefix(option) or next(words, "")
            yield from (option, argument if option in _WITH_WORD else os.path.join(folder, argument))
        elif word.startswith("-std="):
            yield word
