from __future__ import annotations

from collections.abc import Mapping

import pytest

import paddock
from paddock import Options, Result, Verdict
from paddock.engines.inlining.alternating import heads_of
from paddock.engines.inlining.merging import MERGES
from paddock.frontends.boogie import load
from paddock.frontends.source import Source
from paddock.ir.stmt import Assert
from paddock.passes.reach_goal import failing_returns
from paddock.passes.registry import run_passes


def checked(text: str, **options: object) -> Result:
    return paddock.check(paddock.load(text), Options.of(engine="alternating", facts=False, **options))  # type: ignore[arg-type]


CHAIN = """
    var s: int;
    procedure main() modifies s; { s := 0; call A(); call B(); }
    procedure A() modifies s; { s := s + 1; call C(); }
    procedure B() modifies s; { s := s + 2; call C(); }
    procedure C() modifies s; { call Step(); assert s != 6; }
    procedure Step() modifies s; { s := s + 1; }
"""


def test_heads_come_after_those_they_call() -> None:
    program = failing_returns(run_passes(load([Source(CHAIN)]), ["check-specs"]))
    assert heads_of(program) == [["C_fails"], ["A_fails"], ["B_fails"]]
    statements = (s for p in program.procedures for i in p.implementations for b in i.blocks for s in b.statements)
    assert not any(isinstance(s, Assert) for s in statements)


@pytest.mark.parametrize("merge", list(MERGES))
def test_a_head_serves_all_its_callers(merge: str) -> None:
    result = checked(CHAIN, merge=merge)
    assert result.verdict is Verdict.PROVED
    # main, A, B and C that fail; A, its C and the Step of that; the Step of the C that fails.
    if merge in ("first", "maxc", "opt"):
        assert result.stats["instances"] == 8


def test_what_cannot_fail_is_not_called() -> None:
    """What `Check` is called with does not matter."""
    result = checked(
        """
        procedure main(n: int) { call Deep(n); }
        procedure Deep(n: int) { if (n > 0) { call Deeper(n - 1); } call Check(n); }
        procedure Deeper(n: int) { call Deep(n - 1); }
        procedure Check(n: int) { var m: int; m := n - n; assert m == 0; }
        """,
    )
    assert result.verdict is Verdict.PROVED
    assert result.stats["instances"] <= 4


def deep_asserts(n: int, contracts: Mapping[int, str]) -> str:
    """Fig. 1 of the deep-asserts paper, with contracts for some of the P_i."""
    levels = "".join(
        f"procedure P{i}() {contracts.get(i, '')} modifies s; {{ call P{i + 1}(); call P{i + 1}(); }}"
        for i in range(1, n)
    )
    return f"""
        var s, g: int;
        procedure main() modifies s, g; {{ s := 0; g := 1; call P1(); }}
        {levels}
        procedure P{n}() {contracts.get(n, "")} modifies s;
        {{ while (*) {{ if (g == 1) {{ call Open(); }} call Close(); }} }}
        procedure Open() modifies s; {{ s := 1; }}
        procedure Close() modifies s; {{ assert s > 0; s := 0; }}
    """


@pytest.mark.parametrize("below", [0, 1, 2])
def test_a_precondition_that_excludes_the_failure_ends_the_way_up(below: int) -> None:
    """What calls only heads that cannot fail needs neither an instance nor a query. (Deep-asserts paper, §II.)"""

    def counts(n: int) -> tuple[object, object]:
        result = checked(deep_asserts(n, dict.fromkeys(range(1, n + 1 - below), "free requires g == 1;")))
        assert result.verdict is Verdict.PROVED
        return result.stats["instances"], result.stats["queries"]

    assert counts(4) == counts(12) == counts(48)


def test_a_caller_with_an_assertion_of_its_own_is_looked_at() -> None:
    text = """
        var g: int;
        procedure main() modifies g; { g := 1; call A(); }
        procedure A() modifies g; { call Check(); g := g + 1; call Loop(3); assert g != 2; }
        procedure Loop(n: int) { call Check(); if (n > 0) { call Other(n - 1); } }
        procedure Other(n: int) { call Loop(n - 1); assert WRONG; }
        procedure Check() { assert g == g; }
    """
    assert checked(text.replace("WRONG", "n <= 2")).verdict is Verdict.BUG  # g is 2
    assert checked(text.replace("WRONG", "n <= 2").replace("g != 2", "g == 2")).verdict is Verdict.PROVED
    assert checked(text.replace("WRONG", "n < 2").replace("g != 2", "g == 2")).verdict is Verdict.BUG


