"""Functions that may be assertion wrappers: small ones that assert something or report an error, or call such.

At calls of these, the texts of the arguments are kept: a call of a wrapper counts as an assertion, and the argument is
what it says (see the pass `assertion-wrappers`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import islice

from paddock.frontends.c import tree as t
from paddock.frontends.c import types as c
from paddock.frontends.c.walk import nodes_in

MOST_NODES = 100  # of a function
MOST_IN_ARGUMENT = 200


def possible_wrappers(functions: Iterable[t.Function], reporting: Collection[str]) -> set[str]:
    """The names of functions that may be wrappers, given those that assert or report errors."""
    callers: dict[str, list[str]] = {}
    for function in functions:
        if function.body is None or not _takes_scalars(function):
            continue
        nodes = list(islice(nodes_in(function.body), MOST_NODES + 1))
        if len(nodes) <= MOST_NODES:
            for node in nodes:
                if isinstance(node, t.FunctionUse):
                    callers.setdefault(node.name, []).append(function.name)
    found: set[str] = set()
    todo = list(reporting)
    while todo:
        for caller in callers.get(todo.pop(), ()):
            if caller not in found:
                found.add(caller)
                todo.append(caller)
    return found


def _takes_scalars(function: t.Function) -> bool:
    return not function.type.variadic and all(c.is_scalar(p.type) for p in function.parameters)


def is_short(argument: t.Expression) -> bool:
    """Whether there is no harm in writing it out, however deep calls are nested."""
    return len(list(islice(nodes_in(argument), MOST_IN_ARGUMENT + 1))) <= MOST_IN_ARGUMENT
