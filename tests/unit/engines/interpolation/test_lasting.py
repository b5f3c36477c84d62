"""Summaries from proofs: what they say, of which program, and that they are checked."""

from __future__ import annotations

from dataclasses import replace

from paddock.driver.plan import lifted
from paddock.engines.assertions import Findings
from paddock.engines.inlining.bounds import Bounds
from paddock.engines.inlining.search import Exploration, Question, replays, stated
from paddock.engines.interpolation.certificate import certified
from paddock.engines.interpolation.lasting import Lasting, lasting
from paddock.engines.interpolation.remembering import valid_part
from paddock.engines.interpolation.unrolling import unrolled
from paddock.engines.interpolation.work import Work
from paddock.engines.judging import judging
from paddock.engines.outcome import Budget
from paddock.frontends.boogie import load
from paddock.frontends.source import Source
from paddock.ir.build import FALSE, TRUE
from paddock.ir.callgraph import CallGraph
from paddock.ir.entry import with_entry
from paddock.ir.printer import expr_text
from paddock.ir.summaries import Summary, SummaryOrigin, summaries_of, with_summaries
from paddock.ir.validate import validate
from paddock.passes.infer_modifies import infer_modifies
from paddock.solvers.z3.solver import Z3Solver


def left(text: str, **asked: int) -> Lasting | None:
    """What lasts of the proof of a program."""
    program = with_entry(infer_modifies(load([Source(text)])), "main")
    question = replace(Question(facts=False), **asked)
    with Z3Solver() as solver:
        budget = Budget()
        prepared = lifted(program)
        judge = judging(replays(program, question, Findings()), solver, budget)
        asked_ = stated(program, prepared, question, solver, budget)
        exploration = Exploration(program, question, asked_, solver, budget, Findings(), judge)
        proof = exploration.proof(exploration.run())
        return None if proof is None else lasting(proof, solver, Work(budget))


def said(found: Lasting | None) -> dict[str, list[str]]:
    assert found is not None
    return {name: [expr_text(c) for c in conditions] for name, conditions in found.certificate.ensures.items()}


CHAIN = """
    var g: int;
    procedure Low(x: int) returns (r: int) modifies g; { g := g + 1; if (x > 0) { r := x; } else { r := 1; } }
    procedure High(x: int) returns (r: int) modifies g; { call r := Low(x); r := r + 1; }
    procedure Other() modifies g; { g := g - 1; }
    procedure main(x: int) modifies g; { var r: int; call Other(); call r := High(x); assert r > 1; }
"""


def test_only_what_the_rest_needs_is_said_and_callees_fit_callers() -> None:
    found = left(CHAIN)
    assert list(said(found)) == ["Low", "High"]
    assert said(found)["High"] == ["r > 1"]
    assert found is not None and found.bound is None
    assert found.certificate.uses == {"main": ("High",), "High": ("Low",)}


def test_a_bug_leaves_nothing() -> None:
    assert left(CHAIN.replace("r > 1", "r > 2")) is None


def test_a_procedure_without_a_fitting_condition_is_inlined() -> None:
    text = """
    var m: [int]int;
    procedure Swap(i: int, j: int) modifies m; { var t: int; t := m[i]; m[i] := m[j]; m[j] := t; }
    procedure Twice(i: int, j: int) modifies m; { call Swap(i, j); call Swap(i, j); }
    procedure main(i: int, j: int) modifies m;
    { var before: [int]int; before := m; call Twice(i, j); assert m[i] == before[i]; }
    """
    found = left(text)
    assert found is not None
    assert "Swap" in found.certificate.inlined
    assert "Swap" not in found.certificate.ensures


def test_within_a_bound_each_activation_has_its_own() -> None:
    text = """
    procedure Count(n: int) returns (r: int) { if (n > 0) { call r := Count(n - 1); r := r + 1; } else { r := 0; } }
    procedure main(n: int) { var r: int; call r := Count(n); assert r <= 2; }
    """
    found = left(text, recursion_bound=3, loop_bound=3)
    assert found is not None and found.bound == 3
    assert list(found.certificate.ensures) == ["Count#1", "Count#2", "Count#3"]
    assert not CallGraph(found.program).recursive


def test_induction_is_used_where_nothing_was_cut_off() -> None:
    text = """
    var g: int;
    procedure Grow(n: int) modifies g; { if (n > 0) { g := g + n; call Grow(n - 1); } else { g := g + 1; } }
    procedure main(n: int) modifies g; { g := 0; if (n < 0) { call Grow(n); assert g > 0; } }
    """
    found = left(text, recursion_bound=2, loop_bound=2)
    assert found is not None and found.bound is None
    assert list(found.certificate.ensures) == ["Grow"]


def test_what_bodies_do_not_imply_is_refused() -> None:
    found = left(CHAIN)
    assert found is not None
    with Z3Solver() as solver:
        good = found.certificate.ensures

        def holds(ensures: object) -> bool:
            return certified(found.program, ensures, (), solver, Work(Budget())) is not None  # type: ignore[arg-type]

        assert holds(good)
        assert not holds({**good, "Low": [FALSE]})
        assert not holds({**good, "High": [TRUE]})
        assert not holds({"High": good["High"]})


def test_an_unrolled_program_is_a_valid_one_without_recursion() -> None:
    text = """
    procedure A(n: int) { if (n > 0) { call B(n - 1); } }
    procedure B(n: int) { call A(n); while (*) { call A(n - 2); } }
    procedure main(n: int) { call A(n); assert true; }
    """
    program = lifted(with_entry(infer_modifies(load([Source(text)])), "main"))
    for leave_open in (False, True):
        whole = unrolled(program, Bounds(program, 2, 2), 2, leave_open=leave_open)
        assert whole is not None
        assert not validate(whole.program)
        assert not CallGraph(whole.program).recursive
        assert whole.cut
        assert {p.name for p in whole.program.procedures if not p.implementations} == (
            {f"{name}#open" for name in whole.cut} if leave_open else set()
        )


def test_a_summary_says_where_it_is_from() -> None:
    program = load([Source("procedure P() returns (r: int); ensures r > 0;")])
    more = Summary("P", (TRUE,), SummaryOrigin.STORE)
    procedure = with_summaries(program, [more]).procedures[0]
    assert [s.origin for s in summaries_of(procedure)] == [SummaryOrigin.CONTRACT, SummaryOrigin.STORE]
    assert summaries_of(procedure)[1] == more


def test_sums_of_inlined_procedures_do_not_explode() -> None:
    """Each procedure calls the next one twice, on different paths: what is inlined is shared."""
    depth = 40
    bodies = [
        f"procedure P{n}(b: bool) modifies g; {{ if (b) {{ call P{n + 1}(b); }} else {{ call P{n + 1}(!b); }} }}"
        for n in range(depth)
    ]
    text = f"""
    var g: [int]int;
    procedure main(b: bool) modifies g; {{ call P0(b); assert g[0] == 1; }}
    {" ".join(bodies)}
    procedure P{depth}(b: bool) modifies g; {{ g[0] := 1; }}
    """
    program = with_entry(infer_modifies(load([Source(text)])), "main")
    prepared = lifted(program)
    with Z3Solver() as solver:
        reachable = stated(program, prepared, Question(facts=False), solver, Budget()).program
        names = [p.name for p in reachable.procedures if p.name.startswith("P")]
        found = certified(reachable, {}, names, solver, Work(Budget()))
        assert found is not None
        assert valid_part(reachable, {"P0": [TRUE, FALSE]}, names[1:], solver, Budget()) == {"P0": [TRUE]}
