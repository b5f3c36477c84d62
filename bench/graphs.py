"""Measures the graph algorithms of `paddock.ir.graph` against networkx and rustworkx.

    python bench/graphs.py

The graphs have the sizes that driver programs have: one call graph of 500 procedures, 500 control-flow graphs
of 20 blocks each, and for comparison one graph of 10,000 blocks and 30,000 edges. A library is charged for
building its graph from ours and for naming the results by our nodes again. Ratios are against Paddock's own;
above 1 means that the library is slower. Libraries that are not installed are left out.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping
from importlib.util import find_spec

from paddock.ir.graph import immediate_dominators, strongly_connected_components, topological_order

Graph = dict[str, list[str]]
Task = Callable[[Graph], object]

REPETITIONS = 5


def control_flow_graph(blocks: int, rng: random.Random, loops: bool = True) -> Graph:
    """A chain of blocks with about two jumps each besides, one in ten of them backwards."""
    graph: Graph = {}
    for n in range(blocks):
        targets = {n + 1} | {rng.randrange(n + 1, min(n + 9, blocks) + 1) for _ in range(2)}
        if loops and rng.random() < 0.2:
            targets.add(rng.randrange(max(0, n - 8), n + 1))
        graph[f"block{n}"] = [f"block{t}" for t in sorted(targets) if t < blocks]
    return graph


def ours() -> Mapping[str, Task]:
    return {
        "components": strongly_connected_components,
        "topological order": topological_order,
        "dominators": lambda graph: immediate_dominators(graph, "block0"),
    }


def networkx_tasks() -> Mapping[str, Task]:
    import networkx as nx

    def converted(graph: Graph) -> nx.DiGraph:
        return nx.DiGraph(graph)

    return {
        "components": lambda graph: list(nx.strongly_connected_components(converted(graph))),
        "topological order": lambda graph: list(nx.topological_sort(converted(graph))),
        "dominators": lambda graph: nx.immediate_dominators(converted(graph), "block0"),
    }


def rustworkx_tasks() -> Mapping[str, Task]:
    import rustworkx as rx

    def converted(graph: Graph) -> tuple[rx.PyDiGraph, list[str]]:
        labels = list(graph)
        number = {label: n for n, label in enumerate(labels)}
        result = rx.PyDiGraph()
        result.add_nodes_from(labels)
        result.add_edges_from_no_data([(number[a], number[b]) for a, targets in graph.items() for b in targets])
        return result, labels

    def components(graph: Graph) -> list[list[str]]:
        numbers, labels = converted(graph)
        return [[labels[n] for n in group] for group in rx.strongly_connected_components(numbers)]

    def order(graph: Graph) -> list[str]:
        numbers, labels = converted(graph)
        return [labels[n] for n in rx.topological_sort(numbers)]

    def dominators(graph: Graph) -> dict[str, str]:
        numbers, labels = converted(graph)
        return {labels[a]: labels[b] for a, b in rx.immediate_dominators(numbers, 0).items()}

    return {"components": components, "topological order": order, "dominators": dominators}


def seconds(task: Task, graphs: list[Graph]) -> float:
    """The best time of several runs over all the graphs."""
    best = float("inf")
    for _ in range(REPETITIONS):
        start = time.perf_counter()
        for graph in graphs:
            task(graph)
        best = min(best, time.perf_counter() - start)
    return best


def main() -> None:
    rng = random.Random(1)
    shapes = {
        "500 graphs of 20 blocks": (500, 20),
        "1 graph of 500 nodes": (1, 500),
        "1 graph of 10,000 blocks": (1, 10_000),
    }
    libraries: dict[str, Mapping[str, Task]] = {}
    for name, tasks in (("networkx", networkx_tasks), ("rustworkx", rustworkx_tasks)):
        if find_spec(name) is None:
            print(f"{name} is not installed: left out")
        else:
            libraries[name] = tasks()
    print(f"{'graphs':26}{'task':20}{'paddock':>12}" + "".join(f"{name:>24}" for name in libraries))
    for shape, (count, size) in shapes.items():
        for task, function in ours().items():
            loops = task != "topological order"
            graphs = [control_flow_graph(size, rng, loops) for _ in range(count)]
            own = seconds(function, graphs)
            row = f"{shape:26}{task:20}{own * 1000:9.2f} ms"
            for tasks in libraries.values():
                other = seconds(tasks[task], graphs)
                row += f"{other * 1000:12.2f} ms ({other / own:4.1f} x)"
            print(row)


if __name__ == "__main__":
    main()
