"""A C program that does what a witness says: the program with a few expressions put in, on the same lines.

A violation becomes a counter of the segments that a run has passed. It grows where the next waypoint is passed for the
first time, and an error can be reported at the target only, after all others: a run that passes waypoints later does so
earlier, too, so that no run that the witness describes is lost. A correctness witness becomes an assertion for each of
its invariants.

    int x = __VERIFIER_nondet_int();          int x = ({ __typeof__(__VERIFIER_nondet_int()) __paddock_r =
                                                __VERIFIER_nondet_int(); (… __paddock_r == 7 …); __paddock_r; });
    if (x > 3) reach_error();           =>    if (__paddock_branch_1(!!(x > 3))) if (__paddock_assume(…), 0) ; else
                                                reach_error();
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from pathlib import PurePath

from paddock.frontends.c.library.control import ERRORS
from paddock.frontends.c.witness_tokens import Tokens, after_body, loop_at
from paddock.frontends.source import Source
from paddock.frozen import frozen
from paddock.ir.origin import Diagnostic, InputError, Origin
from paddock.report.witnesses import (
    ASSUMPTION,
    AVOID,
    BRANCHING,
    FUNCTION_ENTER,
    FUNCTION_RETURN,
    INVARIANT,
    RESULT,
    TARGET,
    VIOLATION,
    Invariant,
    Place,
    Waypoint,
    Witness,
)

STATE, VALUE = "__paddock_at", "__paddock_r"
_BEFORE_STATEMENT = ("{", "}", ";", ":")  # what stands before a statement of a block


@frozen
class _Point:
    """A waypoint with the number of its segment; one to avoid ends the run there."""

    segment: int
    waypoint: Waypoint


def instrumented(sources: Sequence[Source], witness: Witness, with_arithmetic: bool = True) -> list[Source]:
    """The sources with what the witness says. Raises `InputError` if a place of it does not exist, or if an expression
    of it may do harm."""
    texts = [_Instrumented(source, is_first=number == 0) for number, source in enumerate(sources)]

    def text_of(place: Place) -> _Instrumented:
        name = PurePath(place.file).name
        found = [text for text in texts if PurePath(text.source.file).name == name]
        if not found:
            raise InputError(Diagnostic(f"the witness is about another file: {place.file}"))
        return found[0]

    for expression in (p.constraint for s in witness.segments for p in s if p.constraint):
        require_harmless(expression, with_arithmetic)
    for invariant in witness.invariants:
        require_harmless(invariant.value, with_arithmetic)
    if witness.kind == VIOLATION:
        by_text: dict[_Instrumented, list[_Point]] = defaultdict(list)
        for segment, points in enumerate(witness.segments):
            for waypoint in points:
                by_text[text_of(waypoint.place)].append(_Point(segment, waypoint))
        for text in texts:
            text.follow(by_text[text], len(witness.segments) - 1)
    else:
        for number, invariant in enumerate(witness.invariants):
            text_of(invariant.place).check(number, invariant)
    return [text.result() for text in texts]


def require_harmless(expression: str, with_arithmetic: bool = True) -> None:
    """Refuse an expression that may do more than look at variables: what a witness says must not change what a program
    does. It may neither assign nor call, and not read where there may be no object or divide by what may be 0. Without
    arithmetic, it may not overflow, either."""
    words = [token.text for token in Tokens(expression.replace(RESULT, VALUE)).all]
    pairs = list(zip(["", *words], words, strict=False))
    signs = [(a, b) for a, b in pairwise(words) if f"{a}{b}" in expression]
    harmless = (
        all(re.fullmatch(r"[A-Za-z_]\w*|\d\w*|[-+*()<>=!&|^~.:?]", word) for word in words)
        and not {"\n", "#", "/"}.intersection(expression)
        and not any(name.isidentifier() and sign == "(" for name, sign in pairs)
        and not any(sign == "*" and not (before.isidentifier() or before[:1].isdigit()) for before, sign in pairs)
        and not {("+", "+"), ("-", "-"), ("<", "<"), (">", ">")}.intersection(signs)
        and "sizeof" not in words
        and not re.search(r"(?<![=!<>])=(?!=)", expression)
        and (with_arithmetic or not re.search(r"[+*]|-(?!\d)|[\w)]\s*-", expression))
        and _is_balanced(words)
    )
    if not harmless or not words:
        raise InputError(
            Diagnostic(f"the witness has an expression that is not supported: {' '.join(expression.split())}")
        )


def _is_balanced(words: Sequence[str]) -> bool:
    depth = 0
    for word in words:
        depth += {"(": 1, ")": -1}.get(word, 0)
        if depth < 0:
            return False
    return depth == 0


class _Instrumented:
    """One file, and what is put into it."""

    def __init__(self, source: Source, is_first: bool) -> None:
        self.source = source
        self.tokens = Tokens(source.text)
        self.is_first = is_first
        self.helpers: list[str] = []
        # What to put in where: what closes something comes before what opens something at the same place; of what
        # opens, the outer comes first, of what closes, the inner.
        self.inserted: list[tuple[int, int, int, str]] = []

    def put(self, start: int, before: str, end: int | None = None, after: str = "") -> None:
        """Put texts before an offset and, if it is given, another one."""
        order = len(self.inserted)
        self.inserted.append((start, 1, order, before))
        if end is not None:
            self.inserted.append((end, 0, -order, after))

    def result(self) -> Source:
        if not self.inserted or not self.tokens.all:
            return self.source
        declared = f"{'' if self.is_first else 'extern '}int {STATE}; extern void __paddock_assume(int); "
        declared += "extern void __paddock_error(void); "
        first = self.tokens.all[0].start
        parts = [(first, 0, -(1 << 60), declared + "".join(self.helpers)), *self.inserted]
        text, at = [], 0
        for offset, _, _, added in sorted(parts):
            text += [self.source.text[at:offset], added]
            at = offset
        text.append(self.source.text[at:])
        return Source("".join(text), self.source.file)

    def refuse(self, place: Place, what: str) -> InputError:
        line = self.source.line(place.line)
        return InputError(
            Diagnostic(
                f"the witness names {what} that is not there", Origin(self.source.file, place.line, place.column), line
            )
        )

    # ---- a violation

    def follow(self, points: Sequence[_Point], target: int) -> None:
        """Count the waypoints that are passed, and allow errors only after all."""
        sites: dict[tuple[str, int], list[_Point]] = defaultdict(list)
        targets: set[int] = set()
        for point in points:
            kind, place = point.waypoint.kind, point.waypoint.place
            if kind == TARGET:
                targets |= self._targets(place)
                continue
            for site in self._sites(kind, place):
                sites[kind, site].append(point)
        for (kind, site), passing in sites.items():
            put = {
                BRANCHING: self._branch,
                FUNCTION_RETURN: self._returns,
                FUNCTION_ENTER: self._enters,
                ASSUMPTION: self._assumes,
            }[kind]
            put(site, passing)
        for number in range(len(self.tokens.all)):
            if self._is_error_call(number):
                allowed = f"{STATE} == {target}" if number in targets else "0"
                self._before_statement(number, f"__paddock_assume({allowed})")

    def _targets(self, place: Place) -> set[int]:
        """The calls that report an error at a place, if it is such a call that is the target."""
        if place.column:
            start = self.tokens.at_place.get((place.line, place.column))
            if start is None:
                raise self.refuse(place, "a target")
            return {start} if self._is_error_call(start) else set()
        return {n for n in self.tokens.on_line(place.line) if self._is_error_call(n)}

    def _is_error_call(self, number: int) -> bool:
        """Whether a statement that calls a function that reports an error starts at a token."""
        tokens = self.tokens
        is_call = tokens.word(number) in ERRORS and tokens.word(number + 1) == "("
        return is_call and self._starts_statement(number) and self._is_in_body(number)

    def _is_in_body(self, number: int) -> bool:
        """Whether a token is not at the top of the file, where functions are declared."""
        return tokens_end(self.tokens, number) == ";" and self.tokens.word(number - 1) not in ("", "void", "extern")

    def _starts_statement(self, number: int) -> bool:
        return self.tokens.word(number - 1) in (*_BEFORE_STATEMENT, ")", "else", "do")

    def _sites(self, kind: str, place: Place) -> list[int]:
        """The tokens that a waypoint of a kind may mean; of a line without a column, all that fit."""
        fits = {BRANCHING: self.tokens.is_branch, ASSUMPTION: self._starts_statement}.get(kind, self._ends_call)
        if kind not in (BRANCHING, ASSUMPTION, FUNCTION_RETURN, FUNCTION_ENTER):
            raise InputError(Diagnostic(f"a waypoint of type {kind} is not supported"))
        if place.column:
            at = self.tokens.at_place.get((place.line, place.column))
            found = [at] if at is not None and fits(at) else []
        else:
            found = [number for number in self.tokens.on_line(place.line) if fits(number)]
        if not found:
            raise self.refuse(place, {BRANCHING: "a branch", ASSUMPTION: "a statement"}.get(kind, "a call"))
        return found

    def _ends_call(self, number: int) -> bool:
        tokens = self.tokens
        opening = tokens.partner.get(number, -1)
        name = tokens.word(opening - 1)
        return (
            tokens.word(number) == ")"
            and name.isidentifier()
            and name not in ("if", "while", "for", "switch", "return")
        )

    def _passed(self, passing: Sequence[_Point], holds: str) -> str:
        """An expression that counts: `holds` says what each constraint is, with a `{}` for it."""
        value = STATE
        for point in reversed(passing):
            constraint = f"{STATE} == {point.segment} && ({holds.format(point.waypoint.constraint or '1')})"
            if point.waypoint.action == AVOID:
                value = f"({constraint}) ? (__paddock_assume(0), {STATE}) : ({value})"
            else:
                value = f"({constraint}) ? {point.segment + 1} : ({value})"
        return f"({STATE} = {value})"

    def _branch(self, site: int, passing: Sequence[_Point]) -> None:
        name = f"__paddock_branch_{site}"
        ways = [point for point in passing if point.waypoint.constraint in ("true", "false")]
        if len(ways) != len(passing):
            raise InputError(Diagnostic(f"a branch goes true or false, not {passing[0].waypoint.constraint}"))
        one_way = self._passed(ways, "way == ({})").replace("(true)", "1").replace("(false)", "0")
        self.helpers.append(f"static int {name}(int way) {{ {one_way}; return way; }} ")
        start, end = self._condition(site)
        if self.source.text[start:end].strip():
            self.put(start, f"{name}(!!(", end, "))")
        else:
            self.put(start, f"{name}(1)")

    def _condition(self, site: int) -> tuple[int, int]:
        """Where the condition of a branch starts and ends."""
        tokens = self.tokens
        opening = (after_body(self.tokens, site) if tokens.word(site) == "do" else site) + 1
        closing = tokens.partner[opening]
        if tokens.word(site) == "for":
            first, second = tokens.semicolons(opening)[:2]
            return tokens.all[first].end, tokens.all[second].start
        return tokens.all[opening].end, tokens.all[closing].start

    def _returns(self, site: int, passing: Sequence[_Point]) -> None:
        start, end = self.tokens.all[self.tokens.partner[site] - 1].start, self.tokens.all[site].end
        call = self.source.text[start:end]
        counted = self._passed(passing, "{}").replace(RESULT, VALUE)
        self.put(start, f"({{ __typeof__({call}) {VALUE} = ", end, f"; {counted}; {VALUE}; }})")

    def _enters(self, site: int, passing: Sequence[_Point]) -> None:
        start, end = self.tokens.all[self.tokens.partner[site] - 1].start, self.tokens.all[site].end
        self.put(start, f"({self._passed(passing, '1')}, ", end, ")")

    def _assumes(self, site: int, passing: Sequence[_Point]) -> None:
        self._before_statement(site, self._passed(passing, "{}"))

    def _before_statement(self, site: int, expression: str) -> None:
        """Evaluate something before a statement; where there may be one statement only, as a part of it."""
        in_block = self.tokens.word(site - 1) in _BEFORE_STATEMENT
        self.put(self.tokens.all[site].start, f"{expression}; " if in_block else f"if ({expression}, 0) ; else ")

    # ---- correctness

    def check(self, number: int, invariant: Invariant) -> None:
        """Assert an invariant wherever a run comes to its place."""
        name = f"{INVARIANT}{number}"
        self.helpers.append(f"static void {name}(int holds) {{ if (!holds) __paddock_error(); }} ")
        asserted = f"{name}(!!({invariant.value}))"
        place = invariant.place
        if not invariant.is_loop:
            for site in self._sites(ASSUMPTION, place):
                self._before_statement(site, asserted)
            return
        loop = loop_at(self.tokens, place.line, place.column)
        if loop is None:
            raise self.refuse(place, "a loop")
        if self.tokens.word(loop) == "do":
            self.put(self.tokens.all[loop + 1].end, f" {asserted}; ")
            return
        start, end = self._condition(loop)
        condition = self.source.text[start:end].strip()
        self.put(start, f"{asserted}, (" if condition else f"{asserted}, 1", end, ")" if condition else "")


def tokens_end(tokens: Tokens, call: int) -> str:
    """What follows a call that starts at a token."""
    closing = tokens.partner.get(call + 1)
    return "" if closing is None else tokens.word(closing + 1)
