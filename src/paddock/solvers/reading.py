"""Putting values together bottom up, without recursion: a list of ten thousand elements is one deep value."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Generic, NamedTuple, TypeVar

from paddock.solvers.values import Value

Node = TypeVar("Node")


class Plan(NamedTuple, Generic[Node]):
    """How to read a node: the nodes it is made of, and what to make of their values."""

    parts: Sequence[Node]
    assemble: Callable[[list[Value]], Value]


def leaf(value: Value) -> Plan[Node]:
    """The plan of a node that is a value by itself."""
    return Plan((), lambda _: value)


def read(root: Node, plan_of: Callable[[Node], Plan[Node]], key_of: Callable[[Node], Hashable]) -> Value:
    """The value of `root`. Nodes with the same key are read once."""
    plans: dict[Hashable, Plan[Node]] = {}
    done: dict[Hashable, Value] = {}
    stack = [root]
    while stack:
        node = stack[-1]
        key = key_of(node)
        plan = plans.get(key)
        if plan is None:
            plan = plans[key] = plan_of(node)
            stack.extend(plan.parts)
        else:
            stack.pop()
            if key not in done:
                done[key] = plan.assemble([done[key_of(p)] for p in plan.parts])
    return done[key_of(root)]
