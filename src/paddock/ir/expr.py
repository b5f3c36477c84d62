"""The expressions of the IR: five kinds of node, each with its type.

`App` carries what a node does in an operator; there are no node classes per operator, so traversal
needs to know only `children` and `rebuild` (in `walk.py`). Expressions are interned and have no
position: the statement or declaration that holds one knows where it came from.
"""

from __future__ import annotations

from enum import Enum
from fractions import Fraction
from typing import NoReturn

from paddock.frozen import frozen
from paddock.ir.intern import Term
from paddock.ir.types import BOOL, INT, Map, Type


class Expr(Term):
    """Base of all expressions. Interned: compare them with `is` or `==`."""

    __slots__ = ()
    type: Type

    def __str__(self) -> str:
        from paddock.ir.printer import expr_text

        return expr_text(self)

    def __repr__(self) -> str:
        from paddock.ir.printer import short_text

        return f"<{type(self).__name__} {short_text(self, 200)}>"

    # Boogie's operators as Python's, for programs that are built in Python; a number or a Boolean is a literal. `==` is
    # taken: it says whether two expressions are the same one.

    def __add__(self, other: Expr | int) -> Expr:
        return _arithmetic(Op.ADD, self, other)

    def __radd__(self, other: int) -> Expr:
        return _arithmetic(Op.ADD, other, self)

    def __sub__(self, other: Expr | int) -> Expr:
        return _arithmetic(Op.SUB, self, other)

    def __rsub__(self, other: int) -> Expr:
        return _arithmetic(Op.SUB, other, self)

    def __mul__(self, other: Expr | int) -> Expr:
        return _arithmetic(Op.MUL, self, other)

    def __rmul__(self, other: int) -> Expr:
        return _arithmetic(Op.MUL, other, self)

    def __floordiv__(self, other: Expr | int) -> Expr:
        """`div`, Euclidean as in Boogie (Python's `//` rounds down)."""
        return _arithmetic(Op.DIV, self, other)

    def __mod__(self, other: Expr | int) -> Expr:
        """`mod`, never negative as in Boogie."""
        return _arithmetic(Op.MOD, self, other)

    def __neg__(self) -> Expr:
        return App(Op.NEG, (self,), self.type)

    def __lt__(self, other: Expr | int) -> Expr:
        return _relation(Op.LT, self, other)

    def __le__(self, other: Expr | int) -> Expr:
        return _relation(Op.LE, self, other)

    def __gt__(self, other: Expr | int) -> Expr:
        return _relation(Op.GT, self, other)

    def __ge__(self, other: Expr | int) -> Expr:
        return _relation(Op.GE, self, other)

    def equals(self, other: Expr | int | bool) -> Expr:
        return _relation(Op.EQ, self, other)

    def differs(self, other: Expr | int | bool) -> Expr:
        return _relation(Op.NE, self, other)

    def __and__(self, other: Expr | bool) -> Expr:
        return _relation(Op.AND, self, other)

    def __or__(self, other: Expr | bool) -> Expr:
        return _relation(Op.OR, self, other)

    def __invert__(self) -> Expr:
        return App(Op.NOT, (self,), BOOL)

    def implies(self, other: Expr | bool) -> Expr:
        return _relation(Op.IMPLIES, self, other)

    def __getitem__(self, indices: Expr | int | tuple[Expr | int, ...]) -> Expr:
        """An element of a map."""
        if not isinstance(self.type, Map):
            raise TypeError(f"{self} is no map")
        given = indices if isinstance(indices, tuple) else (indices,)
        return App(Op.SELECT, (self, *map(_operand, given)), self.type.range)

    def __iter__(self) -> NoReturn:
        raise TypeError("an expression has no elements to go through")


@frozen
class Attribute:
    """`{:name p1, p2}`; a parameter is a string or an expression."""

    name: str
    params: tuple[str | Expr, ...] = ()


Attributes = tuple[Attribute, ...]


class Scope(Enum):
    """What kind of thing a variable is; a local may shadow a global of the same name."""

    GLOBAL = "global"
    LOCAL = "local"  # parameters, results and locals of a procedure
    BOUND = "bound"  # bound by a quantifier, a lambda, a let or a function's parameter list
    CONST = "const"


