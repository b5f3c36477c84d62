"""An indented forest: below each assertion what it implies.

`=` is before those that imply each other.
"""

from __future__ import annotations

from collections.abc import Iterator

from paddock.report.color import PLAIN, Painter
from paddock.report.implications import ImplicationGraph, forest, incompleteness, shortened


def render(graph: ImplicationGraph, _paint: Painter = PLAIN) -> str:
    texts = described(graph)
    shown = forest(graph)
    lines: list[str] = []
    done: set[str] = set()
    stack = [(node, 0) for node in reversed(shown.roots())]
    while stack:
        node, depth = stack.pop()
        again = node in done and bool(shown.weaker[node])
        done.add(node)
        lines.append("  " * depth + texts[node] + ("  (see above)" if again else ""))
        lines += ["  " * depth + "= " + texts[other] for other in shown.members[node][1:]]
        if not again:
            stack += [(weaker, depth + 1) for weaker in reversed(shown.weaker[node])]
    return "\n".join([*lines, "", *summary(graph)]) + "\n"


def described(graph: ImplicationGraph) -> dict[str, str]:
    """A line for each assertion, by its id."""
    return {a.id: f"{a.id}  {a.file}:{a.line}:{a.column}  {shortened(a.text)}" for a in graph.assertions}


def summary(graph: ImplicationGraph) -> Iterator[str]:
    """How many there are of what, and what that rests on."""
    parts = [
        _counted(len(graph.assertions), "assertion"),
        _counted(len(graph.implications), "implication"),
        f"{len(graph.strongest)} strongest",
    ]
    if graph.stats:
        parts.append(_counted(int(graph.stats["steps"]), "instruction"))
    if unanswered := int(graph.stats.get("unknown", 0)):
        parts.append(_counted(unanswered, "question") + " that the solver did not answer")
    yield ", ".join(parts) + (" (within the bounds)" if graph.bounded else "")
    if not graph.complete:
        yield incompleteness(graph)


def _counted(count: int, one: str) -> str:
    return f"{count} {one}{'' if count == 1 else 's'}"
