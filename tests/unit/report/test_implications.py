"""Graphs of implications as text, JSON, for Graphviz, and as a picture."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from paddock.report.drawing import DrawingUnavailable, _crossings, layered
from paddock.report.formats.implications.dot import render as graph_dot
from paddock.report.formats.implications.json import render as graph_json
from paddock.report.formats.implications.strongest import render as strongest_text
from paddock.report.formats.implications.svg import render as graph_svg
from paddock.report.formats.implications.text import render as graph_text
from paddock.report.implications import ImplicationGraph, RelatedAssertion, about


def graph_of(names: str, *pairs: str) -> ImplicationGraph:
    """A graph between assertions with names of one letter; `pairs` are closed under transitivity."""
    nodes = tuple(RelatedAssertion(name, "f.c", n, 1, f"{name} < 1 && true", 1) for n, name in enumerate(names, 1))
    return ImplicationGraph(nodes, tuple((a, b, "forward") for a, b in pairs), ("a",), ("c",))


CHAIN = graph_of("abcd", "ab", "bc", "ac")
EQUAL = graph_of("abcd", "ab", "ba", "ac", "bc")


def test_the_text_shows_each_implication_once_below_what_implies_it() -> None:
    lines = graph_text(CHAIN).splitlines()
    assert [line.split("  f.c")[0] for line in lines[:4]] == ["a", "  b", "    c", "d"]
    assert lines[-1] == "4 assertions, 3 implications, 1 strongest"


def test_assertions_that_imply_each_other_are_one_node() -> None:
    lines = graph_text(EQUAL).splitlines()
    assert [line.split("  f.c")[0] for line in lines[:4]] == ["a", "= b", "  c", "d"]
    assert graph_dot(EQUAL).count("->") == 1


def test_what_is_below_two_is_spelled_out_once() -> None:
    diamond = graph_of("abcde", "ab", "ac", "ad", "bd", "cd", "be", "ce", "de", "ae")
    lines = graph_text(diamond).splitlines()
    assert [line.split("  f.c")[0] for line in lines[:6]] == ["a", "  b", "    d", "      e", "  c", "    d"]
    assert lines[5].endswith("(see above)")


def test_the_part_about_one_assertion_has_what_implies_it_and_what_it_implies() -> None:
    assert [a.id for a in about(CHAIN, "b").assertions] == ["a", "b", "c"]
    assert [a.id for a in about(CHAIN, "d").assertions] == ["d"]
    assert strongest_text(CHAIN).startswith("a  f.c:1:1")


def test_the_text_says_what_is_not_known() -> None:
    graph = replace(CHAIN, stats={"steps": 9, "unknown": 2}, bounded=True, reason="interrupted")
    counts, incomplete = graph_text(graph).splitlines()[-2:]
    assert counts.endswith("9 instructions, 2 questions that the solver did not answer (within the bounds)")
    assert incomplete == "incomplete (interrupted): there may be more implications"


def test_json_has_all_implications() -> None:
    said = json.loads(graph_json(CHAIN))
    assert [(i["from"], i["to"]) for i in said["implications"]] == [("a", "b"), ("b", "c"), ("a", "c")]
    assert said["strongest"] == ["a"]


def test_the_picture_has_a_box_for_each_related_assertion_and_a_line_for_each_edge() -> None:
    pytest.importorskip("igraph")
    picture = ElementTree.fromstring(graph_svg(graph_of("abcde", "ab", "bc", "ac", "cd", "ad", "bd", "ae")))
    names = [element.tag.rpartition("}")[2] for element in picture.iter()]
    assert names.count("rect") == 5
    assert names.count("path") == 1 + 4  # the tip of the arrows, and a-b, b-c, c-d, a-e
    boxes = [(float(r.attrib["x"]), float(r.attrib["y"])) for r in picture.iter() if r.tag.endswith("rect")]
    assert len(set(boxes)) == 5
    texts = "".join(picture.itertext())
    assert "a < 1 && true" in texts
    assert "not shown: 1 of 4 assertions" in "".join(ElementTree.fromstring(graph_svg(CHAIN)).itertext())
    assert "in one box imply each other" not in texts
    assert "in one box imply each other" in graph_svg(EQUAL)


def test_lines_that_cross_are_counted() -> None:
    layer, links = [0, 0, 0, 1, 1, 1], [(0, 3), (1, 4), (2, 5), (0, 5)]
    assert _crossings(layer, links, [0, 1, 2, 0, 1, 2]) == 1  # of 0-5 and 1-4
    assert _crossings(layer, links, [0, 1, 2, 2, 1, 0]) == 3
    assert _crossings(layer, links, [0, 0, 0, 0, 0, 0]) == 0


def test_the_picture_is_the_best_of_several() -> None:
    pytest.importorskip("igraph")
    # Trees that are mingled in the program: no line needs to cross another.
    links = [(n, 6 + 5 * k + n) for n in range(5) for k in range(4)]
    layer = [0] * 6 + [1] * 20
    assert _crossings(layer, links, layered(layer, links)) == 0


def test_a_picture_without_the_library_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "igraph", None)
    with pytest.raises(DrawingUnavailable):
        graph_svg(CHAIN)