class Op(Enum):
    """The operators without parameters of their own; the value is how Boogie spells them."""

    NOT = "!"
    NEG = "unary -"
    AND = "&&"
    OR = "||"
    IMPLIES = "==>"
    IFF = "<==>"
    EQ = "=="
    NE = "!="
    LT = "<"
    LE = "<="
    GT = ">"
    GE = ">="
    ADD = "+"
    SUB = "-"
    MUL = "*"
    DIV = "div"
    MOD = "mod"
    RDIV = "/"
    POW = "**"
    CONCAT = "++"
    ITE = "if"
    SELECT = "[]"  # args: the map, then the indices
    STORE = "[:=]"  # args: the map, the indices, then the value
    OLD = "old"
    TO_INT = "int"
    TO_REAL = "real"

    # Members are singletons; hashing by identity is several times faster than Enum's own hash.
    __hash__ = object.__hash__


@frozen(eq=False)
class Extract(Term):
    """`e[high:low]`: the bits low … high-1 of a bit-vector."""

    high: int
    low: int


@frozen(eq=False)
class Fn(Term):
    """Application of a declared function."""

    name: str


@frozen(eq=False)
class Construct(Term):
    """Application of a datatype's constructor."""

    constructor: str


@frozen(eq=False)
class Is(Term):
    """`e is C`."""

    constructor: str


@frozen(eq=False)
class GetField(Term):
    """`e->f`. Unspecified where e's constructor has no such field."""

    field: str


@frozen(eq=False)
class SetField(Term):
    """`e->(f := v)`; args: e, v. Rebuilds with the constructor that has f."""

    field: str


Operator = Op | Extract | Fn | Construct | Is | GetField | SetField

LiteralValue = bool | int | Fraction | str


@frozen(eq=False)
class Lit(Expr):
    """A literal. The type says how to read the value: `bool`, `int` and `bvN` (unsigned) as themselves,
    `real` a Fraction, `floatSeE` an int with the IEEE 754 bits, `rmode` and `string` a str."""

    value: LiteralValue
    type: Type


@frozen(eq=False)
class Var(Expr):
    """A variable or constant."""

    name: str
    type: Type
    scope: Scope


@frozen(eq=False)
class App(Expr):
    """An operator applied to arguments."""

    op: Operator
    args: tuple[Expr, ...]
    type: Type


class Quantifier(Enum):
    FORALL = "forall"
    EXISTS = "exists"
    LAMBDA = "lambda"

    __hash__ = object.__hash__


@frozen
class Trigger:
    """`{ t1, t2 }`, or with `positive` false `{:nopats t}`: do not match on this."""

    terms: tuple[Expr, ...]
    positive: bool = True


@frozen(eq=False)
class Binder(Expr):
    """`(forall x: T, … :: {:attr} { triggers } body)`, likewise `exists` and `lambda`."""

    kind: Quantifier
    vars: tuple[Var, ...]
    var_attributes: tuple[Attributes, ...]  # one for each variable
    attributes: Attributes
    triggers: tuple[Trigger, ...]
    body: Expr
    type: Type


@frozen(eq=False)
class Let(Expr):
    """`(var x, y := e, f; body)`; the values do not see the variables."""

    vars: tuple[Var, ...]
    values: tuple[Expr, ...]
    attributes: Attributes
    body: Expr
    type: Type


def _operand(given: Expr | int) -> Expr:
    if isinstance(given, bool):
        return Lit(given, BOOL)
    if isinstance(given, int):
        return Lit(given, INT) if given >= 0 else App(Op.NEG, (Lit(-given, INT),), INT)
    return given


def _arithmetic(op: Op, left: Expr | int, right: Expr | int) -> Expr:
    a, b = _operand(left), _operand(right)
    return App(op, (a, b), a.type)


def _relation(op: Op, left: Expr | int, right: Expr | int) -> Expr:
    return App(op, (_operand(left), _operand(right)), BOOL)
