"""Statements: what they become in the IR. Structured code is compared with the blocks it is lowered to, as text."""

from __future__ import annotations

import pytest

from paddock.frontends.boogie import load
from paddock.frontends.source import Source
from paddock.ir.build import TRUE, arith, compare, eq, int_lit, not_, old, select, store
from paddock.ir.expr import App, Attribute, Construct, GetField, Is, Op, SetField
from paddock.ir.program import global_var, local_var
from paddock.ir.stmt import Assert, Assign, Assume, Block, Call, Goto, Havoc, ParCall, Return, Statement, Yield
from paddock.ir.types import BOOL, INT, Map, Named
from tests.unit.frontends.boogie.loading import loaded

INT_MAP = Map((INT,), INT)
PAIR = Named("Pair", ())
X, Y, B = local_var("x", INT), local_var("y", INT), local_var("b", BOOL)
M, N = local_var("m", INT_MAP), local_var("n", Map((INT, BOOL), INT_MAP))
P, Q = local_var("p", PAIR), local_var("q", Map((INT,), PAIR))
G = global_var("g", INT)
ZERO, ONE, TWO = int_lit(0), int_lit(1), int_lit(2)


def blocks(body: str) -> tuple[Block, ...]:
    program = loaded(
        f"""
        datatype Pair {{ Pair(first: int, second: bool), None() }}
        var g: int;
        procedure Get(i: int) returns (r: int, c: bool);
        procedure Run();
        procedure main() modifies g;
        {{
          var x, y: int; var b: bool; var m: [int]int; var n: [int,bool][int]int; var p: Pair; var q: [int]Pair;
          {body}
        }}"""
    )
    main = program.procedure_named["main"].body
    assert main is not None
    return main.blocks


def statements(body: str) -> tuple[Statement, ...]:
    (block,) = blocks(body)
    assert block.transfer == Return()
    return block.statements


# --- simple statements ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("assert b;", Assert(B)),
        ('assert {:msg "no", x} b;', Assert(B, (Attribute("msg", ("no", X)),))),
        ("assume {:a} {:captureState 1} b;", Assume(B, (Attribute("a"), Attribute("captureState", (ONE,))))),
        ("assert old(g) == g;", Assert(eq(old(G), G))),
        ("x := x + 1;", Assign((X,), (arith(Op.ADD, X, ONE),))),
        ("x, y := y, x;", Assign((X, Y), (Y, X))),
        ("g := {:a} 1;", Assign((G,), (ONE,), (Attribute("a"),))),
        ("m[x] := 1;", Assign((M,), (store(M, [X], ONE),))),
        ("m[x], y := 1, m[x];", Assign((M, Y), (store(M, [X], ONE), select(M, X)))),
        ("n[x, b][y] := 1;", Assign((N,), (store(N, [X, B], store(select(N, X, B), [Y], ONE)),))),
        ("p->first := 1;", Assign((P,), (App(SetField("first"), (P, ONE), PAIR),))),
        (
            "q[x]->first := 1;",
            Assign((Q,), (store(Q, [X], App(SetField("first"), (select(Q, X), ONE), PAIR)),)),
        ),
        ("havoc x, g;", Havoc((X, G))),
        ("havoc x, y, x;", Havoc((X, Y))),
        ("call Run();", Call("Run", ())),
        ("call {:a} x, b := Get(y + 1);", Call("Get", (arith(Op.ADD, Y, ONE),), (X, B), attributes=(Attribute("a"),))),
        ("call g, b := Get(1);", Call("Get", (ONE,), (G, B))),
        ("free call Run();", Call("Run", (), free=True)),
        ("async call Get(1);", Call("Get", (ONE,), asynchronous=True)),
        ("par Run() | x, b := Get(1);", ParCall((Call("Run", ()), Call("Get", (ONE,), (X, B))))),
        ("par Run();", Call("Run", ())),
        ("yield;", Yield()),
        ("yield {:a};", Yield((Attribute("a"),))),
    ],
)
def test_simple_statement(text: str, meaning: Statement) -> None:
    assert statements(text) == (meaning,)


def test_unpacking_asserts_the_constructor() -> None:
    value = App(Construct("Pair"), (X, B), PAIR)
    fields = (App(GetField("first"), (value,), INT), App(GetField("second"), (value,), BOOL))
    found = statements("Pair(y, b) := {:a} Pair(x, b);")
    assert found == (Assert(App(Is("Pair"), (value,), BOOL)), Assign((Y, B), fields, (Attribute("a"),)))
    assert str(found[0].origin.provenance) == "unpack"


def test_reveal_and_hide_are_no_statements() -> None:
    assert statements("push; hide *; reveal f; pop; x := 1;") == (Assign((X,), (ONE,)),)


