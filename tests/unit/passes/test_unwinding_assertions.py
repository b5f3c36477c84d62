from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from paddock import pipeline
from paddock.ir.program import Program
from paddock.options import Options
from paddock.passes.unwinding_assertions import unwinding_assertions
from tests.unit.passes.transforming import check_becomes, transformed

at_most_two = partial(unwinding_assertions, iterations=2)


def test_a_loop_counts_its_iterations() -> None:
    check_becomes(
        at_most_two,
        """
        procedure P(x: int) returns (y: int);
        implementation P(x: int) returns (y: int)
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
        implementation P(x: int) returns (y: int)
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
        procedure P()
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
    program: Program = transformed(at_most_two, "procedure P() { return; }")
    assert program == unwinding_assertions(program, 5)


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
    result = pipeline.check_files([str(file)], Options(unwind=unwind, unwinding_assertions=True, engine=engine))
    assert result.verdict == verdict
    kinds = [a.kind for a in result.assertions]
    assert sorted(kinds) == ["assert", "unwinding"]
    if verdict == "bug":
        assert f"completes more than {unwind} iterations" in result.trace[-1].text
