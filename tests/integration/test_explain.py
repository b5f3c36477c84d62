"""`--explain`: what a verdict rests on, which lines the search looked at, and the graphs of the page."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from paddock.cli.main import main
from paddock.report.details import Details, details_from, details_json
from paddock.report.drawing import as_tree, picture
from paddock.report.formats.check.json import json_object
from paddock.report.reading import UnreadableReport, result_from

PROOF = """axiom (forall x: int :: {g(x)} g(x) > 0);
function g(x: int): int;
procedure outside(x: int) returns (r: int);
  ensures r > x;
procedure inside(x: int) returns (r: int)
  free ensures r >= 0;
{
  r := g(x);
}
procedure unused() {
  assume false;
}
procedure main(n: int)
  requires n > 1;
{
  var i, k: int;
  assume n > 3;
  call k := outside(n);
  call i := inside(k);
  assert i >= 0 && k > 3;
  if (n < 0) {
    assume k != 7;
  }
}
"""
LOOP = "procedure main(n: int) {\n  var i: int;\n  i := 0;\n  while (i < n) { i := i + 2; }\n  assert i != 101;\n}\n"
C_PROGRAM = """int outside(int);
static int half(int x) { return x / 2; }
int main(void) {
  int x = outside(3);
  __CPROVER_assume(x > 2);
  if (x > 5)
    x = half(x);
  __CPROVER_assert(x > 0, "positive");
  return 0;
  x = 3;
}
"""


def details(folder: Path, capsys: pytest.CaptureFixture[str], name: str, text: str, *options: str) -> Any:
    (folder / name).write_text(text)
    main(["check", str(folder / name), "--explain", "--format", "json", *options])
    return json.loads(capsys.readouterr().out)["details"]


def said(found: Any, kind: str) -> list[tuple[int, str]]:
    return [(g["line"], g["text"]) for g in found["grounds"] if g["kind"] == kind]


def edges(found: Any, kind: str) -> list[tuple[str, str]]:
    (graph,) = (graph for graph in found["graphs"] if graph["kind"] == kind)
    lines = {node["id"]: node["lines"][0] for node in graph["nodes"]}
    return [(lines[a], lines[b]) for a, b in graph["edges"]]


def test_what_a_proof_rests_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = details(tmp_path, capsys, "a.bpl", PROOF)
    assert said(found, "no body") == [(18, "outside does what it ensures: r > x")]
    ((line, text),) = said(found, "summary")
    assert line == 5 and text.startswith("inside (1 call not looked into): r >= 0")
    # That n is more than 3 says all that is needed; what is in a procedure that is not called is not looked at.
    assert said(found, "assumption") == [(17, "assume n > 3;")]
    unused = [line for line, _ in said(found, "unused")]
    assert unused[:2] == [1, 14] and 11 not in unused
    (coverage,) = found["coverage"]
    assert {17, 18, 19, 20} <= set(coverage["explored"]) and {8, 11} <= set(coverage["others"])


@pytest.mark.parametrize("loop", ["", "while (*) { havoc z; assume z > 12; }"])
def test_what_a_proof_does_not_need(tmp_path: Path, capsys: pytest.CaptureFixture[str], loop: str) -> None:
    text = (
        "procedure Dead(x: int)\n{ assert x == 7; }\n"
        "procedure main(x: int, y: int)\n{ var z: int;\n  assume y > 3;\n  assume x > 10;\n"
        f"  z := x + 1; {loop}\n  if (x < 5) {{ call Dead(z); }}\n  assert z > 11;\n}}\n"
    )
    found = details(tmp_path, capsys, "a.bpl", text, "--entry", "main", "--recursion-bound", "2")
    assert [line for line, _ in said(found, "assumption")] == [6, *([7] if loop else [])]
    (first, second) = said(found, "unused")
    assert first == (5, "assume y > 3;")
    assert second[0] == 8 and "holds whatever it says" in second[1]
    broken = details(tmp_path, capsys, "a.bpl", text.replace("z > 11", "z > 20"), "--entry", "main")
    assert not said(broken, "unused")


def test_summaries_say_where_they_are_from(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (
        "var g, h: int;\nprocedure Next(x: int) returns (r: int)\n  free ensures r >= 0;\n"
        "{ g := g + 2 * x; h := h + x; r := x * x; }\n"
        "procedure main(x: int)\n{ var r: int; g, h := 0, 0; call r := Next(x); call r := Next(r);\n"
        "  assert g == 2 * h; }\n"
    )
    found = details(tmp_path, capsys, "a.bpl", text, "--entry", "main", "--houdini", "--no-facts")
    ((_, said_of_next),) = said(found, "summary")
    assert ": r >= 0; " in said_of_next and said_of_next.endswith("(houdini)")


def test_what_a_bound_cut_off(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = details(tmp_path, capsys, "a.bpl", LOOP, "--recursion-bound", "2")
    ((line, text),) = said(found, "cut loop")
    assert line == 4 and text.endswith("a.bpl:4:3")
    assert edges(found, "inlining")[:2] == [("main", "loop 4"), ("loop 4", "loop 4")]
    assert edges(found, "regions") == [("main", "4")]


@pytest.mark.parametrize(
    "options",
    [
        *(("--engine", name) for name in ("stratified", "eager", "alternating", "symbolic")),
        ("--refine", "alg2"),
        ("--houdini",),
        ("--gamble", "--jobs", "1"),
    ],
    ids=" ".join,
)
def test_every_way_of_searching_explains_itself(
    options: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = details(tmp_path, capsys, "a.bpl", LOOP, "--recursion-bound", "2", *options)
    assert {3, 5} <= set(found["coverage"][0]["explored"])
    assert edges(found, "regions") == [("main", "4")]


def test_symbolic_execution_explains_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = details(tmp_path, capsys, "a.c", C_PROGRAM)
    assert [line for line, _ in said(found, "no body")] == [4]
    assert said(found, "assumption") == [(5, "__CPROVER_assume(x > 2);")]
    assert edges(found, "inlining") == [("main", "half")]
    assert 7 in found["coverage"][0]["explored"] and 10 not in found["coverage"][0]["explored"]


def test_implications_are_a_graph(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "procedure main(x: int) { assume x > 5; assert x > 2; assert x > 1; }"
    found = details(tmp_path, capsys, "a.bpl", text, "--all-assertions", "--implications")
    assert edges(found, "implications") == [("a.bpl:1  x > 2", "a.bpl:1  x > 1")]


def test_text_says_it_after_the_verdict(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.bpl").write_text(PROOF)
    main(["check", str(tmp_path / "a.bpl"), "--explain"])
    out = capsys.readouterr().out
    assert "rests on:\n" in out and "no body     outside does what it ensures: r > x" in out
    assert "lines with statements in" in out
    main(["check", str(tmp_path / "a.bpl")])
    assert "rests on" not in capsys.readouterr().out


def test_a_store_has_no_details(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(2):
        found = details(tmp_path, capsys, "a.c", C_PROGRAM, "--store", str(tmp_path / "store"))
        assert said(found, "assumption")
    main(["check", str(tmp_path / "a.c"), "--format", "json", "--store", str(tmp_path / "store")])
    assert "details" not in json.loads(capsys.readouterr().out)


def test_details_are_read_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.bpl").write_text(LOOP)
    main(["check", str(tmp_path / "a.bpl"), "--explain", "--format", "json"])
    text = capsys.readouterr().out
    result = result_from(text)
    assert result.details is not None and json_object(result)["details"] == json.loads(text)["details"]
    damaged = json.loads(text)
    damaged["details"]["graphs"][0]["edges"] = [["0", "nowhere"]]
    with pytest.raises(UnreadableReport, match="leads to no node"):
        result_from(json.dumps(damaged))
    assert details_from(details_json(Details())) == Details()


def test_a_tree_is_laid_out_without_boxes_on_boxes() -> None:
    nodes = {name: (name,) for name in "abcdefg"}
    links = [("a", "b"), ("a", "c"), ("c", "d"), ("c", "e"), ("b", "e"), ("a", "g"), ("e", "a")]
    drawn = picture(nodes, links, as_tree)
    assert len(drawn.paths) == len(links) - 1  # but for the one that closes a cycle
    boxes = list(drawn.boxes.values())
    for n, (x, y, w, h) in enumerate(boxes):
        assert x >= 0 and x + w <= drawn.width and y >= 0 and y + h <= drawn.height
        for a, b, c, d in boxes[:n]:
            assert x + w <= a or a + c <= x or y + h <= b or b + d <= y
    assert drawn.boxes["a"][0] < drawn.boxes["c"][0] < drawn.boxes["e"][0]


def test_a_deep_graph_is_laid_out() -> None:
    depth = 1500
    drawn = picture(
        {str(n): (str(n),) for n in range(depth)}, [(str(n), str(n + 1)) for n in range(depth - 1)], as_tree
    )
    assert len(drawn.paths) == depth - 1


INVARIANT = """extern int input(void);
void reach_error(void);
int main(void) {
  unsigned x = 5, n = 0;
  while (input()) {
    unsigned n = x;
    x = n + 8;
  }
  if ((x & 5) != 5 || n) reach_error();
  return 0;
}
"""


def test_invariants_of_a_proof_are_in_its_witness(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program, witness = tmp_path / "a.c", tmp_path / "a.yml"
    program.write_text(INVARIANT)
    options = [str(program), "--checks", "unreach", "--unwind", "3"]
    main(["check", *options, "--format", "witness-yaml", "--output", str(witness)])
    text = witness.read_text()
    values = re.findall(r'value: "(.*)"', text)
    assert "5u <= (unsigned int)x" in values and text.count("loop_invariant") == len(values)
    assert all(re.fullmatch(r"[xni0-9u ()&|!=<>+*a-z-]+", value) for value in values)
    main(["check", *options, "--witness", str(witness)])
    assert f"the witness holds, with {len(values)} invariants" in capsys.readouterr().out
    witness.write_text(text.replace("5u <= (unsigned int)x", "6u <= (unsigned int)x"))
    main(["check", *options, "--witness", str(witness)])
    assert "the witness is refused" in capsys.readouterr().out
