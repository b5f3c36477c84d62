"""How many contexts the threads of a program can have at most, where that is clear from its text.

The program is one in which every switch is a `yield` or a `{:switch}` (see the pass `explicit-yields`). As many
rounds as there are contexts in all are enough for every schedule: each context has a round of its own then.
"""

from __future__ import annotations

from paddock.analysis.sharing import Sharing
from paddock.ir.callgraph import CallGraph
from paddock.ir.cfg import Cfg
from paddock.ir.entry import entry_name
from paddock.ir.graph import strongly_connected_components
from paddock.ir.program import Implementation, Program, is_marked
from paddock.ir.stmt import Call, Statement, Yield
from paddock.ir.threads import SWITCH, starts_thread, statements_in


def needs_no_bound(program: Program, rounds: int) -> bool:
    """Whether so many rounds leave out no schedule that matters: threads have no more contexts, or share nothing, and
    each can be started."""
    sharing = Sharing(program)
    if not sharing.shared:
        generations = _generations(program, sharing)
        return generations is not None and generations <= rounds
    contexts = most_contexts(program)
    return contexts is not None and contexts <= rounds


def _generations(program: Program, sharing: Sharing) -> int | None:
    """How many rounds it takes to start every thread: one that cannot run at once starts in the next. None if there is
    no end to it."""
    later: dict[str, dict[str, int]] = {root: {} for root in sharing.roots}
    for root in sharing.roots:
        for name in sharing.run_by(root):
            for s in statements_in(program.procedure_named[name]):
                if isinstance(s, Call) and s.asynchronous:
                    rounds = 0 if is_marked(s.attributes, SWITCH) else 1
                    later[root][s.procedure] = max(rounds, later[root].get(s.procedure, 0))
    graph = {root: list(targets) for root, targets in later.items()}
    longest: dict[str, int] = {}
    for component in strongly_connected_components(graph):  # those that are started come first
        inside = set(component)
        if any(later[a][b] for a in component for b in graph[a] if b in inside):
            return None
        most = max((longest[b] + later[a][b] for a in component for b in graph[a] if b not in inside), default=0)
        longest.update(dict.fromkeys(component, most))
    return longest[sharing.entry] + 1


def most_contexts(program: Program) -> int | None:
    """The most contexts that all threads have together; None if there is no such number to be seen."""
    graph = CallGraph(program)
    entry = entry_name(program)
    counts: dict[str, int] = {}
    for component in graph.components:  # callees first
        for name in component:
            found = 0
            for implementation in program.procedure_named[name].implementations:
                longest = _longest(implementation, counts)
                if longest is None or (longest and name in graph.recursive):
                    return None
                found = max(found, longest)
            counts[name] = found
    # The entry has one context before its first switch.
    return counts[entry] + 1


def _longest(implementation: Implementation, counts: dict[str, int]) -> int | None:
    """The most contexts that begin while a body is run, in all threads; None if that is in a loop."""
    cfg = Cfg(implementation)
    most: dict[str, int] = {}
    for component in strongly_connected_components(cfg.successors):  # what follows comes first
        after = max((most[s] for label in component for s in cfg.successors[label] if s in most), default=0)
        own = sum(_begun(s, counts) for label in component for s in cfg.blocks[label].statements)
        is_cycle = len(component) > 1 or component[0] in cfg.successors[component[0]]
        if is_cycle and own:
            return None
        for label in component:
            most[label] = own + after
    return most[cfg.entry]


def _begun(statement: Statement, counts: dict[str, int]) -> int:
    """How many contexts a statement begins: after a `yield`; of a new thread, and where its creator goes on."""
    if isinstance(statement, Yield):
        return 1
    if isinstance(statement, Call):
        return counts.get(statement.procedure, 0) + (2 if starts_thread(statement) else 0)
    return 0
