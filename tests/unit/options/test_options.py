"""Options are valid once they exist."""

from __future__ import annotations

import pytest

from paddock.engines.inlining.engines import ENGINES, Dag, Eager
from paddock.engines.inlining.merging import MERGES, MaxC
from paddock.frontends.c import types
from paddock.frontends.c.flags import STANDARDS
from paddock.frontends.c.lowering import settings as lower_settings
from paddock.ir.origin import InputError
from paddock.ir.spelling import did_you_mean
from paddock.options import Options, settings
from paddock.options.groups import CHECKS, DATA_MODELS, INTEGERS, MISSING_BODIES, UNSUPPORTED


def test_the_defaults_are_those_of_the_design() -> None:
    options = Options()
    assert (options.search.engine, options.search.search_engine.name, options.search.merge) == ("auto", "dag", "first")
    assert (options.bounds.recursion_bound, options.smt.solver) == (8, "auto")
    assert options.task.entry is options.bounds.unwind is options.task.goal is options.limits.timeout is None


def test_a_loop_bound_is_one_more_than_its_iterations() -> None:
    assert Options.of(recursion_bound=5).bounds.loop_bound == 5
    assert Options.of(recursion_bound=5, unwind=0).bounds.loop_bound == 1
    assert Options.of(recursion_bound=5, unwind=20).bounds.loop_bound == 21


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"recursion_bound": 0}, "--recursion-bound must be at least 1, not 0"),
        ({"recursion_bound": -3}, "--recursion-bound must be at least 1, not -3"),
        (
            {"independent": True},
            "--independent is about the verdicts of single assertions: say --all-assertions, too",
        ),
        (
            {"independent": True, "all_assertions": True, "harness": "h.c"},
            "--harness stops at the first assertion that fails, but --independent goes on behind it",
        ),
        ({"traces": 0}, "--tune traces must be at least 1, not 0"),
        ({"traces": 2, "choose": "core"}, "--tune traces=2 makes no sense: --tune choose=core asks for no trace"),
        ({"choose": "path"}, "--tune choose=path is unknown: choose from trace, core, both"),
        ({"unwind": -1}, "--unwind must be at least 0, not -1"),
        ({"timeout": 0.0}, "--timeout must be a number of seconds above 0, not 0"),
        ({"timeout": -2.5}, "--timeout must be a number of seconds above 0, not -2.5"),
        ({"timeout": float("nan")}, "--timeout must be a number of seconds above 0, not nan"),
        ({"timeout": float("inf")}, "--timeout must be a number of seconds above 0, not inf"),
        ({"memory": 0}, "--memory must be at least 1 megabyte, not 0"),
        ({"houdini_timeout": 0.0}, "--tune houdini-timeout must be a number of seconds above 0, not 0"),
        ({"candidates": "c.bpl"}, "--candidates is for summaries, which only --houdini infers"),
        ({"jobs": 0}, "--jobs must be at least 1, not 0"),
        ({"gamble_timeout": 0.0}, "--tune gamble-timeout must be a number of seconds above 0, not 0"),
        (
            {"gamble_facts": ("keep",)},
            "--tune gamble-facts=keep is unknown: choose from where, ranges, kept, proved, houdini",
        ),
        ({"backend": "boogie"}, "--backend boogie is for regions, which only --gamble tries"),
        ({"backend": " "}, "--backend must name a verifier or a command"),
        ({"executor": "rai", "gamble": True}, "--executor rai is unknown: choose from local, ray"),
        ({"executor": "ray"}, "--executor ray is for tasks: with --gamble, or --jobs 2 and more"),
        ({"ray_address": "auto"}, "--tune ray-address is for --executor ray"),
        ({"seed": -1}, "--tune seed must be at least 0, not -1"),
        ({"solver": " "}, "--solver must name a solver or a command"),
        ({"all_assertions": True, "goal": "return"}, "--all-assertions asks about assertions"),
        ({"entry": ""}, "--entry must name a procedure"),
        ({"engine": "daag"}, "--engine daag is unknown"),
        ({"merge": "best"}, "--merge best is unknown: choose from first, maxc, random, randompick, opt, tree"),
        ({"data_model": "llp64"}, "--data-model llp64 is unknown: choose from lp64, ilp32"),
        ({"checks": ("assert", "overflo")}, "--checks overflo is unknown: choose from assert, unreach"),
        ({"integers": "real"}, "--tune integers=real is unknown: choose from bits, math"),
        ({"goal": "termination"}, "--goal termination is unknown: choose from assertion, return"),
    ],
)
def test_values_that_make_no_sense_are_refused(wrong: dict[str, object], message: str) -> None:
    with pytest.raises(InputError) as caught:
        Options.of(**wrong)  # type: ignore[arg-type]
    assert message in str(caught.value)


