"""Threads of the interpreter, and who runs when."""

from __future__ import annotations

from paddock.frontends.boogie import Source, load
from paddock.trace.interpreter import Interpreter
from paddock.trace.oracle import ScriptedOracle
from paddock.trace.run import Blocked, Failed, Kind, Returned, Run
from paddock.trace.schedule import NEVER, RoundRobin, ThreadScript

PROGRAM = """
var x: int;
var {:thread_local} own: int;
procedure add(n: int) { var t: int; own := n; t := x; yield; x := t + own; }
procedure main()
{
  own := 7;
  x := 0;
  async call add(1);
  async call add(2);
  yield;
  assert own == 7;
  assert x == 3;
}
"""


def script(start: int, rounds: list[int], values: list[int], *children: ThreadScript) -> ThreadScript:
    return ThreadScript(ScriptedOracle([], values), start, rounds, list(children))


def run(text: str, entry: ThreadScript) -> Run:
    program = load([Source(text)], check_modifies=False)
    return Interpreter(program).run(entry.oracle, scheduler=RoundRobin(entry))


def thread(start: int, *rounds: int) -> ThreadScript:
    return script(start, list(rounds), [0, 0])  # its own variable and its local


def order(outcome: Run) -> list[int]:
    return [step.thread for step in outcome.steps if step.kind is Kind.SWITCH]


def test_one_after_the_other() -> None:
    done = run(PROGRAM, script(1, [4], [0, 0], thread(2, 2), thread(3, 3)))
    assert done.outcome == Returned()
    assert order(done) == [1, 2, 0]
    assert done.globals["x"] == 3


def test_an_update_is_lost() -> None:
    failed = run(PROGRAM, script(1, [4], [0, 0], thread(2, 3), thread(2, 2)))
    assert isinstance(failed.outcome, Failed)
    assert failed.outcome.what.origin.line == 13
    assert order(failed) == [1, 2, 1, 0]
    assert failed.globals == {"x": 1, "own": 7}
    assert [s.values for s in failed.steps if s.kind is Kind.SWITCH] == [{}, {}, {"x": 2}, {"x": 1}]


def test_contexts_are_counted() -> None:
    failed = run(PROGRAM, script(1, [4], [0, 0], thread(2, 3), thread(2, 2)))
    assert [(s.context, s.thread) for s in failed.steps if s.kind is Kind.SWITCH] == [(1, 1), (2, 2), (3, 1), (4, 0)]


def test_in_a_round_a_thread_comes_after_those_it_has_started() -> None:
    nested = """
    var log: int;
    procedure c() { log := 10 * log + 3; }
    procedure b() { log := 10 * log + 2; }
    procedure a() { async call c(); yield; log := 10 * log + 1; }
    procedure main() { log := 0; async call a(); async call b(); yield; log := 10 * log + 4; }
    """
    c, b = script(2, [], []), script(2, [], [])
    done = run(nested, script(1, [2], [0], script(1, [2], [], c), b))
    assert done.globals["log"] == 3124


def test_a_thread_that_has_no_script_never_runs() -> None:
    done = run(PROGRAM, script(1, [2], [0, 0]))
    assert isinstance(done.outcome, Failed)
    assert order(done) == []


def test_a_thread_may_stop_for_good() -> None:
    done = run(PROGRAM, script(1, [NEVER], [0, 0], thread(1, NEVER)))
    assert done.outcome == Returned()
    assert done.globals["x"] == 0


def test_preconditions_of_a_thread_are_those_of_its_start() -> None:
    text = "var x: int; procedure p() requires x > 0; free requires x > 1; { } "
    start = text + "procedure main() { x := %d; async call p(); x := 0; yield; }"
    assert isinstance(run(start % 0, script(1, [9], [0], script(2, [], []))).outcome, Failed)
    assert isinstance(run(start % 1, script(1, [9], [0], script(2, [], []))).outcome, Blocked)
    assert run(start % 2, script(1, [9], [0], script(2, [], []))).outcome == Returned()
