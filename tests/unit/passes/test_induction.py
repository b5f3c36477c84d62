"""Loops by k-induction: what it proves, and that it proves nothing wrong."""

from __future__ import annotations

import pytest

from paddock.driver.pipeline import check
from paddock.frontends.boogie import load
from paddock.frontends.source import Source
from paddock.ir.cfg import Cfg
from paddock.ir.entry import entry_name, with_entry
from paddock.ir.program import Program
from paddock.options import Options
from paddock.passes.induction import induction
from paddock.passes.registry import run_passes
from paddock.report.result import Verdict

PRESERVED = "procedure main() { var x: int; x := 1; while (*) { assert x > 0; x := x + 2; } }"
AFTER = "procedure main(n: int) { var i: int; i := 0; while (i < n) { i := i + 1; } assert i >= n; }"
ALTERNATING = """procedure main() { var a, b, t: int; a := 1; b := 2;
  while (*) { assert a != b; assert a == 1 || a == 2; t := a; a := b; b := t; } }"""
LATE = "procedure main() { var x: int; x := 0; while (*) { assert x != 6; x := x + 1; } }"
CALLED = """var g: int; procedure main() modifies g; { g := 1; while (*) { call step(); } }
  procedure step() modifies g; { assert g > 0; g := g + 1; }"""
WHERE = """procedure main() { var x: int where x > 0; x := 1; while (*) { x := x - 1; assert x > -3; } }"""
NESTED = """procedure main() { var x, y: int; x := 1; while (*) { y := 0; while (*) { assert x > 0; y := y + x; }
  assert x > 0; x := x + 1; } }"""


def by_induction(text: str, k: int) -> tuple[Program, Verdict]:
    loaded = load([Source(text)])
    prepared = run_passes(with_entry(loaded, entry_name(loaded)), ["merge-implementations", "check-specs"])
    rewritten = induction(prepared, k)
    return rewritten, check(rewritten, Options.of(engine="symbolic")).verdict


@pytest.mark.parametrize(
    ("text", "k", "is_proved"),
    [
        (PRESERVED, 1, True),
        (AFTER, 1, True),
        (ALTERNATING, 1, False),
        (ALTERNATING, 2, True),
        (LATE, 1, False),
        (LATE, 5, False),
        (CALLED, 1, True),
        (WHERE, 2, False),
        (NESTED, 1, True),
    ],
)
def test_what_is_proved(text: str, k: int, is_proved: bool) -> None:
    rewritten, verdict = by_induction(text, k)
    assert not any(Cfg(i).loops for p in rewritten.procedures for i in p.implementations)
    assert (verdict is Verdict.PROVED) is is_proved


def test_only_some_loops() -> None:
    program = load([Source(NESTED)])
    (body,) = program.procedure_named["main"].implementations
    inner = max(Cfg(body).loops, key=lambda loop: loop.parent is not None)
    rewritten = induction(program, 1, [Cfg(body).blocks[inner.head].origin])
    (left,) = rewritten.procedure_named["main"].implementations
    assert len(Cfg(left).loops) == 1


RECURSIVE = """var g: int; procedure {:entrypoint} main() modifies g; { g := 1;
  while (*) { while (*) { call step(); } call step(); if (*) { call main(); } } }
  procedure step() modifies g; { assert g > 0; g := g + 1; }"""


def test_nested_loops_that_call_and_recur() -> None:
    rewritten = induction(load([Source(RECURSIVE)]), 1)
    assert entry_name(rewritten) == "main"
    assert {"main#1", "step#1"} <= {p.name for p in rewritten.procedures}
