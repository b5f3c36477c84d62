from __future__ import annotations

import pytest

from paddock.ir.origin import InputError
from paddock.passes.abstract_globals import AbstractGlobals
from paddock.passes.check_specs import CheckSpecs
from paddock.passes.extract_loops import ExtractLoops
from paddock.passes.plan import Plan
from paddock.passes.registry import PASSES, plan_of, run_passes
from paddock.passes.unwinding_assertions import UnwindingAssertions
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
    transformed(PASSES[name](), PROGRAM)


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
    assert both == ExtractLoops()(CheckSpecs()(before))
    assert run_passes(before, []) is before
    assert run_passes(before, ["lower"]) is before


def test_an_unknown_pass() -> None:
    with pytest.raises(InputError, match="did you mean `extract-loops`"):
        run_passes(program(PROGRAM), ["extract_loop"])
    with pytest.raises(InputError, match="the passes are: abstract-globals, "):
        run_passes(program(PROGRAM), ["xyz"])


def test_passes_have_options() -> None:
    named = plan_of(
        ["abstract-globals:track=x+y", "unwinding-assertions:iterations=3:activations=4", "check-specs:alone"]
    )
    assert named == Plan(
        (AbstractGlobals(("x", "y")), UnwindingAssertions(iterations=3, activations=4), CheckSpecs(alone=True))
    )
    assert plan_of(["check-specs:alone=no"]) == Plan((CheckSpecs(),))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("prune:deep=1", "the pass prune has no option 'deep'.*it has none"),
        ("abstract-globals:tracked=x", "the pass abstract-globals has no option 'tracked'.*its options are: track"),
        (
            "unwinding-assertions:iterations=many",
            "the option iterations of the pass unwinding-assertions cannot be 'many'",
        ),
        ("unwinding-assertions:iterations=", "the option iterations of the pass unwinding-assertions cannot be ''"),
        ("check-specs:alone=maybe", "the option alone of the pass check-specs cannot be 'maybe'"),
    ],
)
def test_options_that_make_no_sense(text: str, message: str) -> None:
    with pytest.raises(InputError, match=f"(?s){message}"):
        plan_of([text])


def test_the_stages_of_a_plan() -> None:
    plan = Plan((CheckSpecs(), ExtractLoops()))
    before = program(PROGRAM)
    assert [(step.name, len(after.procedures)) for step, after in plan.stages(before)] == [
        ("check-specs", 2),
        ("extract-loops", 3),
    ]
