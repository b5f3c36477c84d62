"""Random well-typed programs print and parse back to themselves."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from paddock.frontends.boogie import load
from paddock.frontends.boogie.triggers import trigger_problem
from paddock.frontends.source import Source
from paddock.ir.build import binder, bv_lit, int_lit
from paddock.ir.expr import (
    App,
    Attribute,
    Attributes,
    Construct,
    Expr,
    Extract,
    Fn,
    GetField,
    Is,
    Let,
    Lit,
    Op,
    Quantifier,
    Scope,
    SetField,
    Trigger,
    Var,
)
from paddock.ir.printer import program_text
from paddock.ir.program import (
    Axiom,
    Clause,
    Constant,
    Constructor,
    Datatype,
    Function,
    Implementation,
    Procedure,
    Program,
    TypeDecl,
    VarDecl,
)
from paddock.ir.stmt import (
    Assert,
    Assign,
    Assume,
    Block,
    Call,
    Goto,
    Havoc,
    ParCall,
    Return,
    Statement,
    Transfer,
    Yield,
)
from paddock.ir.types import BOOL, INT, REAL, RMODE, Bv, Float, Map, Named, Type
from paddock.ir.validate import check_valid

SORT = Named("Pair", (INT, Named("if", ())))
LIST = Named("List", ())
INT_MAP = Map((INT,), INT)
NESTED_MAP = Map((BOOL, INT), INT_MAP)
FLOAT = Float(11, 5)
TYPES: list[Type] = [BOOL, INT, REAL, RMODE, Bv(4), Bv(8), FLOAT, INT_MAP, NESTED_MAP, LIST, SORT]
FIELDS = {"head": INT, "tail": LIST, "goto": BOOL}
# Names that are hard on the printer: keywords, signs that are operators elsewhere, names of types and functions.
NAMES = ["x", "y", "assert", "$x.1", "f", "bv8", "x'", "left", "hide", "#", "RNE", "Cons"]
ARITHMETIC = [Op.ADD, Op.SUB, Op.MUL]
ORDER = [Op.LT, Op.LE, Op.GT, Op.GE]
LOGIC = [Op.AND, Op.OR, Op.IMPLIES, Op.IFF]


def type_id(type_: Type) -> str:
    return f"t{TYPES.index(type_)}"


class Expressions:
    """Random expressions over the variables in scope."""

    def __init__(self, rng: Random, variables: list[Var], old: bool = False) -> None:
        self.rng = rng
        self.variables = variables
        self.old = old

    def any(self, depth: int = 3) -> Expr:
        return self.of(self.rng.choice(TYPES), depth)

    def of(self, type_: Type, depth: int = 3) -> Expr:
        if depth <= 0 or self.rng.random() < 0.15:
            return self.leaf(type_)
        make = self.rng.choice(
            [self.common, self.common, self.particular, self.particular, self.particular, self.bound]
        )
        return make(type_, depth - 1)

    def leaf(self, type_: Type) -> Expr:
        rng = self.rng
        fitting = [v for v in self.variables if v.type is type_]
        if fitting and rng.random() < 0.6:
            return rng.choice(fitting)
        match type_:
            case Bv(width):
                return bv_lit(rng.getrandbits(width), width)
            case Float():
                return Lit(rng.choice([0, 0x8000, 0x7C00, 0xFC00, 0x7E00, rng.randrange(0x7C00), 0x9ABC]), type_)
            case _ if type_ is BOOL:
                return Lit(rng.random() < 0.5, BOOL)
            case _ if type_ is INT:
                return int_lit(rng.choice([0, 1, -7, 10**20]))
            case _ if type_ is REAL:
                return Lit(Fraction(rng.randrange(100), rng.choice([1, 8, 1000])), REAL)
            case _ if type_ is RMODE:
                return Lit(rng.choice(["RNE", "RTZ"]), RMODE)
            case _:
                return App(Fn(f"any_{type_id(type_)}"), (), type_)

    def common(self, type_: Type, depth: int) -> Expr:
        """An expression of a kind that every type has."""
        rng = self.rng
        match rng.randrange(4):
            case 0:
                return App(Op.ITE, (self.of(BOOL, depth), self.of(type_, depth), self.of(type_, depth)), type_)
            case 1:
                return App(Fn(f"of_{type_id(type_)}"), (self.of(INT, depth), self.of(type_, depth)), type_)
            case 2 if self.old:
                return App(Op.OLD, (self.of(type_, depth),), type_)
            case _:
                var = self.fresh(INT)
                body = Expressions(rng, [*self.variables, var], self.old).of(type_, depth)
                map_ = binder(Quantifier.LAMBDA, [var], body)
                return App(Op.SELECT, (map_, self.of(INT, depth)), type_)

    def particular(self, type_: Type, depth: int) -> Expr:
        """An expression of a kind that belongs to the type."""
        rng, of = self.rng, self.of
        match type_:
            case Bv(8) if rng.random() < 0.7:
                return App(Op.CONCAT, (of(Bv(4), depth), of(Bv(4), depth)), type_)
            case Bv(4):
                low = rng.randrange(5)
                return App(Extract(low + 4, low), (of(Bv(8), depth),), type_)
            case Float():
                if rng.random() < 0.3:
                    return App(Op.NEG, (of(type_, depth),), type_)
                return App(rng.choice([*ARITHMETIC, Op.RDIV]), (of(type_, depth), of(type_, depth)), type_)
            case Map(domain, range_):
                indices = [of(index, depth) for index in domain]
                return App(Op.STORE, (of(type_, depth), *indices, of(range_, depth)), type_)
            case _ if type_ is BOOL:
                return self.boolean(depth)
            case _ if type_ is INT:
                return self.integer(depth)
            case _ if type_ is REAL:
                op = rng.choice([*ARITHMETIC, Op.POW, Op.RDIV, Op.NEG, Op.TO_REAL])
                if op is Op.NEG:
                    return App(op, (of(REAL, depth),), REAL)
                if op is Op.TO_REAL:
                    return App(op, (of(INT, depth),), REAL)
                operand = INT if op is Op.RDIV and rng.random() < 0.3 else REAL
                return App(op, (of(operand, depth), of(REAL, depth)), REAL)
            case _ if type_ is LIST:
                match rng.randrange(3):
                    case 0:
                        return App(Construct("Cons"), (of(INT, depth), of(LIST, depth)), LIST)
                    case 1:
                        return App(GetField("tail"), (of(LIST, depth),), LIST)
                    case _:
                        field = rng.choice(list(FIELDS))
                        return App(SetField(field), (of(LIST, depth), of(FIELDS[field], depth)), LIST)
            case _:
                return self.leaf(type_)

    def boolean(self, depth: int) -> Expr:
        rng, of = self.rng, self.of
        match rng.randrange(8):
            case 0 | 1:
                return App(rng.choice(LOGIC), (of(BOOL, depth), of(BOOL, depth)), BOOL)
            case 2:
                return App(Op.NOT, (of(BOOL, depth),), BOOL)
            case 3:
                type_ = rng.choice(TYPES)
                return App(rng.choice([Op.EQ, Op.NE]), (of(type_, depth), of(type_, depth)), BOOL)
            case 4:
                return App(rng.choice([Op.EQ, Op.NE]), (of(BOOL, depth), of(BOOL, depth)), BOOL)
            case 5:
                type_ = rng.choice([INT, REAL, FLOAT])
                return App(rng.choice(ORDER), (of(type_, depth), of(type_, depth)), BOOL)
            case 6:
                return App(Is(rng.choice(["Nil", "Cons", "then"])), (of(LIST, depth),), BOOL)
            case _:
                return App(GetField("goto"), (of(LIST, depth),), BOOL)

    def integer(self, depth: int) -> Expr:
        rng, of = self.rng, self.of
        match rng.randrange(6):
            case 0:
                return App(Op.NEG, (of(INT, depth),), INT)
            case 1:
                return App(Op.TO_INT, (of(REAL, depth),), INT)
            case 2:
                return App(GetField("head"), (of(LIST, depth),), INT)
            case 3:
                return App(Op.SELECT, (of(INT_MAP, depth), of(INT, depth)), INT)
            case 4:
                row = App(Op.SELECT, (of(NESTED_MAP, depth), of(BOOL, depth), of(INT, depth)), INT_MAP)
                return App(Op.SELECT, (row, of(INT, depth)), INT)
            case _:
                return App(rng.choice([*ARITHMETIC, Op.DIV, Op.MOD]), (of(INT, depth), of(INT, depth)), INT)

    def fresh(self, type_: Type) -> Var:
        """A bound variable with a name that nothing in scope has."""
        taken = {v.name for v in self.variables}
        return Var(
            next(n for i in range(99) for n in (f"{name}#{i}" for name in NAMES) if n not in taken), type_, Scope.BOUND
        )

    def bound(self, type_: Type, depth: int) -> Expr:
        """A quantifier if the type allows, else a let."""
        rng = self.rng
        var = self.fresh(rng.choice(TYPES))
        inner = Expressions(rng, [*self.variables, var], self.old)
        if type_ is BOOL and rng.random() < 0.7:
            kind = rng.choice([Quantifier.FORALL, Quantifier.EXISTS])
            term = App(Fn(f"of_{type_id(var.type)}"), (inner.of(INT, depth), var), var.type)
            triggers = [Trigger((term,)), Trigger((inner.any(1),), positive=False)][: rng.randrange(3)]
            triggers = [t for t in triggers if trigger_problem(t, (var,)) is None]
            return binder(kind, [var], inner.of(BOOL, depth), triggers, inner.attributes())
        return Let((var,), (self.of(var.type, depth),), inner.attributes(), inner.of(type_, depth), type_)

    def attributes(self) -> Attributes:
        rng = self.rng
        if rng.random() < 0.8:
            return ()
        value = self.any(1)
        return (Attribute(rng.choice(["k", "weight", "assert"]), ("text", value)), Attribute("plain"))[
            : rng.randint(1, 2)
        ]


def declared(rng: Random, names: list[str], scope: Scope) -> list[Var]:
    return [Var(name, rng.choice(TYPES), scope) for name in names]


def random_program(rng: Random) -> Program:
    constants = declared(rng, ["c", "type"], Scope.CONST)
    globals_ = declared(rng, ["g", "h", "var"], Scope.GLOBAL)
    top = Expressions(rng, constants)
    with_globals = Expressions(rng, [*constants, *globals_])
    functions = [Function(f"any_{type_id(t)}", (), t) for t in TYPES]
    for type_ in TYPES:
        params = tuple(VarDecl(Var("", t, Scope.BOUND)) for t in (INT, type_))
        functions.append(Function(f"of_{type_id(type_)}", params, type_, attributes=top.attributes()))
    x, y = declared(rng, rng.sample(NAMES, 2), Scope.BOUND)
    body = Expressions(rng, [*constants, x, y]).any()
    functions.append(Function("f", (VarDecl(x), VarDecl(y, attributes=top.attributes())), body.type, body))
    fields = {name: VarDecl(Var(name, type_, Scope.BOUND)) for name, type_ in FIELDS.items()}
    constructors = (
        Constructor("Nil"),
        Constructor("Cons", (fields["head"], fields["tail"])),
        Constructor("then", (fields["goto"], fields["tail"])),
    )
    return Program(
        types=(
            TypeDecl("if"),
            TypeDecl("Pair", ("a", "b"), attributes=top.attributes()),
            TypeDecl("S", (), NESTED_MAP),
        ),
        datatypes=(Datatype("List", constructors),),
        constants=tuple(Constant(c, rng.random() < 0.5, top.attributes()) for c in constants),
        functions=tuple(functions),
        axioms=tuple(Axiom(top.of(BOOL, 4), top.attributes()) for _ in range(2)),
        globals=tuple(VarDecl(g, with_globals.of(BOOL) if rng.random() < 0.3 else None) for g in globals_),
        procedures=(random_procedure(rng, constants, globals_), Procedure("nothing", attributes=top.attributes())),
    )


def random_procedure(rng: Random, constants: list[Var], globals_: list[Var]) -> Procedure:
    names = rng.sample(NAMES, 6)
    params, results, locals_ = (declared(rng, names[n : n + 2], Scope.LOCAL) for n in (0, 2, 4))
    outer = [*constants, *globals_]
    before = Expressions(rng, [*outer, *params])
    after = Expressions(rng, [*outer, *params, *results], old=True)
    inside = Expressions(rng, [*outer, *params, *results, *locals_], old=True)
    local_where = Expressions(rng, inside.variables)
    labels = ["start", "goto", "l2"]
    assignable = [*globals_, *results, *locals_]

    def clause(expressions: Expressions) -> Clause:
        return Clause(expressions.of(BOOL), rng.random() < 0.5, expressions.attributes())

    def call(targets: list[Var], **flags: bool) -> Call:
        args = tuple(inside.of(p.type, 2) for p in params)
        return Call("p", args, tuple(targets), attributes=inside.attributes(), **flags)

    def statement() -> Statement:
        match rng.randrange(7):
            case 0:
                return Assume(inside.of(BOOL), inside.attributes())
            case 1:
                return Assert(inside.of(BOOL), inside.attributes())
            case 2:
                targets = rng.sample(assignable, rng.randint(1, 3))
                return Assign(tuple(targets), tuple(inside.of(t.type) for t in targets), inside.attributes())
            case 3:
                return Havoc(tuple(rng.sample(assignable, 2)))
            case 4:
                return call(results, free=rng.random() < 0.3)
            case 5:
                return call([], asynchronous=True) if rng.random() < 0.5 else Yield(inside.attributes())
            case _:
                return ParCall((call(results), Call("nothing", ())))

    def transfer() -> Transfer:
        if rng.random() < 0.4:
            return Return(inside.attributes())
        return Goto(tuple(rng.sample(labels, rng.randint(1, 3))), inside.attributes())

    def implementation() -> Implementation:
        blocks = tuple(
            Block(label, tuple(statement() for _ in range(rng.randrange(4))), transfer()) for label in labels
        )
        declarations = tuple(
            VarDecl(v, local_where.of(BOOL) if rng.random() < 0.3 else None, local_where.attributes()) for v in locals_
        )
        return Implementation(declarations, blocks, inside.attributes())

    return Procedure(
        "p",
        tuple(VarDecl(v, before.of(BOOL) if rng.random() < 0.3 else None, before.attributes()) for v in params),
        tuple(VarDecl(v) for v in results),
        tuple(clause(before) for _ in range(rng.randrange(3))),
        tuple(globals_),
        tuple(clause(after) for _ in range(rng.randrange(3))),
        tuple(implementation() for _ in range(rng.randrange(3))),
        before.attributes(),
    )


# A seed says nothing about the size of its program, so there is no use in looking for a smaller one.
@given(st.integers(0, 2**32))
@settings(max_examples=60, phases=set(Phase) - {Phase.shrink})
def test_programs_print_and_parse_back_to_themselves(seed: int) -> None:
    program = random_program(Random(seed))
    check_valid(program)
    text = program_text(program)
    again = load([Source(text)])
    assert again == program
    assert program_text(again) == text
