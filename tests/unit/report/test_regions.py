"""Regions as text, as a graph for Graphviz, and as a picture."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest

from paddock.report.formats.regions.dot import render as regions_dot
from paddock.report.formats.regions.json import render as regions_json
from paddock.report.formats.regions.svg import render as regions_svg
from paddock.report.formats.regions.text import render as regions_text
from paddock.report.regions import RegionNode

TREE = {
    node.id: node
    for node in (
        RegionNode("main", False, "a.c", 1, 9, 0, ("main:2", "P")),
        RegionNode("main:2", True, "a.c", 2, 5, 2, ("P",)),
        RegionNode("P", False, "a.c", 11, 11, 1, ("P",), ("P",)),
    )
}


def test_as_text() -> None:
    assert regions_text(TREE).splitlines() == [
        "main      procedure a.c:1-9",
        "  main:2  loop a.c:2-5, 2 assertions",
        "    P     procedure a.c:11, 1 assertion",
        "      P   as above",
        "  P       as above",
    ]


def test_as_json() -> None:
    regions = json.loads(regions_json(TREE))["regions"]
    assert [(r["id"], r["kind"]) for r in regions] == [("main", "procedure"), ("main:2", "loop"), ("P", "procedure")]
    assert regions[2] == {
        "id": "P",
        "kind": "procedure",
        "file": "a.c",
        "first_line": 11,
        "last_line": 11,
        "assertions": 1,
        "children": ["P"],
        "recursive": ["P"],
    }


def test_for_graphviz() -> None:
    text = regions_dot({'say "hi"': RegionNode('say "hi"', False, "a.bpl", 1, 2, 0, ())})
    assert r'"say \"hi\"" [label="say \"hi\""];' in text
    assert regions_dot(TREE).count("->") == 4


def test_as_a_picture() -> None:
    pytest.importorskip("igraph")
    picture = ElementTree.fromstring(regions_svg(TREE))
    texts = [e.text for e in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert texts == ["main", "2-5", "2 assertions", "P", "1 assertion"]
    titles = [e.text for e in picture.iter("{http://www.w3.org/2000/svg}title")]
    assert titles[1] == "main:2: loop a.c:2-5, 2 assertions"
