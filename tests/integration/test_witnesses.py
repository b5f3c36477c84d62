"""Witnesses: ours are accepted, in both forms; corrupted ones are refused; those of other tools are read."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import yaml

from paddock.cli.main import main
from paddock.frontends.c.witness import instrumented, require_harmless
from paddock.frontends.source import Source
from paddock.ir.origin import InputError
from paddock.report.witnesses import BRANCHING, CORRECTNESS, VIOLATION, Invariant, Place, Task, Waypoint, Witness
from paddock.report.witnesses.yaml_form import yaml_text

jsonschema = pytest.importorskip("jsonschema", reason="the package jsonschema is not installed")

BUG = """\
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}
void check(int cond) { if (!cond) { ERROR: { reach_error(); } } }
int main(void) {
  int x = __VERIFIER_nondet_int(), n = 0;
  unsigned u = __VERIFIER_nondet_uint() + __VERIFIER_nondet_uint();
  while (n < 3) { n++; if (x == n + 5) x += 100;
    else x--; }
  do { n--; } while (n > 0);
  for (;;) { if (n == 0) break; }
  check(x != 4 || u != 7);
  if (u == 9) reach_error();
  return 0;
}
"""
SAFE = """\
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}
int main(void) {
  int i = 0, s = 0;
  while (i < 4) { s += i; i++; }
  for (int j = 0; j < 3; j++) s++;
  do { s--; } while (s > 100);
  if (s != 8) reach_error();
}
"""
FORMS = ("yaml", "graphml")

LOCATION = {
    "type": "object",
    "properties": {
        "file_name": {"type": "string"},
        "line": {"type": "integer", "minimum": 1},
        "column": {"type": "integer", "minimum": 1},
        "function": {"type": "string"},
    },
    "required": ["file_name", "line"],
    "additionalProperties": False,
}
WAYPOINT = {
    "type": "object",
    "properties": {
        "type": {"enum": ["assumption", "target", "function_enter", "function_return", "branching"]},
        "action": {"enum": ["follow", "avoid"]},
        "location": LOCATION,
        "constraint": {
            "type": "object",
            "properties": {"value": {"type": "string"}, "format": {"enum": ["c_expression", "ext_c_expression"]}},
            "required": ["value"],
        },
    },
    "required": ["type", "action", "location"],
    "additionalProperties": False,
}
# What format 2.0 requires of the parts that are written.
SCHEMA: dict[str, Any] = {
    "type": "array",
    "minItems": 1,
    "items": {
        "type": "object",
        "properties": {
            "entry_type": {"enum": ["violation_sequence", "invariant_set"]},
            "metadata": {
                "type": "object",
                "properties": {
                    "format_version": {"const": "2.0"},
                    "uuid": {"type": "string", "pattern": "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"},
                    "creation_time": {"type": "string", "pattern": "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$"},
                    "producer": {"type": "object", "required": ["name", "version"]},
                    "task": {
                        "type": "object",
                        "required": ["input_files", "input_file_hashes", "specification", "data_model", "language"],
                        "properties": {"data_model": {"enum": ["ILP32", "LP64"]}, "language": {"const": "C"}},
                    },
                },
                "required": ["format_version", "uuid", "creation_time", "producer", "task"],
            },
            "content": {
                "type": "array",
                "items": {
                    "oneOf": [
                        {
                            "properties": {
                                "segment": {
                                    "type": "array",
                                    "minItems": 1,
                                    "items": {"properties": {"waypoint": WAYPOINT}, "required": ["waypoint"]},
                                }
                            },
                            "required": ["segment"],
                        },
                        {"required": ["invariant"]},
                    ]
                },
            },
        },
        "required": ["entry_type", "metadata", "content"],
    },
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "bug.c").write_text(BUG)
    (tmp_path / "safe.c").write_text(SAFE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    return tmp_path


def written(file: str, form: str) -> str:
    main(["check", file, "--checks", "unreach", "--format", f"witness-{form}", "--output", f"w.{form}"])
    return Path(f"w.{form}").read_text(encoding="utf-8")


def validated(file: str, witness: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    """Exit status, verdict and reason."""
    Path("witness").write_text(witness)
    capsys.readouterr()
    status = main(["check", file, "--checks", "unreach", "--witness", "witness", "--format", "json"])
    out, err = capsys.readouterr()
    said = json.loads(out) if out else {"verdict": "", "reason": err}
    return status, said["verdict"], said["reason"]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("form", FORMS)
def test_a_violation_is_confirmed(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert validated("bug.c", written("bug.c", form), capsys) == (1, "bug", "as the witness says")


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("form", FORMS)
def test_a_proof_is_confirmed(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, verdict, reason = validated("safe.c", written("safe.c", form), capsys)
    assert (status, verdict) == (0, "proved") and reason.startswith("the witness holds, with 0 invariants")


@pytest.mark.usefixtures("folder")
def test_what_is_written_is_valid() -> None:
    for file in ("bug.c", "safe.c"):
        jsonschema.validate(yaml.safe_load(written(file, "yaml")), SCHEMA)
        graph = ElementTree.fromstring(written(file, "graphml"))
        assert graph.tag == "{http://graphml.graphdrawing.org/xmlns}graphml"
    (entry,) = yaml.safe_load(written("bug.c", "yaml"))
    points = [part["segment"][0]["waypoint"] for part in entry["content"]]
    assert [p["type"] for p in points[:3]] == ["function_return"] * 3
    target = points[-1]
    line = BUG.split("\n")[target["location"]["line"] - 1]
    assert target["type"] == "target" and line[target["location"]["column"] - 1 :].startswith("reach_error")
    for point in points:
        at = BUG.split("\n")[point["location"]["line"] - 1][point["location"]["column"] - 1 :]
        if point["type"] == "function_return":
            assert at.startswith(")")
        elif point["type"] == "branching":
            assert at.startswith(("if", "while", "for", "do"))


@pytest.mark.usefixtures("folder")
def test_the_same_check_has_the_same_witness() -> None:
    assert written("bug.c", "yaml") == written("bug.c", "yaml")


def damaged_entry(change: str) -> str:
    (entry,) = yaml.safe_load(written("bug.c", "yaml"))
    points = [part["segment"][0]["waypoint"] for part in entry["content"]]
    branches = [p for p in points if p["type"] == "branching"]
    exec(change, {"entry": entry, "points": points, "branches": branches, "task": entry["metadata"]["task"]})
    return yaml.safe_dump([entry])


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("change", "status"),
    [
        ("points[0]['constraint']['value'] += ' && 1 == 2'", 3),
        ("branches[0]['constraint']['value'] = 'false'", 3),
        ("points[-1]['location'].update(line=4, column=46)", 3),
        ("entry['content'] += entry['content'][-1:]", 2),
        ("del entry['content'][-1]", 2),
        ("branches[0]['location'].update(line=9)", 2),
        ("points[0]['location'].update(column=3)", 2),
        ("points[0]['location'].update(file_name='other.c')", 2),
        ("points[0]['constraint']['value'] = 'main() == 0'", 2),
        ("points[0]['constraint']['value'] = '(x = 5)'", 2),
        ("points[0]['type'] = 'teleport'", 2),
        ("task['input_file_hashes'] = {'bug.c': '0' * 64}", 2),
        ("task['data_model'] = 'ILP32'", 2),
        ("entry['metadata']['format_version'] = '7.0'", 2),
        ("entry['entry_type'] = 'other'", 2),
        ("del entry['metadata']", 2),
    ],
)
def test_corrupted_violations_are_refused(change: str, status: int, capsys: pytest.CaptureFixture[str]) -> None:
    given, verdict, reason = validated("bug.c", damaged_entry(change), capsys)
    assert (given, verdict) == (status, "unknown" if status == 3 else ""), reason
    if status == 3:
        assert reason.startswith("the witness is refused: ")
    else:
        assert "error: " in reason and "Traceback" not in reason


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    "text", ["", "<a/>", "<graphml", "[1]", "- 1", "{", "<!DOCTYPE a []><graphml/>", "- entry_type: a"]
)
def test_what_is_no_witness(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert validated("bug.c", text, capsys)[0] == 2


def correctness(*invariants: Invariant) -> str:
    return yaml_text(Witness(CORRECTNESS, Task(("safe.c",), (), "", "LP64"), invariants=invariants))


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("line", "column", "value", "is_loop", "holds"),
    [
        (5, 3, "0 <= i && i <= 4", True, True),
        (5, 3, "i < 4", True, False),
        (6, 3, "s >= 6 && j <= 3", True, True),
        (6, 3, "j < 3", True, False),
        (7, 3, "s == 9", True, True),
        (7, 3, "s == 8", True, False),
        (8, 3, "s == 8", False, True),
        (8, 3, "s == 7", False, False),
        (8, 15, "s == 8", False, True),  # it is never reached
    ],
)
def test_invariants_are_checked(
    line: int, column: int, value: str, is_loop: bool, holds: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    witness = correctness(Invariant(Place("safe.c", line, column), value, is_loop))
    status, verdict, reason = validated("safe.c", witness, capsys)
    if holds:
        assert (status, verdict) == (0, "proved") and "with 1 invariant" in reason
    else:
        assert (status, verdict) == (3, "unknown")
        assert reason == f"the witness is refused: safe.c:{line}: the invariant {value} does not hold"


@pytest.mark.usefixtures("folder")
def test_a_correctness_witness_does_not_hide_a_bug(capsys: pytest.CaptureFixture[str]) -> None:
    witness = correctness(Invariant(Place("bug.c", 8, 3), "n >= 0", True))
    assert validated("bug.c", witness.replace("safe.c", "bug.c"), capsys)[:2] == (1, "bug")


@pytest.mark.usefixtures("folder")
def test_a_line_of_graphml_is_enough(capsys: pytest.CaptureFixture[str]) -> None:
    """Another tool's automaton, with a self-loop and a sink."""
    graph = """<?xml version="1.0"?>
    <graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="directed">
    <data key="witness-type">violation_witness</data><data key="programfile">bug.c</data>
    <node id="a"><data key="entry">true</data></node><node id="b"><data key="violation">true</data></node>
    <node id="s"><data key="sink">true</data></node>
    <edge source="a" target="a"/><edge source="a" target="s"><data key="control">condition-false</data></edge>
    <edge source="a" target="b"><data key="startline">13</data></edge></graph></graphml>"""
    assert validated("bug.c", graph, capsys)[:2] == (1, "bug")
    assert validated("bug.c", graph.replace(">13<", ">12<"), capsys)[:2] == (3, "unknown")


