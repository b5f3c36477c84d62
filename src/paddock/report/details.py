"""What a verdict rests on and what the search looked at, as plain data: for `--explain` and for the page of a check."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from paddock.frozen import frozen

ASSUMPTION, SUMMARY, NO_BODY, CUT_LOOP, CUT_CALL = "assumption", "summary", "no body", "cut loop", "cut call"
INVARIANT, UNUSED = "invariant", "unused"
INLINING, REGIONS, IMPLICATIONS = "inlining", "regions", "implications"


@frozen
class Ground:
    """Something that a verdict rests on. `kind` is `assumption`; `summary` (calls were left to what is known of their
    callee); `no body` (what it may change is arbitrary after a call); `invariant` (of a
    loop); `cut loop` or `cut call` (a bound was in the way). What is `unused` is something that it does not rest on: an
    assumption that the proof does not need, or an assertion that would hold whatever its condition was."""

    kind: str
    text: str
    file: str = ""
    line: int = 0
    column: int = 0


@frozen
class Coverage:
    """The lines of a file that have statements: those that explored executions may reach, and the others."""

    file: str
    explored: tuple[int, ...]
    others: tuple[int, ...]


@frozen
class GraphNode:
    """A box of a picture; the place is that of what it stands for."""

    id: str
    lines: tuple[str, ...]
    kind: str = ""
    file: str = ""
    line: int = 0


@frozen
class Graph:
    """A graph to be drawn: `inlining` (instances of procedures and their calls), `regions` (loops and procedures and
    what is inside) or `implications` (assertions and the weaker ones). `left_out` counts nodes that would be too
    many."""

    kind: str
    nodes: tuple[GraphNode, ...]
    edges: tuple[tuple[str, str], ...]
    left_out: int = 0


@frozen
class Details:
    """What there is to say of a check besides its result."""

    grounds: tuple[Ground, ...] = ()
    coverage: tuple[Coverage, ...] = ()
    graphs: tuple[Graph, ...] = ()


def details_json(details: Details) -> dict[str, Any]:
    """The details as plain JSON values."""
    return {
        "grounds": [
            {"kind": g.kind, "text": g.text, "file": g.file, "line": g.line, "column": g.column}
            for g in details.grounds
        ],
        "coverage": [
            {"file": c.file, "explored": list(c.explored), "others": list(c.others)} for c in details.coverage
        ],
        "graphs": [
            {
                "kind": graph.kind,
                "nodes": [
                    {"id": n.id, "lines": list(n.lines), "kind": n.kind, "file": n.file, "line": n.line}
                    for n in graph.nodes
                ],
                "edges": [list(edge) for edge in graph.edges],
                "left_out": graph.left_out,
            }
            for graph in details.graphs
        ],
    }


def details_from(record: Mapping[str, Any]) -> Details:
    """The details that JSON values describe."""
    return Details(
        tuple(
            Ground(str(g["kind"]), str(g["text"]), str(g["file"]), int(g["line"]), int(g["column"]))
            for g in record["grounds"]
        ),
        tuple(Coverage(str(c["file"]), _numbers(c["explored"]), _numbers(c["others"])) for c in record["coverage"]),
        tuple(map(_graph, record["graphs"])),
    )


def _graph(record: Mapping[str, Any]) -> Graph:
    nodes = tuple(
        GraphNode(str(n["id"]), tuple(map(str, n["lines"])), str(n["kind"]), str(n["file"]), int(n["line"]))
        for n in record["nodes"]
    )
    known = {node.id for node in nodes}
    edges = tuple((str(a), str(b)) for a, b in record["edges"])
    if any(end not in known for edge in edges for end in edge):
        raise ValueError("an edge of a graph leads to no node")
    return Graph(str(record["kind"]), nodes, edges, int(record["left_out"]))


def _numbers(values: Sequence[Any]) -> tuple[int, ...]:
    return tuple(map(int, values))
