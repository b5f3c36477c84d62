"""The fixed point of the pass `facts`: what is known wherever an execution of the program can be.

A forward analysis of all procedures at once, without contexts: what is known when a procedure is entered
holds at all calls of it that can be reached, and what is known when it returns is used at all of them. It
starts from nothing being reachable and follows executions, so it is optimistic about recursion; where
there are cycles, widening makes it end.
"""

from __future__ import annotations

from heapq import heappop, heappush

from paddock.analysis.facts.calls import at_entry, at_exit, return_from
from paddock.analysis.facts.graph import Flow, FlowGraph, Segment
from paddock.analysis.facts.state import State, Widening, all_done, join
from paddock.ir.program import Program


def analysed(program: Program) -> dict[str, Flow]:
    """The procedures that can be called, with what is known in them. Raises `Concurrent`."""
    graph = FlowGraph(program)
    _Analysis(graph).run()
    return graph.flows


class _Analysis:
    def __init__(self, graph: FlowGraph) -> None:
        self.flows = list(graph.flows.values())
        self.of = graph.flows
        self.thresholds = graph.thresholds
        self.widenings: dict[object, Widening] = {}
        # Two heaps of procedures with segments that wait. Callers that go on into their callees come first, so
        # that a callee is gone over when most is known about its calls; then callees that return.
        self.entered: list[int] = []
        self.returned: list[int] = []
        self._enter(graph.flows[graph.entry], State())

    def run(self) -> None:
        while self.entered or self.returned:
            order = -heappop(self.entered) if self.entered else heappop(self.returned)
            self._go_over(self.flows[order])

    def _go_over(self, flow: Flow) -> None:
        """Bring all segments of a procedure up to date."""
        while flow.waiting:
            segment = flow.segments[heappop(flow.waiting)]
            segment.is_waiting = False
            state = _after_steps(segment)
            if state is None:
                continue
            if segment.returns:
                self._return(flow, state)
            elif segment.call is not None:
                self._enter(self.of[segment.call.callee.procedure.name], at_entry(state, segment.call))
            for target in segment.targets:
                self._arrive(target, state)

    def _wait(self, segment: Segment) -> None:
        if not segment.is_waiting:
            segment.is_waiting = True
            heappush(segment.flow.waiting, segment.index)

    def _arrive(self, segment: Segment, state: State) -> None:
        old = segment.state
        if old is not None:
            if segment.is_join:
                state = join(old, state, self._widening(segment) if segment.is_head else None)
                if state is old:
                    return
            elif old.says_the_same_as(state):
                return
        segment.state = state
        self._wait(segment)

    def _enter(self, flow: Flow, state: State) -> None:
        old = flow.summary.entry
        if old is not None:
            state = join(old, state, self._widening((flow, "entry")))
            if state is old:
                return
        flow.summary.entry = flow.segments[0].state = state
        self._wait(flow.segments[0])
        heappush(self.entered, -flow.order)

    def _return(self, flow: Flow, state: State) -> None:
        old, state = flow.summary.exit, at_exit(state, flow.summary)
        if old is not None:
            state = join(old, state, self._widening((flow, "exit")))
            if state is old:
                return
        flow.summary.exit = state
        for segment in flow.call_sites:
            if segment.state is not None:
                self._wait(segment)
                heappush(self.returned, segment.flow.order)

    def _widening(self, place: object) -> Widening:
        if place not in self.widenings:
            self.widenings[place] = Widening(self.thresholds)
        return self.widenings[place]


def _after_steps(segment: Segment) -> State | None:
    """What is known at the end of a segment; None if no execution gets there."""
    state = segment.state
    assert state is not None
    if segment.returned is not None or segment.steps:
        state = state.copy()
        if segment.returned is not None and not return_from(state, segment.returned):
            return None
        if not all_done(segment.steps, state):
            return None
    return state