def test_mutual_recursion_above_what_cannot_fail_needs_no_instance() -> None:
    text = """
        var g: int;
        procedure main(n: int) modifies g; { call Even(n); }
        procedure Even(n: int) modifies g; { if (n > 0) { call Odd(n - 1); } call Check(n); }
        procedure Odd(n: int) modifies g; { if (n > 0) { call Even(n - 1); } call Check(n); }
        procedure Check(n: int) modifies g; { g := n - n; assert g == 0; }
    """
    result = checked(text)
    assert result.verdict is Verdict.PROVED
    assert result.stats["instances"] == 2  # main and Check


def test_a_trace_starts_at_the_entry() -> None:
    result = checked(CHAIN.replace("s != 6", "s != 5"))
    assert result.verdict is Verdict.BUG
    assert [step.procedure for step in result.trace] == [
        "main",
        "main",
        "A",
        "A",
        "C",
        "Step",
        "main",
        "B",
        "B",
        "C",
        "Step",
        "C",
    ]


@pytest.mark.parametrize("free", ["", "free "])
def test_an_entry_that_fails_need_not_keep_its_postconditions(free: str) -> None:
    text = f"""
        var g: int;
        procedure main() modifies g; {free}ensures g != 1; {{ g := 1; call P(); }}
        procedure P() {{ if (g == 2) {{ assert g != 2; }} }}
    """
    assert checked(text).verdict is (Verdict.PROVED if free else Verdict.BUG)
    assert checked(text.replace("g == 2", "g == 1").replace("g != 2", "g != 1")).verdict is Verdict.BUG


def test_what_was_cut_off_is_named_as_in_the_program() -> None:
    text = """
        procedure main(n: int) { call P(n); }
        procedure P(n: int) { if (n < 0) { call P(n + 1); } else { call Q(n); } }
        procedure Q(n: int) { var i: int; i := 0; while (i < n) { i := i + 1; } assert i != 20 || n != 20; }
    """
    result = checked(text, recursion_bound=3)
    assert result.verdict is Verdict.BOUNDED
    assert "the loop at" in result.reason
    assert "fails" not in result.reason


def test_recursion_counts_whether_it_fails_or_not() -> None:
    """Five activations of P: two that return and are gone by then, and those below that lead to the failure."""
    text = """
        procedure main() { call P(4); }
        procedure P(n: int) { if (n > 0) { call P(n - 1); } assert n != 0; }
    """
    for bound in (4, 5):
        expected = paddock.check(paddock.load(text), Options.of(recursion_bound=bound)).verdict
        assert checked(text, recursion_bound=bound).verdict is expected
    assert {checked(text, recursion_bound=b).verdict for b in (4, 5)} == {Verdict.BOUNDED, Verdict.BUG}


def test_every_assertion_gets_its_own_verdict() -> None:
    text = """
        var s: int;
        procedure main(n: int) modifies s; { s := n; call A(); assert s > 0; }
        procedure A() modifies s; { assert s != 3; s := s + 1; call B(); assert s > -7; }
        procedure B() { assert s != 3; assert s != 4; }
    """
    result = checked(text, all_assertions=True)
    expected = paddock.check(paddock.load(text), Options.of(all_assertions=True))
    verdicts = [a.verdict for a in result.assertions]
    assert verdicts == [a.verdict for a in expected.assertions]
    assert verdicts == [Verdict.BUG, Verdict.BUG, Verdict.BUG, Verdict.BUG, Verdict.PROVED]


def test_whether_the_entry_can_return() -> None:
    text = "procedure main(n: int) { call P(n); } procedure P(n: int) { assert n > 0; assume n < 0; }"
    assert checked(text, goal="return").verdict is Verdict.PROVED
    assert checked(text.replace("n < 0", "n < 2"), goal="return").verdict is Verdict.BUG


def test_preconditions_are_used_where_they_are_inferred() -> None:
    text = """
        var s, g: int;
        procedure main() modifies s, g; { s, g := 0, 1; call P(); }
        procedure P() modifies s; { while (*) { if (g == 1) { call Open(); } call Close(); } }
        procedure Open() modifies s; { s := 1; }
        procedure Close() modifies s; { assert s > 0; s := 0; }
    """
    assert checked(text, houdini=True).verdict is Verdict.PROVED
