"""The expressions of the IR: five kinds of node, each with its type.

`App` carries what a node does in an operator; there are no node classes per operator, so traversal
needs to know only `children` and `rebuild` (in `walk.py`). Expressions are interned and have no
position: the statement or declaration that holds one knows where it came from.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from paddock.ir.intern import Term
from paddock.ir.types import Type


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


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True, eq=False)
class Extract(Term):
    """`e[high:low]`: the bits low … high-1 of a bit-vector."""

    high: int
    low: int


@dataclass(frozen=True, slots=True, eq=False)
class Fn(Term):
    """Application of a declared function."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Construct(Term):
    """Application of a datatype's constructor."""

    constructor: str


@dataclass(frozen=True, slots=True, eq=False)
class Is(Term):
    """`e is C`."""

    constructor: str


@dataclass(frozen=True, slots=True, eq=False)
class GetField(Term):
    """`e->f`. Unspecified where e's constructor has no such field."""

    field: str


@dataclass(frozen=True, slots=True, eq=False)
class SetField(Term):
    """`e->(f := v)`; args: e, v. Rebuilds with the constructor that has f."""

    field: str


Operator = Op | Extract | Fn | Construct | Is | GetField | SetField

LiteralValue = bool | int | Fraction | str


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Lit(Expr):
    """A literal. The type says how to read the value: `bool`, `int` and `bvN` (unsigned) as themselves,
    `real` a Fraction, `floatSeE` an int with the IEEE 754 bits, `rmode` and `string` a str."""

    value: LiteralValue
    type: Type


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Var(Expr):
    """A variable or constant."""

    name: str
    type: Type
    scope: Scope


@dataclass(frozen=True, slots=True, eq=False, repr=False)
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


@dataclass(frozen=True, slots=True)
class Trigger:
    """`{ t1, t2 }`, or with `positive` false `{:nopats t}`: do not match on this."""

    terms: tuple[Expr, ...]
    positive: bool = True


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Binder(Expr):
    """`(forall x: T, … :: {:attr} { triggers } body)`, likewise `exists` and `lambda`."""

    kind: Quantifier
    vars: tuple[Var, ...]
    var_attributes: tuple[Attributes, ...]  # one for each variable
    attributes: Attributes
    triggers: tuple[Trigger, ...]
    body: Expr
    type: Type


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Let(Expr):
    """`(var x, y := e, f; body)`; the values do not see the variables."""

    vars: tuple[Var, ...]
    values: tuple[Expr, ...]
    attributes: Attributes
    body: Expr
    type: Type
