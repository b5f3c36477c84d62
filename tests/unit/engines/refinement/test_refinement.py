"""The refinement loop: what it tracks, what it counts, and the corners in which it could go wrong."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path as File
from typing import cast

import pytest

import paddock
from paddock import Options, Result, Verdict
from paddock.driver import pipeline
from paddock.engines.assertions import Findings
from paddock.engines.inlining.search import Question
from paddock.engines.outcome import Budget, Statistics
from paddock.engines.paths import footprint, lifted
from paddock.engines.refinement.loop import refined_search
from paddock.engines.refinement.spurious import REFINEMENTS as BY_NAME
from paddock.engines.refinement.spurious import Refine, Refined, SpuriousPath
from paddock.engines.refinement.switches import with_named_conditions
from paddock.ir.program import Program
from paddock.ir.validate import check_valid
from paddock.options.groups import REFINEMENTS
from paddock.passes.abstract_globals import abstracted
from paddock.passes.check_specs import check_specs
from paddock.passes.reach_goal import as_reachability, failing_returns
from paddock.passes.switch_assertions import switch_assertions
from paddock.report.formats.check.json import render as result_json
from paddock.report.formats.check.text import render as result_text
from paddock.report.reading import result_from
from paddock.solvers.z3.solver import Z3Solver
from paddock.trace.path import Activation, Path, Visit
from tests.busy import time_ends_at_look

ALGORITHMS = [name for name in REFINEMENTS if name != "none"]

# `s` is what the assertions are about, `t` says when it changes; the others are noise.
LOCKS = """
var s, t, noise: int;
var log: [int]int;
procedure Acquire() modifies s, log; { assert s == 0; s := 1; log[noise] := s; }
procedure Release() modifies s, log; { assert s == 1; s := 0; log[noise] := s; }
procedure main()
  modifies s, t, noise, log;
{
  s, t, noise := 0, 0, 0;
  while (*)
  {
    noise := noise + 1;
    if (t == 0) { call Acquire(); t := 1; } else { call Release(); t := 0; }
  }
}
"""
BROKEN = LOCKS.replace("t := 0; }", "t := 2; }")


def checked(text: str, **options: object) -> Result:
    """The result without facts, which would make many of these programs too easy."""
    return paddock.check(paddock.load(text), Options.of(timeout=600, facts=False, **options))  # type: ignore[arg-type]


@pytest.mark.parametrize("refine", ALGORITHMS)
def test_only_what_matters_is_tracked(refine: str) -> None:
    result = checked(LOCKS, refine=refine, recursion_bound=4)
    assert (result.verdict, result.stats["tracked"], result.stats["globals"]) == (Verdict.BOUNDED, 2, 4)
    assert result.stats["iterations"] in (2, 3)
    assert result.stats["checks"] > 0
    assert result.stats["refine_s"] > 0
    assert result.stats["search_s"] > 0
    # Each search has a row, and together they are what is counted.
    rows = result.refinement
    assert [row.tracked for row in rows] == sorted({row.tracked for row in rows})
    assert (rows[0].tracked, rows[-1].tracked, len(rows)) == (0, 2, result.stats["iterations"])
    assert sum(row.instances for row in rows) == result.stats["instances"]
    assert sum(row.queries for row in rows) == result.stats["queries"]
    assert result_from(result_json(result)).refinement == tuple(replace(row, cpu_s=round(row.cpu_s, 3)) for row in rows)


@pytest.mark.parametrize("refine", ALGORITHMS)
def test_a_bug_has_a_trace_of_the_program_with_all_its_variables(refine: str) -> None:
    result = checked(BROKEN, refine=refine, recursion_bound=4)
    assert (result.verdict, result.stats["tracked"]) == (Verdict.BUG, 2)
    assert any("noise" in step.values for step in result.trace)
    assert result.trace[-1].text == "assertion fails: s == 1"


def test_nothing_is_tracked_where_no_global_matters() -> None:
    for condition, tracked in (("x <= x", 0), ("g == x", 1)):
        text = f"var g: int; procedure main(x: int) modifies g; {{ g := x; assert {condition}; }}"
        result = checked(text, refine="alg2")
        assert (result.verdict, result.stats["tracked"]) == (Verdict.PROVED, tracked)
        assert result.stats["iterations"] == 1 + tracked


def test_a_program_without_globals_is_searched_as_it_is() -> None:
    result = checked("procedure main(x: int) { assert x > 0; }", refine="alg2")
    assert (result.verdict, result.stats["globals"], result.stats["iterations"]) == (Verdict.BUG, 0, 1)


def test_refinement_starts_with_what_is_named_or_marked() -> None:
    named = checked(LOCKS, refine="alg2", recursion_bound=4, track=("s", "t"))
    assert (named.stats["tracked"], named.stats["iterations"]) == (2, 1)
    marked = checked(LOCKS.replace("var s, t, noise", "var {:track} s, t: int; var noise"), refine="alg2")
    assert (marked.stats["tracked"], marked.stats["iterations"]) == (2, 1)
    more = checked(LOCKS, refine="alg2", recursion_bound=4, track=("noise",))
    assert (more.verdict, more.stats["tracked"]) == (Verdict.BOUNDED, 3)


def test_every_assertion_gets_its_verdict() -> None:
    text = LOCKS.replace("while", "assert s == 0; while").replace(
        "noise := noise + 1;", "noise := noise + 1; assert log[0] == 7;"
    )
    options = {"all_assertions": True, "recursion_bound": 5}
    expected = checked(text, **options)
    assert {a.verdict for a in expected.assertions} == {Verdict.BUG, Verdict.PROVED, Verdict.BOUNDED}
    for refine in ALGORITHMS:
        found = checked(text, refine=refine, **options)
        assert [(a.id, a.verdict) for a in found.assertions] == [(a.id, a.verdict) for a in expected.assertions]
        assert all(bool(a.trace) == (a.verdict is Verdict.BUG) for a in found.assertions)


@pytest.mark.parametrize("refine", ALGORITHMS)
@pytest.mark.parametrize("engine", ["dag", "stratified", "eager"])
def test_a_proof_is_not_lost_where_a_bound_cuts_off_what_is_not_tracked(engine: str, refine: str) -> None:
    # With `n` alone the loop can go on for ever, and behind the bound the assertion might fail.
    text = """
    var i, n: int;
    procedure main() modifies i, n; { i, n := 0, 0; while (i < 2) { i, n := i + 1, n + 1; } assert n <= 20; }
    """
    options = {"engine": engine, "recursion_bound": 5, "constant_loops": False}
    assert checked(text, **options).verdict is Verdict.PROVED
    assert checked(text, refine=refine, track=("n",), **options).verdict is Verdict.PROVED


def test_a_loop_that_must_be_cut_off_is_bounded() -> None:
    text = """
    var i, n: int;
    procedure main() modifies i, n; { n := 0; while (i < 9) { i, n := i + 1, n + 1; } assert n <= 20; }
    """
    result = checked(text, refine="alg2", recursion_bound=3, constant_loops=False)
    assert result.verdict is Verdict.BOUNDED
    assert result.reason == "cut off: the loop at <text>:3:47"


def test_a_bound_that_was_completed_is_not_searched_again() -> None:
    searched: list[tuple[int, int]] = []

    def watch(statistics: Statistics) -> None:
        searched.append((len(statistics.refinement), statistics.bound))

    # Up to three iterations all is well even if `g` is anything; then it matters.
    text = """
    var g: int;
    procedure main() modifies g; { var i: int; g, i := 0, 0; while (*) { i := i + 1; if (i > 3) { assert g == 0; } } }
    """
    program = paddock.load(text)
    ready = pipeline.made_ready(program, Options())
    with Z3Solver() as solver:
        question = Question(recursion_bound=6, loop_bound=6, facts=False)
        outcome, statistics = refined_search(
            ready.original,
            ready.prepared,
            question,
            solver,
            Budget(report=watch),
            Findings(),
            BY_NAME["alg2"],
            (),
        )
    assert (outcome.verdict, outcome.bound, len(statistics.refinement)) == (Verdict.BOUNDED, 6, 2)
    first, second = ({bound for n, bound in searched if n == k and bound} for k in (1, 2))
    assert first == {1, 2, 3, 4}
    assert min(second) == max(first)


def test_the_calls_of_check_and_the_searches_add_up() -> None:
    paths: list[SpuriousPath] = []

    def recording(spurious: SpuriousPath) -> Refined:
        paths.append(spurious)
        return replace(BY_NAME["alg2"](spurious), checks=100)

    program = paddock.load(LOCKS)
    ready = pipeline.made_ready(program, Options())
    with Z3Solver() as solver:
        arguments = (ready.original, ready.prepared, Question(recursion_bound=3, facts=False), solver, Budget())
        _, statistics = refined_search(*arguments, Findings(), recording, ())
    assert statistics.checks == 100 * len(paths)
    assert len(statistics.refinement) == len(paths) + 1
    # Only what a path reads is asked about, and what is tracked already never again.
    assert "log" not in {v.name for v in paths[0].undecided}
    assert all(not set(path.tracked) & set(path.undecided) for path in paths)


def test_quantifiers() -> None:
    text = """
    function f(x: int): int;
    axiom (forall x: int :: {{ f(x) }} f(x) >= 0);
    var g, h: int;
    procedure main() modifies g, h; {{ g := f(h); h := f(g); assert h > {}; }}
    """
    for bound, verdict in ((-1, Verdict.PROVED), (7, Verdict.BUG)):
        for refine in ("none", *ALGORITHMS):
            assert checked(text.format(bound), refine=refine).verdict is verdict


def test_the_time_limit_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    levels = "".join(
        f"procedure P{n}() modifies g, h; {{ if (*) {{ g := g + h; }} call P{n + 1}(); call P{n + 1}(); }}\n"
        for n in range(30)
    )
    text = f"""var g, h: int; {levels}
    procedure P30() modifies g, h; {{ if (*) {{ h := h + g; }} else {{ g := g - 2 * h; }} }}
    procedure main() modifies g, h; {{ g, h := 3, 5; call P0(); assert 2 * g + 3 * h != 123457; }}"""
    time_ends_at_look(monkeypatch, 20)
    result = paddock.check(paddock.load(text), Options.of(refine="alg2", timeout=600, engine="stratified"))
    assert (result.verdict, result.reason) == (Verdict.UNKNOWN, "time limit")
    assert result.stats["iterations"] >= 1


def test_every_query_is_written_down(tmp_path: File) -> None:
    result = checked(LOCKS, refine="alg2", recursion_bound=2, dump_smt=str(tmp_path))
    names = sorted(file.name for file in tmp_path.iterdir())
    assert names == [f"query-{n:05}.smt2" for n in range(1, len(names) + 1)]
    assert len(names) >= result.stats["queries"] + result.stats["checks"]


@pytest.mark.parametrize("solver", ["cvc5"])
def test_other_solvers(solver: str) -> None:
    pytest.importorskip(solver)
    for text, verdict in ((LOCKS, Verdict.BOUNDED), (BROKEN, Verdict.BUG)):
        for refine in ("alg2", "core"):
            assert checked(text, refine=refine, recursion_bound=3, solver=solver, typestates=False).verdict is verdict


def test_deep_recursion() -> None:
    text = """
    var g, h: int;
    procedure P(n: int) modifies g, h; { h := h + g; if (n > 0) { g := g + 1; call P(n - 1); } }
    procedure main() modifies g, h; { g := 0; call P(400); assert g < 400; }
    """
    result = checked(text, refine="alg2", recursion_bound=500, engine="eager")
    assert (result.verdict, result.stats["iterations"]) == (Verdict.BUG, 1)


# --- a judge that cannot decide --------------------------------------------------------------------


def test_where_no_path_can_be_decided_everything_is_tracked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("paddock.engines.refinement.loop.looked_at", lambda *_: None)
    for text, verdict in ((LOCKS, Verdict.BOUNDED), (BROKEN, Verdict.BUG)):
        result = checked(text, refine="alg2", recursion_bound=4)
        assert result.verdict is verdict
        assert result.stats["tracked"] >= 3  # nothing reads `log`


# --- paths -----------------------------------------------------------------------------------------


def path_through(program: Program) -> Path:
    """`main` goes through both of its blocks and follows its second call only."""
    inner = Activation("P", [Visit("start")])
    second = next(b for b in program.procedure_named["main"].implementations[0].blocks if b.label == "second")
    calls = [k for k, s in enumerate(second.statements) if type(s).__name__ == "Call"]
    return Path(Activation("main", [Visit("start"), Visit("second", calls={calls[1]: inner})]), {})


CALLS = """
procedure P(); implementation P() {{ start: goto left, right; left: return; right: return; }}
procedure Q(); procedure Unused();
procedure main();
implementation main()
{{
  start: goto second, third;
  second: {}
  third: call Unused(); return;
}}
"""


def test_a_path_is_found_again_in_a_program_with_other_statements() -> None:
    before = paddock.load(CALLS.format("call Q(); call P(); goto third;"))
    after = paddock.load(CALLS.format("assume true; call Q(); assume true; assume true; call P(); goto third;"))
    moved = lifted(path_through(before), before, after)
    assert [v.label for v in moved.root.visits] == ["start", "second"]
    assert list(moved.root.visits[1].calls) == [4]
    assert moved == path_through(after)


def test_the_footprint_of_a_path() -> None:
    program = paddock.load(CALLS.format("call Q(); call P(); goto third;"))
    left = footprint(program, path_through(program))
    assert {p.name: [b.label for i in p.implementations for b in i.blocks] for p in left.procedures} == {
        "P": ["start"],
        "main": ["start", "second"],
        "Q": [],
    }


def test_the_report_says_what_is_tracked() -> None:
    result = checked(LOCKS, refine="alg2", recursion_bound=4, track=("s", "t"))
    assert "2 of 4 globals tracked after 1 iteration, " in result_text(result)
    assert "globals" not in result_text(checked(LOCKS, recursion_bound=4))


# --- assertions that are turned off ----------------------------------------------------------------

SWITCHED = """
var g: int;
procedure P(x: int); requires g > x;
procedure main() modifies g; { assert g > 0; call P(g); assert g > 0; }
"""


def test_the_condition_of_a_switched_assertion_is_a_value() -> None:
    program = as_reachability(switch_assertions(check_specs(paddock.load(SWITCHED))), "assertion")
    named = with_named_conditions(program)
    check_valid(named)
    text = paddock.program_text(named)
    assert "    ok := g > 0;\n    assume ok || check_main;\n    err := !ok;\n" in text
    assert "    ok#1 := g > g;\n    assume ok#1 || check_main#1;\n    err := !ok#1;\n" in text
    assert "    ok#2 := g > 0;\n    assume ok#2 || check_main#2;\n    err := !ok#2;\n" in text
    assert "assume ok || check_main;" in paddock.program_text(abstracted(named, ()))


def test_without_an_error_bit_both_branches_are_about_the_value() -> None:
    program = failing_returns(switch_assertions(check_specs(paddock.load(SWITCHED))))
    text = paddock.program_text(with_named_conditions(program))
    assert text.count("assume !(g > 0)") == text.count("assume g > 0") == 0
    assert "assume !ok;" in text
    assert "assume ok;" in text


def test_programs_without_switches_stay() -> None:
    program = as_reachability(check_specs(paddock.load(SWITCHED)), "assertion")
    assert with_named_conditions(program) == program


def test_an_assertion_that_is_turned_off_does_not_fail_however_little_is_tracked() -> None:
    # The first assertion fails; with nothing tracked the others would too, unless the first is known to hold.
    text = "var g: int; procedure main() { assert g > 0; assert g > 0; assert g > -1; }"
    for refine in ALGORITHMS:
        result = checked(text, refine=refine, all_assertions=True, track=("g",))
        assert [a.verdict for a in result.assertions] == [Verdict.BUG, Verdict.PROVED, Verdict.PROVED]


def test_what_is_likely_to_be_needed_is_looked_at_last(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the globals on a path, those in its conditions and assertions; `noise` and `log` are only assigned."""
    seen: list[list[str]] = []
    alg2 = BY_NAME["alg2"]

    def refine(spurious: SpuriousPath) -> Refined:
        seen.append([v.name for v in spurious.undecided])
        return alg2(spurious)

    monkeypatch.setitem(cast(dict[str, Refine], BY_NAME), "alg2", refine)
    checked(LOCKS.replace("var s, t, noise", "var t, s, noise"), refine="alg2", recursion_bound=3)
    assert seen[0] == ["noise", "t", "s"]
