from __future__ import annotations

import pytest

from paddock.ir.origin import InputError
from paddock.passes.registry import PASSES, run_passes
from tests.unit.passes.transforming import program, transformed

PROGRAM = """
    var g: int where g > 0;
    procedure main(n: int) returns (r: int);
      requires n > 0;
      modifies g;
      ensures r >= n;
    implementation main(n: int) returns (r: int)
    {
      while (r < n) invariant g > 0; { r := r + 1; call Q(); }
    }
    procedure Q();
      modifies g;
      ensures g > old(g);
    implementation Q() { g := g + 1; }
    implementation Q() { var t: int where t > g; havoc t; g := t; }
"""


def test_names_and_summaries() -> None:
    assert all(name == p.name and p.summary for name, p in PASSES.items())
    assert set(PASSES) >= {"lower", "merge-implementations", "check-specs", "prune", "extract-loops", "error-bit"}


@pytest.mark.parametrize("name", PASSES)
def test_each_pass_alone_gives_a_valid_program(name: str) -> None:
    transformed(PASSES[name].apply, PROGRAM)


@pytest.mark.parametrize(
    "names",
    [
        ["merge-implementations", "check-specs", "extract-loops", "prune", "error-bit"],
        ["error-bit", "extract-loops", "merge-implementations", "prune"],
        ["extract-loops", "error-bit", "check-specs"],
        ["extract-loops", "check-specs", "merge-implementations", "error-bit", "extract-loops", "prune"],
    ],
)
def test_passes_compose(names: list[str]) -> None:
    transformed(lambda p: run_passes(p, names), PROGRAM)


def test_passes_run_in_the_order_given() -> None:
    before = program(PROGRAM)
    both = run_passes(before, ["check-specs", "extract-loops"])
    assert both == PASSES["extract-loops"].apply(PASSES["check-specs"].apply(before))
    assert run_passes(before, []) is before
    assert run_passes(before, ["lower"]) is before


def test_an_unknown_pass() -> None:
    with pytest.raises(InputError, match="did you mean `extract-loops`"):
        run_passes(program(PROGRAM), ["extract_loop"])
    with pytest.raises(InputError, match="the passes are: lower, "):
        run_passes(program(PROGRAM), ["xyz"])
