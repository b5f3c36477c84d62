"""Witnesses in GraphML, format 1.0: an automaton whose path leads to the violation, or whose nodes have invariants.

Read are automata with one path from the entry to the violation; edges to sinks and to the node itself do not count. Of
an edge, the branch and what is assumed of the result of a function become waypoints. What is assumed of variables holds
after statements that an edge names by their line only, and restricts nothing here.
"""

from __future__ import annotations

from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from paddock.report.witnesses import (
    BRANCHING,
    CORRECTNESS,
    FUNCTION_RETURN,
    RESULT,
    TARGET,
    VIOLATION,
    Invariant,
    Place,
    Task,
    UnreadableWitness,
    Waypoint,
    Witness,
)
from paddock.report.witnesses.identity import creation_time
from paddock.report.xml_text import allowed, document
from paddock.version import __version__

SPACE = "http://graphml.graphdrawing.org/xmlns"
_IN = f"{{{SPACE}}}"
KEYS = {
    "graph": (
        *("witness-type", "sourcecodelang", "producer", "specification", "programfile", "programhash"),
        *("architecture", "creationtime"),
    ),
    "node": ("entry", "violation", "sink", "invariant", "invariant.scope"),
    "edge": (
        *("startline", "startoffset", "control", "assumption", "assumption.scope", "assumption.resultfunction"),
        *("enterLoopHead", "sourcecode"),
    ),
}
TYPES = {"violation_witness": VIOLATION, "correctness_witness": CORRECTNESS}
ARCHITECTURES = {"ILP32": "32bit", "LP64": "64bit"}


def graphml_text(witness: Witness) -> str:
    """A witness as GraphML."""
    root = Element("graphml", {"xmlns": SPACE})
    for target, names in KEYS.items():
        for name in names:
            SubElement(root, "key", {"id": name, "for": target, "attr.name": name, "attr.type": "string"})
    graph = SubElement(root, "graph", {"edgedefault": "directed"})
    task = witness.task
    _data(graph, "witness-type", next(name for name, kind in TYPES.items() if kind == witness.kind))
    _data(graph, "sourcecodelang", "C")
    _data(graph, "producer", f"Paddock {__version__}")
    _data(graph, "specification", task.specification)
    _data(graph, "programfile", task.files[0] if task.files else "")
    _data(graph, "programhash", task.hashes[0][1] if task.hashes else "")
    _data(graph, "architecture", ARCHITECTURES.get(task.data_model, "64bit"))
    _data(graph, "creationtime", creation_time())
    _data(SubElement(graph, "node", {"id": "N0"}), "entry", "true")
    points = [point for segment in witness.segments for point in segment[-1:]]
    for number, point in enumerate(points, 1):
        node = SubElement(graph, "node", {"id": f"N{number}"})
        if point.kind == TARGET:
            _data(node, "violation", "true")
        edge = SubElement(graph, "edge", {"source": f"N{number - 1}", "target": f"N{number}"})
        _data(edge, "startline", str(point.place.line))
        if point.kind == BRANCHING:
            _data(edge, "control", f"condition-{point.constraint}")
        elif point.kind == FUNCTION_RETURN:
            _data(edge, "assumption", f"{point.constraint};")
            _data(edge, "assumption.scope", point.place.function)
    for number, invariant in enumerate(witness.invariants, 1):
        node = SubElement(graph, "node", {"id": f"N{number}"})
        _data(node, "invariant", invariant.value)
        _data(node, "invariant.scope", invariant.place.function)
        edge = SubElement(graph, "edge", {"source": "N0", "target": f"N{number}"})
        _data(edge, "startline", str(invariant.place.line))
        if invariant.is_loop:
            _data(edge, "enterLoopHead", "true")
    return document(root)


def _data(parent: Element, key: str, text: str) -> None:
    SubElement(parent, "data", {"key": key}).text = allowed(text)


