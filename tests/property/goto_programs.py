"""Random small programs with jumps, calls, contracts and `where` clauses, as text, all of whose runs are short.

Every block first takes one unit of `fuel`, so that brute force can see all runs, and stands on a line
of its own, so that two assertions are never confused.
"""

from __future__ import annotations

from hypothesis import strategies as st

from paddock.ir.program import Program
from paddock.ir.types import BOOL, Type
from paddock.trace.explore import every_run
from paddock.trace.interpreter import Limits
from paddock.trace.run import Cut, Failed, Returned, Undetermined
from paddock.trace.values import Value

FUEL = 4
SMALL = "g == 0", "g < 2", "b", "g != x", "x == y", "!b || y > 0", "true"


def conditions(old: bool) -> st.SearchStrategy[str]:
    return st.sampled_from((*SMALL, "g == old(g)", "old(b) || x <= old(g + y)") if old else SMALL)


@st.composite
def statements(draw: st.DrawFn, callees: tuple[str, ...]) -> str:
    kind = draw(st.sampled_from(["assign", "assign", "assert", "assume", "havoc", "call"]))
    match kind:
        case "assign":
            value = draw(st.sampled_from(["0", "1", "x + y", "g + 1", "old(g)"]))
            return draw(st.sampled_from([f"x := {value};", f"g := {value};", "x, y := y, x;", "b := !b;"]))
        case "havoc":
            return draw(st.sampled_from(["havoc x;", "havoc b;", "havoc y, x;"]))
        case "call":
            return draw(st.sampled_from(callees))
        case _:
            return f"{kind} {draw(conditions(old=True))};"


@st.composite
def bodies(draw: st.DrawFn, callees: tuple[str, ...]) -> str:
    """Blocks with arbitrary jumps between them: loops, nested and entered anywhere, and dead code."""
    count = draw(st.integers(2, 4))
    labels = [f"l{n}" for n in range(count)]
    lines = [draw(st.sampled_from(["  var y: int;", "  var y: int where y >= x;"]))]
    for label in labels:
        code = " ".join(draw(st.lists(statements(callees), min_size=1, max_size=3)))
        targets = draw(st.lists(st.sampled_from(labels), max_size=2, unique=True))
        transfer = f"goto {', '.join(targets)};" if targets else "return;"
        lines.append(f"  {label}: fuel := fuel - 1; assume fuel >= 0; {code} {transfer}")
    return "\n{\n" + "\n".join(lines) + "\n}"


@st.composite
def clauses(draw: st.DrawFn) -> str:
    lines = []
    for _ in range(draw(st.integers(0, 2))):
        free = draw(st.sampled_from(["", "free "]))
        if draw(st.booleans()):
            lines.append(f"  {free}requires {draw(st.sampled_from(['g == 0', 'b', 'n < 1', 'n == g']))};")
        else:
            lines.append(f"  {free}ensures {draw(st.sampled_from(['g == old(g)', 'x == 0', 'b || x > n']))};")
    return "\n".join(lines)


@st.composite
def programs(draw: st.DrawFn) -> str:
    """`main` runs P, which runs itself and Q; P has one or two bodies, Q perhaps none."""
    callees = ("call x := Q(y);", "call g := Q(g);", "call x := P(x);", "free call x := Q(0);", "call main();")
    header = "(n: int) returns (x: int{where})"
    where = draw(st.sampled_from(["", "", " where x <= n"]))
    text = [
        "var g: int;" if draw(st.booleans()) else "var g: int where g == 0 || b;",
        "var b: bool;",
        "var started: bool;\nvar fuel: int;\nvar out: int;",
    ]
    for name, body_count in (("P", draw(st.integers(1, 2))), ("Q", draw(st.integers(0, 1)))):
        modified = "g, b, fuel, started, out" if body_count else "g, b"
        deeper = draw(st.sampled_from(["", "", "{:SIextraRecBound 1} "]))
        text.append(f"procedure {deeper}{name}{header.format(where=where)};\n  modifies {modified};\n{draw(clauses())}")
        for _ in range(body_count):
            text.append(f"implementation {name}{header.format(where='')}{draw(bodies(callees))}")
    text.append(
        f"""procedure main();
  modifies g, b, fuel, started, out;
implementation main()
{{
  start: goto first, again, end;
  first: assume !started; started, fuel := true, {FUEL}; goto run;
  again: assume started; fuel := fuel - 1; assume fuel >= 0; goto run;
  run: call out := P(0);
    goto end;
  end: assume g == g && b == b && fuel == fuel && out == out; return;
}}"""
    )
    return "\n".join(text)


@st.composite
def loop_programs(draw: st.DrawFn) -> str:
    """One procedure in which loops are likely, without contracts, calls and choices of little interest."""
    changes = ("g := g + 1;", "g := old(g) + x;", "x := x + 1;", "x := old(g);", "havoc y;", "x, y := y, x;", "")
    labels = ["l0", "l1", "l2"]
    lines = []
    for label in labels:
        code = " ".join(draw(st.lists(st.sampled_from(changes), min_size=1, max_size=3)))
        targets = draw(st.lists(st.sampled_from([*labels, "end"]), min_size=1, max_size=2, unique=True))
        lines.append(f"  {label}: fuel := fuel - 1; assume fuel >= 0; {code} goto {', '.join(targets)};")
    body = "\n".join(lines)
    return f"""var g: int;
var b: bool;
var fuel: int;
var out: int;
procedure main();
  modifies g, b, fuel, out;
implementation main()
{{
  var x: int;
  var y: int where y > x;
  start: g, b, fuel, x := 0, true, {FUEL}, 0; goto l0;
{body}
  end: out := 4 * x + y; return;
}}"""


def small(type_: Type) -> list[Value]:
    return [False, True] if type_ is BOOL else [0, 1]


def behaviour(program: Program, max_runs: int) -> set[tuple[object, ...]] | None:
    """How the program can end: with which globals it returns, and which lines fail. None if it has more runs."""
    ends: set[tuple[object, ...]] = set()
    # A precondition fails where the call is, a postcondition where it is written.
    ensures = {c.origin.line for p in program.procedures for c in p.ensures}
    for n, run in enumerate(every_run(program, None, small, Limits(steps=2000))):
        if n == max_runs:
            return None
        match run.outcome:
            case Returned():
                ends.add(("returned", *(run.globals[name] for name in ("g", "b", "fuel", "out"))))
            case Failed(what, _, origin):
                ends.add(("failed", what.origin.line if what.origin.line in ensures else origin.line))
            case Cut() | Undetermined():
                raise AssertionError(f"a run of a small program ended in {run.outcome}")
            case _:
                pass
    return ends
