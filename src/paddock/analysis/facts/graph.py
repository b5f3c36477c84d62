"""The program as the pass `facts` goes over it: procedures made of segments, segments made of steps.

A segment goes on over several blocks as long as there is one way only, and ends at each call of a procedure with a
body: when more becomes known about its return, only what comes after the call needs to be gone over again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from paddock.analysis.facts.calls import CallSite, Summary, at_exit, return_from
from paddock.analysis.facts.cells import Cells
from paddock.analysis.facts.state import State, Step, add_step, all_done
from paddock.analysis.facts.transfer import Transfer
from paddock.analysis.facts.values import is_tracked
from paddock.ir.callgraph import CallGraph
from paddock.ir.cfg import Cfg
from paddock.ir.entry import entry_name
from paddock.ir.expr import Expr
from paddock.ir.modref import mod_ref
from paddock.ir.program import Implementation, Program
from paddock.ir.stmt import Call, ParCall, Return, Yield


class Concurrent(Exception):
    """The program has threads, of which this analysis knows nothing."""


class Segment:
    """Steps in a row; before them a call may return, after them another may begin."""

    __slots__ = (
        "call",
        "flow",
        "index",
        "is_head",
        "is_join",
        "is_waiting",
        "returned",
        "returns",
        "state",
        "steps",
        "targets",
    )

    def __init__(self, flow: Flow, returned: CallSite | None = None) -> None:
        self.flow = flow
        self.index = len(flow.segments)
        self.returned = returned
        self.steps: list[Step] = []
        self.call: CallSite | None = None
        self.targets: Sequence[Segment] = ()  # with a call, what goes on after it
        self.returns = False
        self.is_join = False  # it has several predecessors
        self.is_head = False  # a cycle of blocks comes back to it
        self.state: State | None = None  # what is known at its start, before the return; None: it is not reached
        self.is_waiting = False  # its state has changed, or what the callee returns
        flow.segments.append(self)


class Body:
    """Where the blocks of an implementation are among the segments, which follow its reverse postorder."""

    __slots__ = ("after_calls", "cfg", "heads")

    def __init__(self, cfg: Cfg) -> None:
        self.cfg = cfg
        self.heads: dict[str, Segment] = {}  # the segments that blocks begin; other blocks continue segments
        self.after_calls: dict[str, int] = {}  # the first of the segments that calls in a block begin


class Flow:
    """The segments of a procedure. The first assumes what it requires; those of its bodies follow."""

    def __init__(self, summary: Summary, order: int) -> None:
        self.summary = summary
        self.order = order  # callees have smaller numbers than callers, unless they are mutually recursive
        self.segments: list[Segment] = []
        self.bodies: list[Body] = []
        self.call_sites: list[Segment] = []  # what goes on after calls of this procedure
        self.waiting: list[int] = []  # a heap of segments


class FlowGraph:
    """The procedures that can be called, by name and with their segments; with `cells`, stores in maps are followed.
    Raises `Concurrent`."""

    def __init__(self, program: Program, cells: Cells | None = None) -> None:
        self._transfer = Transfer(program, cells)
        calls = CallGraph(program)
        effects = mod_ref(program)
        self.entry = entry_name(program)
        called = set(calls.reachable([self.entry]))
        names = [name for group in calls.components for name in group if name in called]
        self.flows = {
            name: Flow(Summary(program.procedure_named[name], effects[name], cells), order)
            for order, name in enumerate(names)
        }
        for flow in self.flows.values():
            self._build(flow)
        self.thresholds = self._transfer.thresholds

    def _build(self, flow: Flow) -> None:
        summary, procedure = flow.summary, flow.summary.procedure
        starting = self._assumptions(clause.condition for clause in procedure.requires)
        ending = self._assumptions(clause.condition for clause in procedure.ensures)
        all_done(starting, summary.required)
        returns = all_done(ending, summary.ensured)
        if not procedure.implementations:
            summary.exit = at_exit(summary.ensured, summary) if returns else None
            return
        start = Segment(flow)
        start.steps = starting
        for implementation in procedure.implementations:
            flow.bodies.append(self._body(flow, implementation, ending))
        start.targets = [body.heads[body.cfg.entry] for body in flow.bodies]

    def _assumptions(self, conditions: Iterable[Expr]) -> list[Step]:
        return [step for condition in conditions for step in self._transfer.assumption(condition)]

    def _body(self, flow: Flow, implementation: Implementation, ending: list[Step]) -> Body:
        cfg = Cfg(implementation)
        order = cfg.reverse_postorder
        ways_in = dict.fromkeys(order, 0)
        ways_in[cfg.entry] = 1
        for label in order:
            for successor in cfg.successors[label]:
                ways_in[successor] += 1
        body = Body(cfg)
        continued: dict[str, Segment] = {}  # the segments that blocks continue
        jumps: list[tuple[Segment, list[str]]] = []
        for label in order:
            segment = continued.get(label)
            if segment is None:
                segment = body.heads[label] = Segment(flow)
                segment.is_join = ways_in[label] > 1
            count = len(flow.segments)
            for statement in cfg.blocks[label].statements:
                if isinstance(statement, Call):
                    segment = self._call(segment, statement)
                elif isinstance(statement, ParCall | Yield):
                    raise Concurrent
                else:
                    for step in self._transfer.steps(statement):
                        add_step(segment.steps, step)
            if len(flow.segments) > count:
                body.after_calls[label] = count
            successors = cfg.successors[label]
            if isinstance(cfg.blocks[label].transfer, Return):
                segment.steps += ending
                segment.returns = True
            elif len(successors) == 1 and ways_in[successors[0]] == 1:
                continued[successors[0]] = segment
            else:
                jumps.append((segment, successors))
        for segment, successors in jumps:
            segment.targets = [body.heads[label] for label in successors]
            for target in segment.targets:
                target.is_head = target.is_head or target.index <= segment.index
        return body

    def _call(self, segment: Segment, call: Call) -> Segment:
        """Continue a segment with a call; the segment that goes on after it."""
        if call.asynchronous:
            raise Concurrent
        callee = self.flows[call.procedure]
        meaning = self._transfer.expressions.meaning
        arguments = tuple([meaning(arg) for arg in call.args if is_tracked(arg.type)])
        results = tuple([var for var in call.results if is_tracked(var.type)])
        site = CallSite(callee.summary, arguments, results, call.results)
        if not callee.summary.procedure.implementations:
            segment.steps.append((return_from, site, None))
            return segment
        after = Segment(segment.flow, site)
        segment.call = site
        segment.targets = (after,)
        callee.call_sites.append(after)
        return after
