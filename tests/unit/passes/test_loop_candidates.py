from __future__ import annotations

from paddock.ir.program import Program
from paddock.passes.candidates import offered
from paddock.passes.extract_loops import extract_loops
from paddock.passes.loop_candidates import initial_values, loop_candidates
from tests.unit.passes.transforming import program, transformed

LOOP = """
const {:existential true} b: bool;
const {:existential true} c: bool;
var g: int;
procedure main(n: int)
  modifies g;
{
  var i: int;
  i := 0;
  while (i < n)
    invariant b ==> i <= n;
    invariant g >= 0;
    invariant c ==> i <= g;
  {
    i := i + 1;
    assert b ==> i > 0;
  }
}
"""


def extracted(text: str) -> Program:
    return transformed(lambda p: loop_candidates(extract_loops(offered(p))), text)


def test_invariants_of_loops_are_contracts_of_loop_procedures() -> None:
    after = extracted(LOOP)
    loop = next(p for p in after.procedures if p.name != "main")
    assert [str(c.condition) for c in loop.requires] == ["b ==> in_i <= n", "c ==> in_i <= g"]
    assert [str(c.condition) for c in loop.ensures] == ["b ==> i <= n", "c ==> i <= g"]
    assert all(c.free for c in (*loop.requires, *loop.ensures))
    assert {k.name: v.name for k, v in initial_values(loop).items()} == {"i": "in_i"}
    assert not after.procedure_named["main"].ensures


def test_loops_without_candidates_stay_as_they_are() -> None:
    plain = extract_loops(program("procedure main() { while (*) invariant true; { } }"))
    assert loop_candidates(plain) is plain
    assert initial_values(plain.procedure_named["main"]) == {}
