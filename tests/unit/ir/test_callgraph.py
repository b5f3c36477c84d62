"""The call graph."""

from __future__ import annotations

from paddock.frontends.boogie import load
from paddock.frontends.source import Source
from paddock.ir.callgraph import CallGraph, calls
from paddock.ir.program import Implementation, Procedure, Program
from paddock.ir.stmt import Block, Call, Return

PROGRAM = load(
    [
        Source("""
            procedure main() { call odd(); call log(); call odd(); async call worker(); }
            procedure odd() { if (*) { call even(); } }
            procedure even() { par odd() | log(); }
            procedure worker() { call worker(); }
            procedure log();
            procedure dead() { call log(); }
        """)
    ]
)
GRAPH = CallGraph(PROGRAM)


def test_callees_are_listed_once_in_source_order() -> None:
    assert GRAPH.callees == {
        "main": ["odd", "log", "worker"],
        "odd": ["even"],
        "even": ["odd", "log"],
        "worker": ["worker"],
        "log": [],
        "dead": ["log"],
    }


def test_callers() -> None:
    assert GRAPH.callers["log"] == ["main", "even", "dead"]
    assert GRAPH.callers["main"] == []


def test_components_come_callees_first() -> None:
    assert GRAPH.components == [["log"], ["odd", "even"], ["worker"], ["main"], ["dead"]]


def test_recursion() -> None:
    assert GRAPH.recursive == {"odd", "even", "worker"}


def test_reachable() -> None:
    assert GRAPH.reachable(["odd"]) == ["odd", "even", "log"]
    assert set(GRAPH.reachable(["main"])) == set(GRAPH.callees) - {"dead"}


def test_every_call_counts() -> None:
    assert [c.procedure for c in calls(PROGRAM.procedure_named["main"])] == ["odd", "log", "odd", "worker"]
    assert [c.procedure for c in calls(PROGRAM.procedure_named["even"])] == ["odd", "log"]


def test_undeclared_procedures_are_left_out() -> None:
    body = Implementation((), (Block("b", (Call("nowhere", ()),), Return()),))
    assert CallGraph(Program(procedures=(Procedure("p", implementations=(body,)),))).callees == {"p": []}


def test_deep_call_chains_do_not_overflow() -> None:
    def caller(name: str, callee: str) -> Procedure:
        return Procedure(name, implementations=(Implementation((), (Block("b", (Call(callee, ()),), Return()),)),))

    program = Program(procedures=tuple(caller(f"p{n}", f"p{n + 1}") for n in range(5_000)))
    assert [group[0] for group in CallGraph(program).components][:2] == ["p4999", "p4998"]
