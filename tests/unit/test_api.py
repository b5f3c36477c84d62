"""The Python door beyond its own examples."""

from __future__ import annotations

from pathlib import Path

import paddock
from paddock.engines.inlining.engines import Dag
from paddock.engines.inlining.graph import Edge, InliningGraph, Node, Strategy
from paddock.engines.inlining.merging import MergeTask

CALLS = """
var g: int;
procedure main(b: bool) modifies g; { g := 0; if (b) { call P(); } else { call P(); } assert g == 1; }
procedure P() modifies g; { g := g + 1; }
"""


def test_several_files_are_one_program(tmp_path: Path) -> None:
    one, other = tmp_path / "one.bpl", tmp_path / "other.bpl"
    one.write_text("procedure main() { call P(); }")
    other.write_text("procedure P() { assert false; }")
    assert paddock.check(paddock.load(one, str(other))).verdict is paddock.Verdict.BUG


def test_warnings_stay_with_the_program() -> None:
    program = paddock.load("procedure main() { var x: int; assert {:selective_checking} x == x; }")
    assert len(program.warnings) == 1
    assert "selective_checking" in paddock.check(program).warnings[0]


class Never:
    """A merging strategy of a user's own."""

    shares = True
    asked = 0

    def start(self, task: MergeTask) -> Strategy:
        def strategy(graph: InliningGraph, edge: Edge) -> Node | None:
            self.asked += 1
            return None

        return strategy


def test_a_merging_strategy_of_ones_own() -> None:
    never = Never()
    options = paddock.Options.of(engine=Dag(merge=never), facts=False, deep_asserts=False)
    usual = paddock.check(paddock.load(CALLS), paddock.Options.of(facts=False, deep_asserts=False))
    own = paddock.check(paddock.load(CALLS), options)
    assert usual.verdict is own.verdict is paddock.Verdict.PROVED
    assert never.asked
    assert own.stats["instances"] > usual.stats["instances"]


def test_facts_is_a_pass() -> None:
    assert "assume" in paddock.program_text(paddock.passes.facts(paddock.load(CALLS)))