def test_boogie_has_no_witness(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.bpl"
    file.write_text("procedure main(x: int) { assert x > 0; }")
    for form in FORMS:
        main(["check", str(file), "--format", f"witness-{form}"])
        assert "no witness" in capsys.readouterr().out
    (tmp_path / "w").write_text(correctness())
    assert main(["check", str(file), "--witness", str(tmp_path / "w")]) == 2


def test_expressions_that_may_do_harm() -> None:
    for text in ("x == 7", "\\result == -7LL", "x*y == 3", "s.f >= 2 || (unsigned)x > 3"):
        require_harmless(text)
    for text in (
        "x = 5",
        "f(x)",
        "x++ > 1",
        "*p",
        "a[1]",
        "p->x",
        "x / y",
        "x % 2",
        "1 // a",
        "x; y",
        "(x",
        "x)(y",
        "",
        "x << 2",
    ):
        with pytest.raises(InputError):
            require_harmless(text)
    require_harmless("x == -7", with_arithmetic=False)
    for text in ("x + 1 == y", "-x == 1", "x - 1 == 2", "x -1 == 2", "x * 2 == 4"):
        with pytest.raises(InputError):
            require_harmless(text, with_arithmetic=False)


def test_lines_stay_where_they_are() -> None:
    text = '# 1 "a.c"\n/* if */ char *s = "if (";\nint main(void) {\n  if (1)\n    return 1;\n  else return 2;\n}\n'
    point = Waypoint(BRANCHING, Place("a.c", 4, 3), "true")
    (made,) = instrumented([Source(text, "a.c")], Witness(VIOLATION, Task(("a.c",)), ((point,),)))
    before, after = text.split("\n"), made.text.split("\n")
    assert len(before) == len(after)
    assert [n for n, (a, b) in enumerate(zip(before, after, strict=True), 1) if a != b] == [2, 4]
    assert after[0] == before[0] and after[1].endswith(before[1].split("*/ ")[1])


def automaton(
    kind: str, nodes: dict[str, dict[str, str]], edges: list[tuple[str, str, dict[str, str]]], file: str
) -> str:
    """A witness in GraphML as other tools write it, with the hash that old ones have."""
    data = {
        "witness-type": f"{kind}_witness",
        "sourcecodelang": "C",
        "producer": "another tool",
        "specification": "CHECK( init(main()), LTL(G ! call(reach_error())) )\n\n",
        "programfile": f"/elsewhere/{file}",
        "programhash": hashlib.sha1(Path(file).read_bytes(), usedforsecurity=False).hexdigest(),
        "architecture": "64bit",
    }
    root = ElementTree.Element("graphml", {"xmlns": "http://graphml.graphdrawing.org/xmlns"})
    graph = ElementTree.SubElement(root, "graph", {"edgedefault": "directed"})
    parts = [(graph, data)]
    parts += [(ElementTree.SubElement(graph, "node", {"id": name}), of) for name, of in nodes.items()]
    parts += [(ElementTree.SubElement(graph, "edge", {"source": a, "target": b}), of) for a, b, of in edges]
    for parent, values in parts:
        for key, text in values.items():
            ElementTree.SubElement(parent, "data", {"key": key}).text = text
    return ElementTree.tostring(root, encoding="unicode")


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(("value", "verdict"), [("i >= 0 && i <= 4", "proved"), ("i < 4", "unknown")])
def test_invariants_of_other_tools(value: str, verdict: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Some name the statement before a loop where its head is entered, and the loop where it is left."""
    nodes = {"N0": {"entry": "true"}, "N1": {"invariant": value}, "N2": {}, "N3": {}}
    edges = [
        ("N0", "N1", {"startline": "4", "endline": "4", "enterLoopHead": "true", "sourcecode": "int i = 0, s = 0;"}),
        ("N1", "N2", {"startline": "5", "sourcecode": "[i < 4]"}),
        ("N1", "N3", {"startline": "5", "sourcecode": "[!(i < 4)]"}),
        ("N2", "N1", {"startline": "5", "enterLoopHead": "true", "sourcecode": "i++"}),
    ]
    _, said, reason = validated("safe.c", automaton("correctness", nodes, edges, "safe.c"), capsys)
    assert said == verdict and ("refused" in reason) == (verdict == "unknown")
    # Without the way out, it is the next loop.
    _, again, _ = validated("safe.c", automaton("correctness", nodes, edges[:1], "safe.c"), capsys)
    assert again == verdict


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(("result", "verdict"), [("9", "bug"), ("5", "unknown")])
def test_a_violation_of_another_tool(result: str, verdict: str, capsys: pytest.CaptureFixture[str]) -> None:
    """With sinks beside the path, and what is assumed of variables."""
    Path("v.c").write_text(
        "extern int __VERIFIER_nondet_int(void);\nvoid reach_error() {}\nint main(void) {\n"
        "  int x = __VERIFIER_nondet_int();\n  if (x > 3) {\n    x -= 2;\n  }\n"
        "  if (x == 7) {\n    reach_error();\n  }\n}\n"
    )
    nodes = {"A0": {"entry": "true"}, "A1": {}, "A2": {}, "A3": {}, "A4": {}, "A5": {"violation": "true"}}
    edges = [
        ("A0", "A1", {"enterFunction": "main"}),
        (
            "A1",
            "A2",
            {
                "startline": "4",
                "assumption": f"\\result == ({result});",
                "assumption.resultfunction": "__VERIFIER_nondet_int",
            },
        ),
        ("A2", "A3", {"startline": "5", "control": "condition-true"}),
        ("A2", "S", {"startline": "5", "control": "condition-false"}),
        ("A3", "A4", {"startline": "8", "control": "condition-true", "assumption": "x == (7);"}),
        ("A3", "S", {"startline": "8", "control": "condition-false"}),
        ("A4", "A5", {"startline": "9", "enterFunction": "reach_error"}),
    ]
    text = automaton("violation", {**nodes, "S": {"sink": "true"}}, edges, "v.c")
    assert validated("v.c", text, capsys)[1] == verdict
