from __future__ import annotations

import pytest

import paddock
from paddock.engines.houdini.infer import Houdini, Inferred, infer, infer_if_needed, summaries
from paddock.engines.inlining.engines import ENGINES
from paddock.engines.inlining.search import HOUDINI_ALONE, Question, search
from paddock.engines.outcome import Budget, Outcome, Statistics
from paddock.ir.printer import program_text
from paddock.ir.validate import check_valid
from paddock.passes.reach_goal import as_reachability
from paddock.passes.registry import run_passes
from paddock.solvers.z3.solver import Z3Solver
from paddock.verdict import Verdict

LOCK = """
var s: int;
procedure Acquire() modifies s; { assert s == 0; s := 1; }
procedure Release() modifies s; { assert s == 1; s := 0; }
procedure Pair() modifies s; { call Acquire(); call Release(); }
procedure main() modifies s; { s := 0; while (*) { call Pair(); } }
"""

# No call matters.
TRIVIAL = """
var s: int;
procedure Rec(n: int) modifies s; { s := n; call Rec(n + 1); }
procedure main(x: int) modifies s; { if (x > 0) { call Rec(x); assert x > 0; } }
"""


def inferred(text: str, houdini: Houdini | None = None) -> Inferred:
    prepared = run_passes(paddock.load(text), ["check-specs", "extract-loops", "prune"])
    with Z3Solver() as solver:
        return infer(as_reachability(prepared, "assertion"), houdini or Houdini(), solver, Budget())


def answer(text: str, houdini: Houdini | None = None, **settings: object) -> tuple[Outcome, Statistics]:
    original = paddock.load(text)
    prepared = run_passes(original, ["check-specs", "extract-loops", "prune"])
    with Z3Solver() as solver:
        if isinstance(engine := settings.pop("engine", "dag"), str):
            settings["engine"] = ENGINES[engine]
        question = Question(facts=False, houdini=houdini, **settings)  # type: ignore[arg-type]
        return search(original, prepared, question, solver, Budget())


def said(result: Inferred) -> dict[str, list[str]]:
    return {p.name: [str(c.condition) for c in (*p.requires, *p.ensures)] for p in summaries(result).procedures}


def test_the_summaries_of_a_lock() -> None:
    result = inferred(LOCK)
    assert result.is_complete
    assert 0 < len(result.kept) < result.candidates
    found = said(result)
    assert list(found) == ["Acquire", "Release", "Pair", "main_loop_anon1_LoopHead"]
    assert "!old(err) && old(s == 0) ==> !err" in found["Acquire"]
    assert "!old(err) && old(s == 0) ==> !err" in found["Pair"]
    assert "err || s == 0" in found["Pair"]
    assert "!old(err) && old(s == 0) ==> !err" in found["main_loop_anon1_LoopHead"]


def test_what_others_imply_is_not_said() -> None:
    found = said(inferred(LOCK))["Acquire"]
    assert "err || s == 1" in found
    assert "err || (old(s == 0) ==> s == 1)" not in found
    assert "err || (s == 1 || s == old(s))" not in found
    nothing_fails = LOCK.replace("assert s == 0;", "assert true;").replace("assert s == 1;", "")
    assert said(inferred(nothing_fails))["Acquire"][-1] == "!old(err) ==> !err"


def test_summaries_are_a_program_on_their_own() -> None:
    alone = summaries(inferred(LOCK))
    check_valid(alone)
    assert paddock.load(program_text(alone)) == alone
    assert not any(p.implementations for p in alone.procedures)
    assert all(c.free for p in alone.procedures for c in (*p.requires, *p.ensures))


def test_a_parameter_may_have_the_name_of_a_global() -> None:
    text = """
    var k: int;
    procedure P() modifies k; { k := 1; }
    procedure Q(k: int) modifies k; { call P(); }
    procedure main() modifies k; { call Q(3); assert k == 1; }
    """
    alone = summaries(inferred(text))
    check_valid(alone)
    (parameter,) = alone.procedure_named["Q"].params
    assert parameter.name != "k"


def test_preconditions_are_inferred_where_they_are_wanted() -> None:
    text = LOCK.replace("while (*)", "if (*)")
    assert "s == 0" not in said(inferred(text)).get("Pair", [])
    assert said(inferred(text, Houdini(preconditions=True)))["Pair"][0] == "s == 0"


def test_without_time_nothing_is_inferred() -> None:
    result = inferred(LOCK, Houdini(timeout=1e-9))
    assert not result.is_complete
    assert result.kept == ()
    assert result.queries == 0


@pytest.mark.parametrize("engine", ["eager", "stratified", "dag"])
def test_a_program_that_summaries_alone_prove(engine: str) -> None:
    without, _ = answer(LOCK, engine=engine, recursion_bound=2, loop_bound=2)
    assert without.verdict is Verdict.BOUNDED
    outcome, statistics = answer(LOCK, Houdini(), engine=engine, recursion_bound=1, loop_bound=1)
    assert (outcome.verdict, outcome.reason) == (Verdict.PROVED, HOUDINI_ALONE)
    assert (statistics.instances, statistics.queries) == (1, 1)
    assert statistics.candidates > statistics.summaries > 0
    assert statistics.houdini_queries > 0


@pytest.mark.parametrize("houdini", [None, Houdini()])
@pytest.mark.parametrize("engine", ["eager", "stratified", "dag"])
def test_what_needs_no_summaries_is_proved_at_every_bound(engine: str, houdini: Houdini | None) -> None:
    outcome, statistics = answer(TRIVIAL, houdini, engine=engine, recursion_bound=1, loop_bound=1)
    assert (outcome.verdict, outcome.reason) == (Verdict.PROVED, "")
    assert (statistics.queries, statistics.candidates) == (1, 0)


def test_nothing_is_inferred_without_need() -> None:
    with Z3Solver() as solver:
        program = as_reachability(run_passes(paddock.load(TRIVIAL), ["check-specs"]), "assertion")
        assert infer_if_needed(program, Houdini(), solver, Budget()) is None


def test_bugs_are_found_in_spite_of_summaries() -> None:
    buggy = LOCK.replace("call Pair(); }", "call Pair(); if (*) { call Acquire(); } }")
    outcome, _ = answer(buggy, Houdini())
    assert outcome.verdict is Verdict.BUG


def test_one_by_one_assertions_are_proved_by_summaries() -> None:
    program = paddock.load(LOCK)
    result = paddock.check(
        program, paddock.Options.of(houdini=True, facts=False, all_assertions=True, recursion_bound=2)
    )
    assert {a.verdict for a in result.assertions} == {paddock.Verdict.PROVED}
    assert result.reason == HOUDINI_ALONE
    assert result.stats["summaries"] > 0
    assert "summaries" not in paddock.check(program, paddock.Options.of(recursion_bound=2)).stats


def test_candidates_cannot_be_read_once_the_program_has_been() -> None:
    options = paddock.Options.of(houdini=True, candidates="c")
    for ask in (paddock.check, paddock.summaries):
        with pytest.raises(paddock.InputError, match="candidates are read with the program"):
            ask(paddock.load(LOCK), options)
