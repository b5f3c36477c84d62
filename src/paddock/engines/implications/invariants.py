"""Reads the invariants that Daikon prints, as candidates for assertions.

    ===========================================================================
    ..f():::EXIT
    ::g == orig(::g) + 1
    return one of { 1, 2 }
    2 * x - y + 3 == 0

Read are relations between sums of multiples of variables and numbers, sets of values, and what is null. The rest is
counted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from paddock.engines.implications.arithmetic import Arithmetic
from paddock.engines.implications.daikon import Names, Place, Skipped, place_of
from paddock.engines.implications.observation import Point
from paddock.frozen import frozen
from paddock.ir.build import and_, eq, ne, not_, or_
from paddock.ir.expr import Expr
from paddock.ir.origin import Diagnostic, InputError, Origin
from paddock.ir.program import Program
from paddock.ir.types import BOOL, Float, Type

_RULE = re.compile(r"={10,}")
_ONE_OF = re.compile(r"(.*) one of \{(.*)\}")
_SIGN = re.compile(r"\s*(==|!=|<=|>=|<|>)\s*")
_PART = re.compile(
    r"\s*(?P<sign>[+-]?)\s*(?:(?P<factor>\d{1,18})\s*\*\s*)?"
    r"(?:(?P<number>\d{1,18})(?![\w.])|orig\(\s*(?P<before>(?:::)?[A-Za-z_]\w*)\s*\)|(?P<name>(?:::)?[A-Za-z_]\w*))"
    r"\s*(?=[+-]|$)"
)
LAST_WORDS = "Exiting Daikon"


@frozen
class Linear:
    """A sum of multiples of terms, and a number."""

    parts: tuple[tuple[int, Expr], ...]
    offset: int
    truth: bool | None = None  # of `true` and `false`

    @property
    def type(self) -> Type | None:
        return self.parts[0][1].type if self.parts else None


def invariants_in(
    program: Program, file: str, text: str, arithmetic: Arithmetic
) -> tuple[dict[Point, list[Expr]], list[Skipped]]:
    """The conditions for each point of a program, and what was not translated. Raises `InputError`."""
    names = Names(program)
    lines = text.split("\n")
    found: dict[Point, list[Expr]] = {}
    other: list[tuple[int, str]] = []
    every = 0
    sections = list(_sections(lines))
    if not sections:
        message = "there is no section: Daikon puts a line of = before each program point"
        raise InputError(Diagnostic(message, Origin(file, 1, 1), lines[0]))
    places = [place_of(name) for _, name, _ in sections]
    for (at, name, inside), place in zip(sections, places, strict=True):
        if ":::" not in name:
            message = "a section starts with the name of a program point, such as ..f():::EXIT"
            raise InputError(Diagnostic(message, Origin(file, at + 1, 1), lines[at]))
        point = None if place is None or _is_one_of_several(place, places) else names.point(place)
        for n in inside:
            every += 1
            condition = None if point is None else _condition(lines[n].strip(), names, point, arithmetic)
            if condition is None:
                other.append((n + 1, lines[n].strip()))
            elif point is not None:
                found.setdefault(point, []).append(condition)
    skipped = [Skipped(file, "invariants", len(other), every, other[0][1], other[0][0])] if other else []
    return found, skipped


def _is_one_of_several(place: Place, places: Sequence[Place | None]) -> bool:
    """Whether a point is a single exit of a function of which all exits are a point, too."""
    return bool(place.number) and Place(place.function, place.kind) in places


def _sections(lines: Sequence[str]) -> Iterator[tuple[int, str, list[int]]]:
    """The line of each program point, its name, and the lines of its invariants."""
    rules = [n for n, line in enumerate(lines) if _RULE.fullmatch(line.strip())]
    for rule, following in pairwise([*rules, len(lines)]):
        inside = [n for n in range(rule + 1, following) if lines[n].strip()]
        inside = [n for n in inside if not lines[n].startswith(LAST_WORDS)]
        if inside:
            yield inside[0], lines[inside[0]].strip(), inside[1:]


def _condition(text: str, names: Names, point: Point, arithmetic: Arithmetic) -> Expr | None:
    """An invariant as a condition; None if it is of another kind, or about something else."""
    if (members := _ONE_OF.fullmatch(text)) is not None:
        left = _linear(members[1], names, point)
        values = [_linear(part, names, point) for part in members[2].split(",")]
        equal = [_related("==", left, value, arithmetic) for value in values]
        return or_(*(e for e in equal if e is not None)) if equal and None not in equal else None
    pieces = _SIGN.split(text)
    if len(pieces) < 3:
        return None
    sides = [_linear(piece, names, point) for piece in pieces[::2]]
    related = [_related(sign, a, b, arithmetic) for sign, (a, b) in zip(pieces[1::2], pairwise(sides), strict=True)]
    return None if None in related else and_(*(r for r in related if r is not None))


def _related(sign: str, a: Linear | None, b: Linear | None, arithmetic: Arithmetic) -> Expr | None:
    if a is None or b is None:
        return None
    terms = [term for side in (a, b) for _, term in side.parts]
    if not terms or any(term.type is not terms[0].type for term in terms):
        return None
    type_ = terms[0].type
    if type_ is BOOL or a.truth is not None or b.truth is not None:
        return _equivalent(sign, a, b) if type_ is BOOL else None
    if isinstance(type_, Float) and not all(_is_variable_or_zero(side) for side in (a, b)):
        return None  # sums of floats are rounded
    left, right = (arithmetic.total(side.parts, side.offset, type_) for side in (a, b))
    match sign:
        case "==" | "!=":
            return eq(left, right) if sign == "==" else ne(left, right)
        case "<=" | ">=":
            return arithmetic.at_most(left, right) if sign == "<=" else arithmetic.at_most(right, left)
        case _:
            return arithmetic.less(left, right) if sign == "<" else arithmetic.less(right, left)


def _is_variable_or_zero(side: Linear) -> bool:
    return side.offset == 0 and (not side.parts or (len(side.parts) == 1 and side.parts[0][0] == 1))


def _equivalent(sign: str, a: Linear, b: Linear) -> Expr | None:
    """A relation between Booleans, each a variable or known; a number stands for one, too."""
    if sign not in ("==", "!="):
        return None
    sides: list[Expr | bool] = []
    for side in (a, b):
        match side:
            case Linear(((1, term),), 0, None):
                sides.append(term)
            case Linear((), offset, truth) if truth is not None or offset in (0, 1):
                sides.append(bool(offset) if truth is None else truth)
            case _:
                return None
    match sides:
        case (bool(), bool()):
            return None
        case (bool(truth), Expr() as term) | (Expr() as term, bool(truth)):
            return term if truth is (sign == "==") else not_(term)
        case (Expr() as left, Expr() as right):
            return eq(left, right) if sign == "==" else ne(left, right)
    return None


def _linear(text: str, names: Names, point: Point) -> Linear | None:
    """A sum of multiples of variables, and a number."""
    text = text.strip()
    if text in ("true", "false"):
        return Linear((), 0, text == "true")
    parts: dict[Expr, int] = {}
    offset, at = 0, 0
    while at < len(text):
        part = _PART.match(text, at)
        if part is None or part.end() == at or (at and not part["sign"]):
            return None
        factor = int(part["factor"] or 1) * (-1 if part["sign"] == "-" else 1)
        name = part["before"] or part["name"]
        if part["number"] or name == "null":
            offset += factor * int(part["number"] or 0)
        else:
            term = names.term(point, name, part["before"] is not None)
            if term is None:
                return None
            parts[term] = parts.get(term, 0) + factor
        at = part.end()
    return Linear(tuple((factor, term) for term, factor in parts.items() if factor), offset) if text else None
