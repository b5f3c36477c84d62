"""The hash of what a proof depends on: bodies that it looked into, and what is known of the others."""

from __future__ import annotations

import pytest

from paddock.engines.interpolation.looked_into import hash_of
from paddock.frontends.boogie import load
from paddock.frontends.source import Source
from paddock.ir.entry import with_entry
from paddock.passes.infer_modifies import infer_modifies

TEXT = """
var g, h: int;
const c: int;
axiom c > 3;
procedure Far(n: int) returns (r: int) modifies g; { g := n; r := n; }
procedure Open(n: int) returns (r: int) modifies g; ensures r > 0; { call r := Far(n); r := 1; }
procedure Seen(n: int) returns (r: int) modifies g; { call r := Open(n); r := r + c; }
procedure main(n: int) modifies g; { var r: int; call r := Seen(n); }
"""
SEEN = ("main", "Seen")


def hash_for(text: str, looked_into: tuple[str, ...] = SEEN) -> str | None:
    return hash_of(with_entry(infer_modifies(load([Source(text)], check_modifies=False)), "main"), looked_into)


@pytest.mark.parametrize(("old", "new"), [("g := n; r := n;", "g := n + 1; r := 2;"), ("r := 1;", "r := 2;")])
def test_what_was_not_looked_into_may_change(old: str, new: str) -> None:
    assert hash_for(TEXT.replace(old, new)) == hash_for(TEXT) is not None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("r := r + c;", "r := r - c;"),  # in a body
        ("ensures r > 0;", "ensures r > 1;"),  # of an open callee
        ("r := 1; }", "h := 1; }"),  # what an open callee may change
        ("c > 3", "c > 4"),
        ("call r := Far(n);", ""),  # who calls whom, on which bounds depend
        ("procedure Far", "procedure {:SIextraRecBound 2} Far"),
    ],
)
def test_all_else_may_not(old: str, new: str) -> None:
    assert old in TEXT
    assert hash_for(TEXT.replace(old, new)) != hash_for(TEXT)


def test_procedures_that_are_gone_have_no_hash() -> None:
    assert hash_for(TEXT, (*SEEN, "Gone")) is None
