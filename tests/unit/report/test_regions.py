"""Regions as text, as a graph for Graphviz, and as a picture."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from paddock.report.regions import RegionNode, regions_dot, regions_svg, regions_text

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
