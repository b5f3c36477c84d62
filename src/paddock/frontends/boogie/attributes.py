"""Attributes that change what Boogie checks: those of assertions are honoured, and there is a warning about the others.

assert {:verified_under c} P;      assert c || P;  assume P;
assert {:subsumption 0} P;         goto check, on;  check: assert P;  assume false;  goto on;  on: …
var {:assumption} a: bool;         a starts as true (`check.py`)
"""

from __future__ import annotations

from collections.abc import Mapping

from paddock.frontends.boogie import syntax as s
from paddock.frontends.boogie.problems import Problems
from paddock.ir.expr import Binder, Expr

VERIFIED_UNDER = "verified_under"
SUBSUMPTION = "subsumption"
ASSUMPTION = "assumption"
OF_ASSERTIONS = (VERIFIED_UNDER, SUBSUMPTION)

_ALL_CHECKED = "is not supported: all assertions are checked"
_NOT_DIVIDED = "has no effect: what is checked is not divided"
_ELSEWHERE = "is supported on assertions and loop invariants only: this is checked as if it were not there"

# What is reported where an attribute of this name is not honoured.
_NOT_HONOURED: Mapping[str, str] = {
    "selective_checking": _ALL_CHECKED,
    "start_checking_here": _ALL_CHECKED,
    "verify": "is not supported: bodies are run, and what they assert is checked",
    "ignore": "is not supported: this counts",
    VERIFIED_UNDER: _ELSEWHERE,
    SUBSUMPTION: _ELSEWHERE,
    **dict.fromkeys(("split", "split_here", "split_if", "focus", "isolate", "vcs_split_on_every_assert"), _NOT_DIVIDED),
}


def warn_of(attributes: list[s.AttributeSyntax], problems: Problems) -> None:
    """Tell the user of attributes that are read and then not honoured."""
    for attribute in attributes:
        if (effect := _NOT_HONOURED.get(attribute.name)) and not _is_usual(attribute):
            problems.warn(attribute.pos, f"the attribute {{:{attribute.name}}} {effect}")


def _is_usual(attribute: s.AttributeSyntax) -> bool:
    """Whether an attribute says what is so without it: `{:verify}`, `{:focus false}`."""
    match attribute.params:
        case [s.Literal(value=bool(value))]:
            return value is (attribute.name == "verify")
        case _:
            return attribute.name == "verify"


def is_marked(attributes: list[s.AttributeSyntax], name: str) -> bool:
    """Whether there is an attribute `{:name}` or `{:name true}`."""
    return any(a.name == name and _is_true(a.params) for a in attributes)


def _is_true(params: list[str | s.ExprSyntax]) -> bool:
    match params:
        case []:
            return True
        case [s.Literal(value=value)]:
            return value is True
        case _:
            return False


def verified_under(attributes: list[s.AttributeSyntax], problems: Problems) -> s.ExprSyntax | None:
    """The condition under which an assertion need not be checked."""
    for attribute in attributes:
        if attribute.name == VERIFIED_UNDER:
            match attribute.params:
                case [param] if not isinstance(param, str):
                    return param
            problems.add(attribute.pos, "the attribute {:verified_under} has one argument, a condition")
    return None


def is_subsumed(attributes: list[s.AttributeSyntax], condition: Expr) -> bool:
    """Whether what comes after an assertion may rely on it: `{:subsumption 0}` says no, 1 no for quantifiers."""
    for attribute in attributes:
        match attribute.name, attribute.params:
            case "subsumption", [s.Literal(value=0)]:
                return False
            case "subsumption", [s.Literal(value=1)]:
                return not isinstance(condition, Binder)
    return True
