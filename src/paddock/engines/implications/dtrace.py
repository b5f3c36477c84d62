"""Reads traces of Daikon (`.dtrace`, version 2.0): values of variables where functions start and return.

    ..f():::ENTER
    this_invocation_nonce
    7
    x
    3
    1

What the variables were where a function started is found by the nonce of the invocation. A trace may have more in it
than a program has points and variables; that is counted.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction

from paddock.engines.implications.daikon import Names, Skipped, place_of
from paddock.engines.implications.observation import MOST_SAMPLES, Point, Sample
from paddock.frozen import frozen
from paddock.ir.build import old
from paddock.ir.expr import Expr
from paddock.ir.origin import Diagnostic, InputError, Origin
from paddock.ir.program import Program
from paddock.ir.types import BOOL, Bv, Float, Type
from paddock.trace import floats

Wrong = Callable[[int, str], InputError]  # says what is wrong in a line

NONCE = "this_invocation_nonce"
_HEADERS = ("input-language", "decl-version", "var-comparability", "ListImplementors", "DECLARE", "ppt ")
_WHOLE = re.compile(r"[+-]?[0-9]{1,400}")
_FRACTION = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


@frozen
class Record:
    """A sample: the name of the program point, the line that it is in, the nonce, and values, with their lines."""

    name: str
    line: int
    nonce: str
    values: Mapping[str, tuple[str, int]]


def samples_in(program: Program, file: str, text: str) -> tuple[dict[Point, list[Sample]], list[Skipped]]:
    """The samples of a trace at each point of a program, and what was not translated. Raises `InputError`."""
    names = Names(program)
    samples: dict[Point, list[Sample]] = {}
    entered: dict[tuple[str, str], Record] = {}
    records = 0
    other: list[Record] = []
    seen: dict[tuple[str, str], int] = {}  # variables at program points, with their lines
    unknown: dict[tuple[str, str], int] = {}
    for record in _records(file, text):
        records += 1
        place = place_of(record.name)
        point = None if place is None else names.point(place)
        if place is None or point is None:
            other.append(record)
            continue
        before = None
        if place.kind == "entry":
            entered[place.function, record.nonce] = record
        else:
            before = entered.pop((place.function, record.nonce), None)
        sample = _sample(names, point, record, before)
        for name, (_, line) in record.values.items():
            seen.setdefault((record.name, name), line)
            if names.variable(point, name) is None:
                unknown.setdefault((record.name, name), line)
        if sample and len(samples.setdefault(point, [])) < MOST_SAMPLES:
            samples[point].append(sample)
    skipped = []
    if other:
        skipped.append(Skipped(file, "samples", len(other), records, other[0].name, other[0].line))
    if unknown:
        (point_name, name), line = next(iter(unknown.items()))
        skipped.append(Skipped(file, "variables", len(unknown), len(seen), f"{name} at {point_name}", line))
    return samples, skipped


def _sample(names: Names, point: Point, record: Record, before: Record | None) -> Sample:
    known: dict[Expr, int] = {}
    for name, (text, _) in record.values.items():
        variable = names.variable(point, name)
        value = None if variable is None else _value(text, variable.type)
        if variable is not None and value is not None:
            known[variable] = value
    for name, (text, _) in before.values.items() if before is not None else ():
        variable = names.variable(point, name)
        value = None if variable is None or variable not in point.before else _value(text, variable.type)
        if variable is not None and value is not None:
            known[old(variable)] = value
    return known


def _value(text: str, type_: Type) -> int | None:
    """The value that a text stands for; None if there is none, or none of this type."""
    if type_ is BOOL:
        return {"true": 1, "1": 1, "false": 0, "0": 0}.get(text)
    if isinstance(type_, Float):
        return _float(text, type_)
    if text == "null":
        return 0
    if not _WHOLE.fullmatch(text):
        return None
    return int(text) % (1 << type_.width) if isinstance(type_, Bv) else int(text)


def _float(text: str, type_: Float) -> int | None:
    if text == "NaN":
        return floats.nan(type_)
    value = float(text) if _FRACTION.fullmatch(text) else math.inf
    if math.isinf(value):
        return None
    return floats.from_fraction(Fraction(value), "RNE", type_, negative_zero=math.copysign(1.0, value) < 0)


def _records(file: str, text: str) -> Iterator[Record]:
    """The samples in a trace."""
    lines = text.split("\n")

    def wrong(at: int, message: str) -> InputError:
        shown = lines[at] if at < len(lines) else ""
        return InputError(Diagnostic(message, Origin(file, at + 1, 1), shown))

    n = 0
    while n < len(lines):
        line = lines[n].strip()
        if not line or line.startswith(("#", "//")):
            n += 1
        elif line.startswith(_HEADERS):
            if line == "DECLARE" or (line.startswith("decl-version") and line.split()[1:] != ["2.0"]):
                raise wrong(n, "traces with declarations of version 2.0 are read, not of others")
            while n < len(lines) and lines[n].strip():
                n += 1
        else:
            if ":::" not in line:
                raise wrong(n, "a sample starts with the name of a program point, such as ..f():::ENTER")
            end = next((k for k in range(n, len(lines)) if not lines[k].strip()), len(lines))
            yield _record(lines, n, end, wrong)
            n = end


def _record(lines: list[str], start: int, end: int, wrong: Wrong) -> Record:
    n, nonce = start + 1, ""
    if n < end and lines[n].strip() == NONCE:
        nonce = lines[n + 1].strip() if n + 1 < end else ""
        if not _WHOLE.fullmatch(nonce):
            raise wrong(n + 1, "the nonce of an invocation is a whole number")
        n += 2
    values: dict[str, tuple[str, int]] = {}
    while n < end:
        if n + 2 >= end:
            raise wrong(n, "a variable has three lines: its name, its value, and whether it was modified (0, 1 or 2)")
        name, value, modified = (lines[k].strip() for k in (n, n + 1, n + 2))
        if modified not in ("0", "1", "2"):
            raise wrong(n + 2, "whether a variable was modified is 0, 1 or 2")
        if modified != "2" and value not in ("nonsensical", "uninit"):
            values[name] = value, n + 1
        n += 3
    return Record(lines[start].strip(), start + 1, nonce, values)