def graphml_witness(text: str) -> Witness:
    """The witness that a text of GraphML describes. Raises `UnreadableWitness`."""
    if "<!DOCTYPE" in text:
        raise UnreadableWitness("a witness has no document type")
    try:
        graph = ElementTree.fromstring(text).find(f"{_IN}graph")
    except ElementTree.ParseError as error:
        raise UnreadableWitness(f"this is not XML: {error}") from None
    if graph is None:
        raise UnreadableWitness("there is no graph in it")
    values = _values(graph)
    kind = TYPES.get(values.get("witness-type", ""))
    if kind is None:
        raise UnreadableWitness(f"the type of the witness must be {' or '.join(TYPES)}")
    file = values.get("programfile", "")
    models = {bits: model for model, bits in ARCHITECTURES.items()}
    task = Task(
        (file,),
        ((file, values.get("programhash", "")),),
        values.get("specification", ""),
        models.get(values.get("architecture", ""), ""),
    )
    nodes = {node.get("id", ""): _values(node) for node in graph.findall(f"{_IN}node")}
    edges = [(e.get("source", ""), e.get("target", ""), _values(e)) for e in graph.findall(f"{_IN}edge")]
    try:
        if kind == CORRECTNESS:
            return Witness(kind, task, invariants=tuple(_invariants(file, nodes, edges)))
        return Witness(kind, task, tuple((point,) for point in _path(file, nodes, edges)))
    except ValueError as error:
        raise UnreadableWitness(f"the witness is damaged: {error}") from None


def _values(element: Element) -> dict[str, str]:
    return {data.get("key", ""): (data.text or "").strip() for data in element.findall(f"{_IN}data")}


_Edge = tuple[str, str, dict[str, str]]


def _path(file: str, nodes: dict[str, dict[str, str]], edges: list[_Edge]) -> list[Waypoint]:
    """The waypoints on the one path to the violation."""
    following: dict[str, list[_Edge]] = {}
    for edge in edges:
        source, target, _ = edge
        if source != target and nodes.get(target, {}).get("sink") != "true":
            following.setdefault(source, []).append(edge)
    at = next((name for name, values in nodes.items() if values.get("entry") == "true"), None)
    found: list[Waypoint] = []
    seen: set[str] = set()
    while at is not None and at not in seen:
        seen.add(at)
        ways = following.get(at, [])
        if nodes[at].get("violation") == "true":
            return found
        if len(ways) > 1:
            raise UnreadableWitness("the automaton has several paths, which is not supported")
        if not ways:
            break
        _, target, values = ways[0]
        ends = nodes.get(target, {}).get("violation") == "true"
        found += _waypoints(file, values, ends)
        at = target
    raise UnreadableWitness("no path of the automaton leads to a violation")


def _waypoints(file: str, values: dict[str, str], ends: bool) -> list[Waypoint]:
    line = int(values.get("startline") or 0)
    place = Place(file, line, 0, values.get("assumption.scope", ""))
    found = []
    assumed = values.get("assumption", "").rstrip("; ")
    if RESULT in assumed and ";" not in assumed:
        found.append(Waypoint(FUNCTION_RETURN, place, assumed))
    if values.get("control", "").startswith("condition-"):
        found.append(Waypoint(BRANCHING, place, values["control"].removeprefix("condition-")))
    return [*found, *([Waypoint(TARGET, place)] if ends else [])]


def _invariants(file: str, nodes: dict[str, dict[str, str]], edges: list[_Edge]) -> list[Invariant]:
    """The invariants of nodes, at the places of edges that lead to them."""
    found = []
    for name, values in nodes.items():
        if values.get("invariant", "true") in ("", "true", "1"):
            continue
        ways = [edge for _, target, edge in edges if target == name]
        heads = [edge for edge in ways if edge.get("enterLoopHead") == "true"]
        if not heads:
            raise UnreadableWitness(f"the invariant of node {name} is at no head of a loop, which is not supported")
        # Tools differ in what leads to a head: the loop itself, or the statement before it. What leaves it is the loop.
        leaving = [edge for source, _, edge in edges if source == name and edge.get("startline")]
        line = int((leaving or heads)[0].get("startline") or heads[0].get("endline") or 0)
        place = Place(file, line, 0, values.get("invariant.scope", ""))
        found.append(Invariant(place, values["invariant"], is_loop=True))
    return found
