"""CBMC's pragmas, which turn checks on and off for a part of a file.

    #pragma CPROVER check push
    #pragma CPROVER check disable "signed-overflow"
      …
    #pragma CPROVER check pop

What a pragma says holds from its line on, up to the end of the file or to where it is taken back.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from paddock.frozen import field, frozen
from paddock.ir.origin import Diagnostic, InputError, Origin
from paddock.ir.spelling import did_you_mean

_PRAGMA = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+CPROVER[ \t]+check\b(.*)$", re.MULTILINE)
_ARGUMENT = re.compile(r'\s*(?:(push|pop)|(enable|disable)\s+"([^"]*)")\s*(?://.*|/\*.*)?')

# Where CBMC's names of checks are not ours.
NAMES = {"signed-overflow": "overflow", "undefined-shift": "shift", "memory-leak": "leak"}
# Checks of CBMC that have no counterpart: to turn one of them off changes nothing.
OTHERS = ("pointer-primitive", "float-div-by-zero")


@frozen
class Pragmas:
    """For each file, the lines from which on some checks are on, and others off, whatever is asked for."""

    files: dict[str, tuple[list[int], list[tuple[frozenset[str], frozenset[str]]]]] = field(default_factory=dict)

    @property
    def enabled(self) -> frozenset[str]:
        """All checks that are on somewhere."""
        return frozenset(name for _, states in self.files.values() for on, _ in states for name in on)

    def checks_at(self, origin: Origin, asked: frozenset[str]) -> frozenset[str]:
        """The checks that are on at a place, of those that are asked for."""
        if origin.file not in self.files:
            return asked
        lines, states = self.files[origin.file]
        at = bisect_right(lines, origin.line) - 1
        if at < 0:
            return asked
        on, off = states[at]
        return (asked | on) - off


def read_pragmas(files: Sequence[tuple[str, str]], known: Sequence[str]) -> Pragmas:
    """What the pragmas of files (names and texts) say. Raises `InputError`."""
    return Pragmas({name: states for name, text in files if (states := _states(name, text, known))[0]})


def _states(
    name: str, text: str, known: Sequence[str]
) -> tuple[list[int], list[tuple[frozenset[str], frozenset[str]]]]:
    lines: list[int] = []
    states: list[tuple[frozenset[str], frozenset[str]]] = []
    stack: list[tuple[frozenset[str], frozenset[str]]] = []
    on: frozenset[str] = frozenset()
    off: frozenset[str] = frozenset()
    for found in _PRAGMA.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        word = _ARGUMENT.fullmatch(found[1])
        if word is None:
            raise _wrong('the pragma says push, pop, enable "NAME" or disable "NAME"', name, line, found)
        if word[1] == "push":
            stack.append((on, off))
        elif word[1] == "pop":
            if not stack:
                raise _wrong("there was no push before this pop", name, line, found)
            on, off = stack.pop()
        elif word[3] not in OTHERS:
            check = NAMES.get(word[3], word[3])
            if check not in known:
                hint = did_you_mean(word[3], [*known, *NAMES])
                raise _wrong(f"there is no check '{word[3]}'", name, line, found, hint)
            on, off = (on | {check}, off - {check}) if word[2] == "enable" else (on - {check}, off | {check})
        elif word[2] == "enable":
            raise _wrong(f"the check '{word[3]}' is not supported", name, line, found)
        lines.append(line)
        states.append((on, off))
    return lines, states


def _wrong(message: str, file: str, line: int, found: re.Match[str], hint: str = "") -> InputError:
    before = len(found[0]) - len(found[0].lstrip())
    return InputError(Diagnostic(message, Origin(file, line, before + 1), found[0], hint))
