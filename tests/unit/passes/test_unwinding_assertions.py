from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from paddock.driver import pipeline
from paddock.ir.program import Program
from paddock.options import Options
from paddock.passes.unwinding_assertions import unwinding_assertions
from tests.unit.passes.transforming import check_becomes, transformed

at_most_two = partial(unwinding_assertions, iterations=2, activations=3)


def test_a_loop_counts_its_iterations() -> None:
    check_becomes(
        at_most_two,
        """
        procedure P(x: int) returns (y: int);
        implementation {:entrypoint} P(x: int) returns (y: int)
        {
          start: y := x; goto head;
          head:  goto body, end;
          body:  y := y - 1; goto head, body2;
          body2: goto head;
          end:   return;
        }
        """,
        """
        procedure P(x: int) returns (y: int);
        implementation {:entrypoint} P(x: int) returns (y: int)
        {
          var iterations: int;
          start:      y := x; goto head_enter;
          head_enter: iterations := 0; goto head;
          head_again: assert {:kind "unwinding"}
                        {:msg "the loop at test.bpl:6:11 completes more than 2 iterations"} iterations < 2;
                      iterations := iterations + 1; goto head;
          head:       goto body, end;
          body:       y := y - 1; goto head_again, body2;
          body2:      goto head_again;
          end:        return;
        }
        """,
    )


def test_a_body_may_start_with_a_loop_and_loops_may_nest() -> None:
    text = """
        var iterations: int;
        procedure {:entrypoint} P()
        {
          outer: goto inner;
          inner: goto inner, outer, end;
          end:   return;
        }
        """
    after = transformed(at_most_two, text)
    body = after.procedures[0].body
    assert body is not None
    assert body.blocks[0].label == "outer_enter"
    assert [d.name for d in body.locals] == ["iterations#1", "iterations#2"]


def test_a_program_without_loops_stays_as_it_is() -> None:
    program: Program = transformed(at_most_two, "procedure main() { return; }")
    assert program == unwinding_assertions(program, 5, 5)


@pytest.mark.parametrize(("unwind", "verdict"), [(0, "bug"), (2, "bug"), (3, "proved"), (9, "proved")])
@pytest.mark.parametrize("engine", ["dag", "stratified", "eager"])
def test_a_loop_that_is_cut_off_is_a_violation(unwind: int, verdict: str, engine: str, tmp_path: Path) -> None:
    file = tmp_path / "loop.bpl"
    file.write_text(
        """
        procedure main(n: int)
        {
          var i: int;
          assume n <= 3;
          i := 0;
          while (i < n) { i := i + 1; }
          assert i <= 3;
        }
        """
    )
    result = pipeline.check_files([str(file)], Options.of(unwind=unwind, unwinding_assertions=True, engine=engine))
    assert result.verdict == verdict
    kinds = [a.kind for a in result.assertions]
    assert sorted(kinds) == ["assert", "unwinding"]
    if verdict == "bug":
        assert f"completes more than {unwind} iterations" in result.trace[-1].text


def test_recursive_calls_count_activations() -> None:
    check_becomes(
        at_most_two,
        """
        procedure main();
        implementation main()
        {
          start: call P(5); return;
        }
        procedure P(n: int);
        implementation P(n: int)
        {
          start: call Q(); call P(n - 1); return;
        }
        procedure Q();
        implementation Q()
        {
          start: return;
        }
        """,
        """
        var activations.P: int;
        procedure main();
          modifies activations.P;
        implementation main()
        {
          start: activations.P := 1; call P(5); return;
        }
        procedure P(n: int);
          modifies activations.P;
        implementation P(n: int)
        {
          var outer: int;
          start: call Q();
                 assert {:kind "unwinding"}
                   {:msg "the recursive call of P at test.bpl:10:28 makes more than 3 activations"} activations.P < 3;
                 outer := activations.P;
                 activations.P := outer + 1;
                 call P(n - 1);
                 activations.P := outer;
                 return;
        }
        procedure Q();
        implementation Q()
        {
          start: return;
        }
        """,
    )


FACTORIAL = """
    procedure main() { var f: int; call f := Factorial(4); assert f == 24; }
    procedure Factorial(n: int) returns (f: int)
    {
      if (n <= 1) { f := 1; } else { call f := Factorial(n - 1); f := n * f; }
    }
"""
EVEN = """
    procedure {:entrypoint} Even(n: int) returns (r: bool)
    requires n == 6;
    {
      call r := IsEven(n);
      assert r;
    }
    procedure IsEven(n: int) returns (r: bool) { if (n == 0) { r := true; } else { call r := IsOdd(n - 1); } }
    procedure IsOdd(n: int) returns (r: bool) { if (n == 0) { r := false; } else { call r := IsEven(n - 1); } }
"""
ENDLESS = "procedure main() { call main(); }"
TREE = """
    procedure main(n: int) { assume n <= 3; call Tree(n); call Tree(2); }
    procedure Tree(n: int) { if (n > 1) { call Tree(n - 1); call Tree(n - 1); } }
"""
IN_A_LOOP = """
    procedure main() { var i: int; i := 0; while (i < 2) { call Down(3); i := i + 1; } }
    procedure Down(n: int) { if (n > 1) { call Down(n - 1); } }
"""


@pytest.mark.parametrize(
    ("text", "needed"),
    [(FACTORIAL, 4), (EVEN, 4), (ENDLESS, None), (TREE, 3), (IN_A_LOOP, 3)],
    ids=["factorial", "even", "endless", "tree", "in a loop"],
)
@pytest.mark.parametrize("engine", ["dag", "stratified"])
def test_recursion_that_is_cut_off_is_a_violation(text: str, needed: int | None, engine: str, tmp_path: Path) -> None:
    file = tmp_path / "recursion.bpl"
    file.write_text(text)
    for bound in (3, 4) if needed is None else (needed - 1, needed):
        options = Options.of(recursion_bound=bound, unwind=3, unwinding_assertions=True, engine=engine)
        result = pipeline.check_files([str(file)], options)
        if needed is not None and bound >= needed:
            assert result.verdict == "proved"
        else:
            assert result.verdict == "bug"
            assert f"makes more than {bound} activations" in result.trace[-1].text
        assert result.entry == ("Even" if text == EVEN else "main")
