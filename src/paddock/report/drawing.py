"""Graphs as pictures.

Nodes stand in layers, as far from the roots as the longest way to them. In which rows they stand is decided by igraph's
layout (Sugiyama, Tagawa and Toda, 1981), which is an extra to install, or, for what is nearly a tree, as a tree.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Callable, Mapping, Sequence
from html import escape
from itertools import pairwise
from random import Random

from paddock.frozen import frozen

CHARACTER, LINE, MARGIN, GAP, LAYER = 7.3, 16, 8, 8, 80  # in pixels
STARTS = 20  # of the layout, which depends much on where it starts

STYLE = (
    "text{font:12px 'DejaVu Sans Mono',monospace;fill:#1f2328}"
    ".note{font-style:italic;fill:#57606a}"
    "rect{fill:#f6f8fa;stroke:#57606a}path{fill:none;stroke:#57606a}marker path{fill:#57606a;stroke:none}"
)


class DrawingUnavailable(Exception):
    """The library that lays out graphs is not installed."""


Point = tuple[float, float]
Rows = Callable[[Sequence[int], Sequence[tuple[int, int]]], list[float]]  # from layers of nodes and links to rows


@frozen
class Node:
    """A box with lines of text; the title is shown when one points at it."""

    lines: Sequence[str]
    title: str
    style: str = ""  # of the box, in CSS


@frozen
class Picture:
    """Where boxes and lines are: the corner, width and height of each box, and paths as SVG writes them."""

    width: float
    height: float
    boxes: Mapping[str, tuple[float, float, float, float]]
    paths: Sequence[str]


def picture(nodes: Mapping[str, Sequence[str]], edges: Sequence[tuple[str, str]], rows: Rows) -> Picture:
    """Where the nodes of a graph, given by the lines of text in them, and its edges go; of a cycle, the edge that
    closes it is left out."""
    sizes = {name: _size(lines) for name, lines in nodes.items()}
    places, routes = _laid_out(sizes, _without_cycles(list(nodes), edges), rows)
    width = max((x + sizes[n][0] for n, (x, _) in places.items()), default=0.0) + MARGIN
    height = max((y + sizes[n][1] for n, (_, y) in places.items()), default=0.0) + MARGIN
    return Picture(width, height, {n: (*at, *sizes[n]) for n, at in places.items()}, [_line(route) for route in routes])


def picture_svg(nodes: Mapping[str, Node], edges: Sequence[tuple[str, str]], notes: Sequence[str] = ()) -> str:
    """The picture of a graph without cycles, as SVG, with notes below. Raises `DrawingUnavailable`."""
    drawn = picture({name: node.lines for name, node in nodes.items()}, edges, layered)
    width, height = drawn.width, drawn.height
    below = height
    if notes:
        height += (len(notes) + 1) * LINE
        width = max(width, max(map(len, notes)) * CHARACTER + 2 * MARGIN)
    tip = '<marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}">',
        f"<style>{STYLE}</style>",
        f'<defs>{tip}<path d="M0 0L8 4L0 8z"/></marker></defs>',
    ]
    for path in drawn.paths:
        out.append(f'<path d="{path}" marker-end="url(#tip)"/>')
    for name, (x, y, w, h) in drawn.boxes.items():
        node = nodes[name]
        style = f' style="{escape(node.style)}"' if node.style else ""
        out.append(f"<g><title>{escape(node.title)}</title>")
        out.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{w:.1f}" height="{h:.1f}" rx="4"{style}/>')
        for n, line in enumerate(node.lines):
            at = y + MARGIN + n * LINE + 12
            out.append(f'<text x="{x + MARGIN:.1f}" y="{at:.1f}" xml:space="preserve">{escape(line)}</text>')
        out.append("</g>")
    for n, note in enumerate(notes, 1):
        out.append(f'<text class="note" x="{MARGIN}" y="{below + n * LINE:.1f}">{escape(note)}</text>')
    return "\n".join([*out, "</svg>"]) + "\n"


def _line(route: Sequence[Point]) -> str:
    """A path through points: straight along rows, and from row to row a curve that leaves and arrives along them."""
    (x, y), *rest = route
    parts = [f"M{x:.1f} {y:.1f}"]
    for a, b in rest:
        middle = (x + a) / 2
        parts.append(f"H{a:.1f}" if b == y else f"C{middle:.1f} {y:.1f} {middle:.1f} {b:.1f} {a:.1f} {b:.1f}")
        x, y = a, b
    return "".join(parts)


def _size(lines: Sequence[str]) -> Point:
    """Width and height of a node."""
    return max(map(len, lines)) * CHARACTER + 2 * MARGIN, len(lines) * LINE + 2 * MARGIN


def _without_cycles(names: Sequence[str], edges: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """The edges but for those that lead back to where a search in depth has come from."""
    targets: dict[str, list[str]] = {name: [] for name in names}
    for a, b in edges:
        targets[a].append(b)
    back: set[tuple[str, str]] = set()
    done: set[str] = set()
    for root in names:
        way = [] if root in done else [(root, iter(targets[root]))]
        inside = {root}
        while way:
            name, rest = way[-1]
            target = next(rest, None)
            if target is None:
                way.pop()
                inside.discard(name)
                done.add(name)
            elif target in inside:
                back.add((name, target))
            elif target not in done:
                inside.add(target)
                way.append((target, iter(targets[target])))
    return [edge for edge in edges if edge not in back]


def _laid_out(
    sizes: Mapping[str, Point], edges: Sequence[tuple[str, str]], rows: Rows
) -> tuple[dict[str, Point], list[list[Point]]]:
    """The corner at the top left of each node, and the corners of the line of each edge."""
    names = list(sizes)
    number = {name: n for n, name in enumerate(names)}
    layers = _layers(names, edges)
    # An edge over several layers has a point of its own in each between, so that it goes around the nodes there.
    links: list[tuple[int, int]] = []
    chains: list[list[int]] = []
    layer = [layers[name] for name in names]
    for a, b in edges:
        chain = [number[a]]
        for between in range(layers[a] + 1, layers[b]):
            layer.append(between)
            chain.append(len(layer) - 1)
        chain.append(number[b])
        chains.append(chain)
        links += pairwise(chain)
    return _placed(names, sizes, layer, rows(layer, links), chains)


def as_tree(layer: Sequence[int], links: Sequence[tuple[int, int]]) -> list[float]:
    """The row of each node of what is nearly a tree: that of the first node that it leads to, else a new one. It needs
    no library and little time."""
    below: list[list[int]] = [[] for _ in layer]
    is_below = [False] * len(layer)
    for a, b in links:
        if not is_below[b]:
            is_below[b] = True
            below[a].append(b)
    rows = [-1.0] * len(layer)
    free = 0
    for root in (n for n in range(len(layer)) if not is_below[n]):
        stack = [root]
        while stack:
            node = stack[-1]
            waiting = [n for n in below[node] if rows[n] < 0]
            if waiting:
                stack.append(waiting[0])
                continue
            stack.pop()
            rows[node] = rows[below[node][0]] if below[node] else free
            free += 0 if below[node] else 1
    return rows


def layered(layer: Sequence[int], links: Sequence[tuple[int, int]]) -> list[float]:
    """The row of each node: of several layouts, from that with the fewest crossings and then the shortest lines."""
    try:
        import igraph
    except ImportError:
        raise DrawingUnavailable from None
    if not layer:
        return []
    order = list(range(len(layer)))
    shuffle = Random(0).shuffle
    found = []
    for _ in range(STARTS):
        place = {n: k for k, n in enumerate(order)}
        graph = igraph.Graph(n=len(order), edges=[(place[a], place[b]) for a, b in links], directed=True)
        layout = graph.layout_sugiyama(layers=[layer[n] for n in order], hgap=1, vgap=1)
        # It goes from top to bottom; texts are wide, so the picture goes from left to right.
        rows = [layout.coords[place[n]][0] for n in range(len(layer))]
        found.append((_crossings(layer, links, rows), sum(abs(rows[a] - rows[b]) for a, b in links), rows))
        shuffle(order)
    return min(found)[2]


def _crossings(layer: Sequence[int], links: Sequence[tuple[int, int]], rows: Sequence[float]) -> int:
    """How many pairs of lines from one layer to the next cross."""
    count = 0
    ends: dict[int, list[float]] = {}  # of those lines of a layer that start above, or start there and end above
    for a, b in sorted(links, key=lambda link: (rows[link[0]], rows[link[1]])):
        above = ends.setdefault(layer[a], [])
        count += len(above) - bisect_right(above, rows[b])
        insort(above, rows[b])
    return count


def _layers(names: Sequence[str], edges: Sequence[tuple[str, str]]) -> dict[str, int]:
    """How many nodes lead to each, on the longest way."""
    layers = dict.fromkeys(names, 0)
    for _ in names:
        changed = False
        for a, b in edges:
            if layers[b] <= layers[a]:
                layers[b] = layers[a] + 1
                changed = True
        if not changed:
            break
    return layers


def _placed(
    names: Sequence[str],
    sizes: Mapping[str, Point],
    layer: Sequence[int],
    rows: Sequence[float],
    chains: Sequence[Sequence[int]],
) -> tuple[dict[str, Point], list[list[Point]]]:
    """From layers and rows to pixels: a layer is as wide as its widest node, a row as high as its highest."""
    widths: dict[int, float] = {}
    heights: dict[float, float] = {}
    for n, row in enumerate(rows):
        w, h = sizes[names[n]] if n < len(names) else (0.0, 0.0)
        widths[layer[n]] = max(widths.get(layer[n], 0.0), w)
        heights[row] = max(heights.get(row, 0.0), h)
    left: dict[int, float] = {}
    edge = float(MARGIN)
    for n in sorted(widths):
        left[n] = edge
        edge += widths[n] + LAYER
    middle: dict[float, float] = {}
    edge = float(MARGIN)
    for row in sorted(heights):
        middle[row] = edge + heights[row] / 2
        edge += heights[row] + GAP
    places = {name: (left[layer[n]], middle[rows[n]] - sizes[name][1] / 2) for n, name in enumerate(names)}
    routes = []
    for start, *between, end in chains:
        points = [(left[layer[start]] + w, middle[rows[start]]) for w in (sizes[names[start]][0], widths[layer[start]])]
        for n in between:
            points += [(left[layer[n]], middle[rows[n]]), (left[layer[n]] + widths[layer[n]], middle[rows[n]])]
        points.append((left[layer[end]], middle[rows[end]]))
        routes.append(points)
    return places, routes