# --- blocks --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("structured", "lowered"),
    [
        ("", "anon0: return;"),
        ("x := 1; x := 2;", "anon0: x := 1; x := 2; return;"),
        ("here:", "here: return;"),
        ("x := 1; here: x := 2;", "anon0: x := 1; goto here; here: x := 2; return;"),
        ("here: there: x := 2;", "here: goto there; there: x := 2; return;"),
        ("goto b1, b2; b1: x := 1; b2: return;", "anon0: goto b1, b2; b1: x := 1; goto b2; b2: return;"),
        # What follows a jump is in a block of its own that nothing leads to.
        ("return; x := 1;", "anon0: return; anon1: x := 1; return;"),
        (
            "anon0: x := 1; goto anon1; x := 2; anon1: return;",
            "anon0: x := 1; goto anon1; anon2: x := 2; goto anon1; anon1: return;",
        ),
        # branches
        (
            "if (b) { x := 1; } y := 2;",
            """anon0: goto anon1_Then, anon2_Else;
            anon1_Then: assume {:partition} b; x := 1; goto anon3;
            anon2_Else: assume {:partition} !b; goto anon3;
            anon3: y := 2; return;""",
        ),
        (
            "if {:likely} (*) { x := 1; } else { return; }",
            """anon0: goto {:likely} anon1_Then, anon2_Else;
            anon1_Then: x := 1; goto anon3;
            anon2_Else: return;
            anon3: return;""",
        ),
        (
            "if (b) { x := 1; } else if (x > 0) { x := 2; } else { x := 3; }",
            """anon0: goto anon1_Then, anon2_Else;
            anon1_Then: assume {:partition} b; x := 1; goto anon3;
            anon2_Else: assume {:partition} !b; goto anon4_Then, anon5_Else;
            anon4_Then: assume {:partition} x > 0; x := 2; goto anon6;
            anon5_Else: assume {:partition} !(x > 0); x := 3; goto anon6;
            anon6: goto anon3;
            anon3: return;""",
        ),
        # loops
        (
            "while (b) { x := 1; } y := 2;",
            """anon0_LoopHead: goto anon1_LoopBody, anon2_LoopDone;
            anon1_LoopBody: assume {:partition} b; x := 1; goto anon0_LoopHead;
            anon2_LoopDone: assume {:partition} !b; y := 2; return;""",
        ),
        (
            "x := 0; while {:w} (*) invariant {:i} x > 0; free invariant b; { }",
            """anon0: x := 0; goto anon1_LoopHead;
            anon1_LoopHead: assert {:i} x > 0; assume b; goto {:w} anon2_LoopBody, anon3_LoopDone;
            anon2_LoopBody: goto anon1_LoopHead;
            anon3_LoopDone: return;""",
        ),
        (
            "x := 0; while (b) { x := 1; break; }",
            """anon0: x := 0; goto anon1_LoopHead;
            anon1_LoopHead: goto anon2_LoopBody, anon3_LoopDone;
            anon2_LoopBody: assume {:partition} b; x := 1; goto anon4;
            anon3_LoopDone: assume {:partition} !b; goto anon4;
            anon4: return;""",
        ),
        (
            "outer: while (*) { while (*) { break outer; } }",
            """outer: goto anon0_LoopHead;
            anon0_LoopHead: goto anon1_LoopBody, anon2_LoopDone;
            anon1_LoopBody: goto anon4_LoopHead;
            anon4_LoopHead: goto anon5_LoopBody, anon6_LoopDone;
            anon5_LoopBody: goto anon3;
            anon6_LoopDone: goto anon0_LoopHead;
            anon2_LoopDone: goto anon3;
            anon3: return;""",
        ),
        (
            "outer: if (*) { x := 1; break outer; } else { break outer; }",
            """outer: goto anon0_Then, anon1_Else;
            anon0_Then: x := 1; goto anon2;
            anon1_Else: goto anon2;
            anon2: return;""",
        ),
        # jumps into and out of structured code
        (
            "x := 0; goto inside; while (*) { inside: x := 1; if (*) { goto done; } } done: y := 1;",
            """anon0: x := 0; goto inside;
            anon1_LoopHead: goto anon2_LoopBody, anon3_LoopDone;
            anon2_LoopBody: goto inside;
            inside: x := 1; goto anon5_Then, anon6_Else;
            anon5_Then: goto done;
            anon6_Else: goto anon7;
            anon7: goto anon1_LoopHead;
            anon3_LoopDone: goto done;
            done: y := 1; return;""",
        ),
    ],
)
def test_lowering(structured: str, lowered: str) -> None:
    assert blocks(structured) == blocks(lowered)


def test_lowering_keeps_places() -> None:
    text = "procedure main(b: bool)\n{\n  while (b)\n    invariant b;\n  {\n    assert b;\n  }\n}\n"
    body = load([Source(text, "f")]).procedures[0].implementations[0].blocks
    origins = {
        block.label: [(s.origin.line, s.origin.column, str(s.origin.provenance)) for s in block.statements]
        for block in body
    }
    assert origins["anon0_LoopHead"] == [(4, 5, "loop invariant")]
    assert origins["anon1_LoopBody"] == [(3, 10, ""), (6, 5, "")]
    assert origins["anon2_LoopDone"] == [(3, 10, "")]
    done = body[-1]
    assert done.statements == (Assume(not_(B), (Attribute("partition"),)),)
    assert (done.transfer, done.transfer.origin.line) == (Return(), 8)


def test_conditions_mean_what_they_say() -> None:
    head, then, otherwise, after = blocks("if (x > 1) { assert true; }")
    assert head.transfer == Goto((then.label, otherwise.label))
    guard = compare(Op.GT, X, ONE)
    partition = (Attribute("partition"),)
    assert then.statements == (Assume(guard, partition), Assert(TRUE))
    assert otherwise.statements == (Assume(not_(guard), partition),)
    assert then.transfer == otherwise.transfer == Goto((after.label,))