def test_the_choices_of_c_are_those_of_its_front_end() -> None:
    assert set(CHECKS) == {*lower_settings.CHECKS, "all"}
    assert set(DATA_MODELS) == set(types.DATA_MODELS)
    assert (INTEGERS, MISSING_BODIES, UNSUPPORTED) == (
        lower_settings.INTEGERS,
        lower_settings.MISSING_BODIES,
        lower_settings.UNSUPPORTED,
    )
    assert Options().c.std in STANDARDS


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"recursion_bound": "3"}, "--recursion-bound must be a whole number, not '3'"),
        ({"recursion_bound": 2.5}, "--recursion-bound must be a whole number, not 2.5"),
        ({"recursion_bound": None}, "--recursion-bound must be a whole number, not None"),
        ({"recursion_bound": True}, "--recursion-bound must be a whole number, not True"),
        ({"unwind": "many"}, "--unwind must be a whole number, not 'many'"),
        ({"timeout": "60"}, "--timeout must be a number, not '60'"),
        ({"engine": 5}, "--engine must be a text, not 5"),
        ({"solver": None}, "--solver must be a text, not None"),
        ({"all_assertions": 1}, "--all-assertions must be True or False, not 1"),
        ({"track": "g"}, "--tune track must be a tuple of texts, not 'g'"),
        ({"track": ("g", 1)}, "--tune track must be a tuple of texts, not ('g', 1)"),
    ],
)
def test_values_of_the_wrong_type_are_refused(wrong: dict[str, object], message: str) -> None:
    with pytest.raises(InputError) as caught:
        Options.of(**wrong)  # type: ignore[arg-type]
    assert str(caught.value) == f"error: {message}"


def test_a_whole_number_is_a_number() -> None:
    assert Options.of(timeout=60).limits.timeout == 60


def test_all_that_is_wrong_is_said_at_once() -> None:
    with pytest.raises(InputError) as caught:
        Options.of(recursion_bound=0, jobs=0)
    assert len(caught.value.diagnostics) == 2


def test_what_to_inline_next_depends_on_the_program() -> None:
    assert Options().choice("assertion", suits="core") == "core"
    assert Options.of(traces=2).choice("assertion", suits="core") != "core"  # which asks for no trace


def test_two_traces_at_a_time_where_they_alone_say_what_to_inline() -> None:
    assert Options().traces_at_a_time("return", suits=None) == 2
    assert Options().traces_at_a_time("return", suits="core") == 1
    assert Options().traces_at_a_time("assertion", suits=None) == 1
    assert Options.of(choose="trace", traces=1).traces_at_a_time("assertion", suits=None) == 1
    assert Options().choice("assertion", suits=None) == "both"
    assert Options.of(deep_asserts=False).choice("assertion", suits=None) == "trace"
    assert Options.of(choose="trace").choice("assertion", suits="core") == "trace"


def test_a_misspelt_value_gets_a_suggestion() -> None:
    with pytest.raises(InputError, match="did you mean stratified"):
        Options.of(engine="stratfied")


def test_all_engines_and_merging_strategies_are_accepted() -> None:
    for engine in ENGINES:
        for merge in MERGES:
            Options.of(
                engine=engine, merge=merge, goal="return", unwind=0, timeout=0.5, memory=9, jobs=1, solver="z3 -in"
            )


def test_engines_and_merging_strategies_may_be_objects() -> None:
    assert Options.of(merge="maxc").search_engine == Options.of(merge=MaxC()).search_engine == Dag(merge=MaxC())
    assert Options.of(engine="eager", merge="maxc").search_engine == Options.of(engine=Eager()).search_engine == Eager()


def test_did_you_mean() -> None:
    assert did_you_mean("prnue", ["prune", "lower"]) == "did you mean prune?"
    assert did_you_mean("xyz", ["prune", "lower"]) == ""


def test_defaults_are_values_that_options_take() -> None:
    """They are not looked at again when options are made."""
    for setting in settings().values():
        assert setting.type_problem(setting.default) is None
        assert setting.problem(setting.default) is None
