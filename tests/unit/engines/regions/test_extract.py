"""A region as a program of its own."""

from __future__ import annotations

import paddock
from paddock.engines.regions.extract import assuming_known, extracted, with_judged
from paddock.engines.regions.tree import Hierarchy, made_regional
from paddock.passes.registry import run_passes

PROGRAM = """
var g: int;
var unused: int;
procedure main(n: int) returns (r: int)
  requires n > 0;
  modifies g;
  ensures g > old(g);
{
  var i: int where i >= 0;
  while (i < n) {
    i := i + 1;
    if (i == 7) { break; }
    assert g >= old(g);
    call Step(i);
  }
}
procedure Step(k: int)
  requires k > 0;
  modifies g;
{
  g := g + k;
}
"""


def hierarchy(text: str = PROGRAM) -> Hierarchy:
    program = run_passes(paddock.load(text), ["merge-implementations", "check-specs", "prune"])
    return Hierarchy(made_regional(program))


def test_a_loop() -> None:
    h = hierarchy()
    text = paddock.program_text(extracted(h.program, h.regions["main:10"]))
    head, _, body = text.partition("implementation {:entrypoint} main_region_anon0_LoopHead()\n")
    assert "var unused" not in head and "procedure main(" not in head and "procedure Step(" in head
    assert (
        body
        == """\
{
  var n: int;
  var i: int;
  var old_g: int;

  region:
    goto anon0_LoopHead;

  anon0_LoopHead:
    goto anon1_LoopBody;

  anon1_LoopBody:
    assume {:partition} i < n;
    i := i + 1;
    goto anon5_Else;

  anon5_Else:
    assume {:partition} !(i == 7);
    goto anon6;

  anon6:
    assert g >= old_g;
    assert i > 0;
    call Step(i);
    return;
}
"""
    )


def test_a_region_can_be_read_again() -> None:
    h = hierarchy()
    for region in h.regions.values():
        program = extracted(h.program, region)
        again = paddock.load(paddock.program_text(program))
        assert paddock.program_text(again) == paddock.program_text(program)


def test_a_procedure_starts_with_what_it_requires() -> None:
    h = hierarchy()
    program = extracted(h.program, h.regions["Step"])
    assert [p.name for p in program.procedures] == ["Step"]
    assert paddock.check(program).verdict == "proved"


def test_assertions_are_named_assumed_or_left_out() -> None:
    h = hierarchy()
    (first, second) = h.assertions["main:10"]
    text = paddock.program_text(with_judged(h.program, {first: "7"}, assume_others=True))
    assert 'assert {:id "7"} g >= old(g);' in text and "assume i > 0;" in text
    text = paddock.program_text(with_judged(h.program, {second: "8"}, assume_others=False))
    assert 'assert {:id "8"} i > 0;' in text and "g >= old(g);" not in text
    assert "assume g >= old(g);" in paddock.program_text(assuming_known(h.program, [first]))
    assert assuming_known(h.program, []) is h.program
