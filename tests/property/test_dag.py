"""The inlining graph is consistent by the definition, on random programs, whatever the order and the strategy.

DAG inlining (Lal and Qadeer, PLDI 2015), §3.2: a configuration is a call stack, one configuration may lead to another,
and a node may stand for several configurations only if none of them leads to another (Definition 2). All that is
computed here from the program, by brute force; Lemma 1 and Algorithm 1, which the graph relies on, are not used.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from paddock.engines.inlining.bounds import Bounds
from paddock.engines.inlining.graph import Edge, InliningGraph, Node, Strategy
from paddock.engines.inlining.merging import MERGES, MergeTask
from paddock.engines.inlining.opt import planned_sharing
from paddock.engines.inlining.shapes import Shapes
from paddock.frontends.boogie import load
from paddock.frontends.source import Source
from paddock.ir.cfg import Cfg
from paddock.ir.program import Program
from paddock.ir.stmt import Call

MOST_CONFIGURATIONS = 2000
NAMES = list(MERGES)


@st.composite
def programs(draw: st.DrawFn) -> str:
    """Procedures with forward jumps only; each calls those after it, and perhaps itself or those before."""
    count = draw(st.integers(2, 5))
    names = ["main", *(f"p{n}" for n in range(1, count))]
    backward = draw(st.booleans())
    text = []
    for n, name in enumerate(names):
        callees = (names[1:] if backward else names[n + 1 :]) if n else names[1:]
        blocks = draw(st.integers(1, 4))
        successors: list[set[int]] = [set() for _ in range(blocks)]
        for block in range(1, blocks):
            for source in draw(st.sets(st.integers(0, block - 1), min_size=1, max_size=2)):
                successors[source].add(block)
        lines = []
        for block in range(blocks):
            calls = draw(st.lists(st.sampled_from(callees), max_size=2)) if callees else []
            targets = ", ".join(f"b{s}" for s in sorted(successors[block]))
            lines.append(f"  b{block}: {''.join(f'call {c}(); ' for c in calls)}{_jump(targets)}")
        text.append(f"procedure {name}()\n{{\n" + "\n".join(lines) + "\n}")
    return "\n".join(text)


def _jump(targets: str) -> str:
    return f"goto {targets};" if targets else "return;"


class Label(NamedTuple):
    """What the paper calls a block: it has one statement. A block of ours with several calls is several in a row."""

    procedure: str
    block: str
    number: int


@dataclass(frozen=True, slots=True)
class Point:
    """Just before the statement at a label, or just after it."""

    label: Label
    after: bool


Configuration = tuple[Point, ...]  # the innermost first


class Configurations:
    """All configurations of a program that are reachable from its start, and which of them lead to which. A call of a
    procedure that would be on the stack more than `bound` times is passed over."""

    def __init__(self, program: Program, bound: int) -> None:
        self.bound = bound
        self.calls: dict[Label, str | None] = {}
        self.successors: dict[Label, list[Label]] = {}
        self.initial: dict[str, Label] = {}
        self.sites: dict[str, list[Label]] = {}  # as a graph numbers them: block after block, from the entry on
        for procedure in program.procedures:
            self._add_procedure(program, procedure.name)
        self.start: Configuration = (Point(self.initial["main"], False),)
        self.number: dict[Configuration, int] = {}
        self.reached: list[int] = []  # by number, as bits; itself included
        self._explore()

    def _add_procedure(self, program: Program, name: str) -> None:
        body = program.procedure_named[name].body
        assert body is not None
        cfg = Cfg(body)
        self.initial[name] = Label(name, cfg.entry, 0)
        self.sites[name] = []
        for block in cfg.reverse_postorder:
            callees = [s.procedure for s in cfg.blocks[block].statements if isinstance(s, Call)]
            labels = [Label(name, block, n) for n in range(max(1, len(callees)))]
            self.sites[name] += labels[: len(callees)]
            self.calls.update(zip(labels, callees or [None], strict=True))
            for n, label in enumerate(labels):
                following = [Label(name, s, 0) for s in cfg.successors[block]]
                self.successors[label] = [labels[n + 1]] if n + 1 < len(labels) else following

    def steps(self, configuration: Configuration) -> list[Configuration]:
        """The transition relation, rule by rule."""
        (label, after), rest = (configuration[0].label, configuration[0].after), configuration[1:]
        if not after:
            callee = self.calls[label]
            if callee is not None and activations(configuration, callee) < self.bound:
                return [(Point(self.initial[callee], False), Point(label, True), *rest)]
            return [(Point(label, True), *rest)]
        if self.successors[label]:
            return [(Point(s, False), *rest) for s in self.successors[label]]
        return [rest] if rest else []

    def _explore(self) -> None:
        order: list[Configuration] = []
        stack = [(self.start, iter(self.steps(self.start)))]
        seen = {self.start}
        while stack:
            configuration, rest = stack[-1]
            following = next(rest, None)
            if following is None:
                order.append(configuration)
                stack.pop()
            elif following not in seen:
                seen.add(following)
                assume(len(seen) <= MOST_CONFIGURATIONS)
                stack.append((following, iter(self.steps(following))))
        for n, configuration in enumerate(order):  # nothing leads back to what comes later
            self.number[configuration] = n
            reached = 1 << n
            for step in self.steps(configuration):
                reached |= self.reached[self.number[step]]
            self.reached.append(reached)

    def are_disjoint(self, a: Configuration, b: Configuration) -> bool:
        i, j = self.number[a], self.number[b]
        return not (self.reached[i] >> j & 1 or self.reached[j] >> i & 1)

    def entries(self) -> set[Configuration]:
        """The configurations in which a procedure has just been entered: its dynamic instances."""
        firsts = set(self.initial.values())
        return {c for c in self.number if not c[0].after and c[0].label in firsts}

    def of(self, node: Node, further: tuple[Edge, Node] | None = None) -> list[Configuration]:
        """conf(n) in the graph, or in the graph with one more edge, which must not close a cycle."""
        first = (Point(self.initial[node.shape.procedure], False),)
        return [first + stack for stack in self._stacks(node, further)]

    def _stacks(self, node: Node, further: tuple[Edge, Node] | None) -> list[Configuration]:
        callers = node.callers + ([further[0]] if further and further[1] is node else [])
        if not callers:
            return [()]
        sites = self.sites
        return [
            (Point(sites[e.source.shape.procedure][e.index], True), *s)
            for e in callers
            for s in self._stacks(e.source, further)
        ]

    def are_consistent(self, nodes: list[Node], further: tuple[Edge, Node] | None = None) -> bool:
        """Definition 2."""
        return all(
            c != d and self.are_disjoint(c, d) for node in nodes for c, d in combinations(self.of(node, further), 2)
        )


def activations(configuration: Configuration, procedure: str) -> int:
    return sum(point.label.procedure == procedure for point in configuration)


def reaches(node: Node, other: Node) -> bool:
    stack = [node]
    while stack:
        n = stack.pop()
        if n is other:
            return True
        stack.extend(e.target for e in n.edges if e.target is not None)
    return False


def strategy(name: str, shapes: Shapes, bound: int) -> Strategy:
    if name == "opt":
        return planned_sharing(shapes, "main", lambda callee, cost: cost <= bound)
    return MERGES[name].start(MergeTask(shapes, "main", Bounds(shapes.program, bound, bound), 1))


def check_offers(graph: InliningGraph, edge: Edge, configurations: Configurations) -> list[Node]:
    """The nodes that are offered: those may be shared, and no others may."""
    offered = list(graph.compatible(edge))
    for node in graph.nodes:
        if node.shape.procedure != edge.site.callee or node.context != edge.context or reaches(node, edge.source):
            assert node not in offered
        else:
            assert configurations.are_consistent(graph.nodes, (edge, node)) == (node in offered)
    return offered


def check_growth(text: str, bound: int, name: str, seed: int) -> None:
    program = load([Source(text)])
    configurations = Configurations(program, bound)
    shapes, chance = Shapes(program), Random(seed)
    graph = InliningGraph(shapes.recursion_below)
    graph.add_root(shapes["main"])
    pick = strategy(name, shapes, bound)
    while calls := [e for e in graph.open if e.cost <= bound]:
        edge = chance.choice(calls)
        offered = check_offers(graph, edge, configurations)
        node = pick(graph, edge)
        if node is None:
            graph.add_node(edge, shapes[edge.site.callee])
        else:
            assert node in offered
            graph.merge(edge, node)
    instances = [c for node in graph.nodes for c in configurations.of(node)]
    assert len(instances) == len(set(instances))
    assert set(instances) == configurations.entries()
    assert len(graph.nodes) <= len(instances), "more nodes than the tree has"
    assert (len(graph.nodes) == len(instances)) == (graph.merged == 0)
    assert configurations.are_consistent(graph.nodes)
    for node in graph.nodes:
        check_recursion(node, configurations)


def check_recursion(node: Node, configurations: Configurations) -> None:
    """What a node stands for may go on alike: its calls are the same number of activations below the bound."""
    for configuration in configurations.of(node):
        for edge in node.edges:
            assert edge.cost == activations(configuration, edge.site.callee) + 1


BOUNDS = st.integers(1, 2)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=12)
@given(text=programs(), bound=BOUNDS, seed=st.integers(0, 1000))
def test_every_graph_is_consistent(name: str, text: str, bound: int, seed: int) -> None:
    check_growth(text, bound, name, seed)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=500)
@given(text=programs(), bound=st.integers(1, 3), seed=st.integers(0, 1000))
def test_every_graph_of_many_programs_is_consistent(name: str, text: str, bound: int, seed: int) -> None:
    check_growth(text, bound, name, seed)
