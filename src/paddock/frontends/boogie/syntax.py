"""The surface syntax of Boogie as the parser reads it: names unresolved, types unchecked, sugar kept.

Every node knows the offset of its token in the text (`pos`); `source.py` turns offsets into lines and
columns. The nodes are plain slotted records: they are made once, read once and thrown away.
"""

from __future__ import annotations

from fractions import Fraction

from paddock.frozen import mutable
from paddock.ir.expr import Op, Quantifier
from paddock.ir.types import Type

# --- types ---------------------------------------------------------------------------------------


@mutable(eq=False)
class NamedType:
    """`int`, `bv32`, `float24e8`, `C a b`: which of them it is, name resolution decides."""

    pos: int
    name: str
    args: list[TypeSyntax]


@mutable(eq=False)
class MapType:
    pos: int
    type_params: list[str]
    domain: list[TypeSyntax]
    range: TypeSyntax


TypeSyntax = NamedType | MapType

# --- expressions ---------------------------------------------------------------------------------


@mutable(eq=False)
class Name:
    pos: int
    name: str


@mutable(eq=False)
class Literal:
    pos: int
    value: bool | int | Fraction | str
    type: Type


@mutable(eq=False)
class Operation:
    """A built-in operator (all of `Op` but SELECT and STORE). `<==` and chained relations are already
    desugared: `a <== b` is IMPLIES(b, a); `a < b < c` is AND(a < b, b < c)."""

    pos: int
    op: Op
    args: list[ExprSyntax]


@mutable(eq=False)
class FunctionCall:
    """`f(args)`: a function or a constructor."""

    pos: int
    name: str
    args: list[ExprSyntax]


@mutable(eq=False)
class Select:
    """`map[indices]`."""

    pos: int
    map: ExprSyntax
    indices: list[ExprSyntax]


@mutable(eq=False)
class Store:
    """`map[indices := value]`."""

    pos: int
    map: ExprSyntax
    indices: list[ExprSyntax]
    value: ExprSyntax


@mutable(eq=False)
class BvExtract:
    pos: int
    operand: ExprSyntax
    high: int
    low: int


@mutable(eq=False)
class FieldAccess:
    pos: int
    operand: ExprSyntax
    field: str


@mutable(eq=False)
class FieldUpdate:
    pos: int
    operand: ExprSyntax
    field: str
    value: ExprSyntax


@mutable(eq=False)
class IsConstructor:
    pos: int
    operand: ExprSyntax
    constructor: str


@mutable(eq=False)
class Coercion:
    """`e: T`."""

    pos: int
    operand: ExprSyntax
    type: TypeSyntax


@mutable(eq=False)
class AttributeSyntax:
    pos: int
    name: str
    params: list[str | ExprSyntax]  # a str is a string literal


@mutable(eq=False)
class TriggerSyntax:
    """`{ t1, t2 }`, or `{:nopats t}` with positive false."""

    pos: int
    terms: list[ExprSyntax]
    positive: bool


@mutable(eq=False)
class Binding:
    """A variable in a declaration: `{:attr} name: type where e`. `type` is None in a `let`."""

    pos: int
    name: str
    type: TypeSyntax | None
    where: ExprSyntax | None
    attributes: list[AttributeSyntax]


@mutable(eq=False)
class Quantified:
    pos: int
    kind: Quantifier
    type_params: list[str]
    vars: list[Binding]
    attributes: list[AttributeSyntax]
    triggers: list[TriggerSyntax]
    body: ExprSyntax


@mutable(eq=False)
class LetIn:
    pos: int
    vars: list[Binding]
    values: list[ExprSyntax]
    attributes: list[AttributeSyntax]
    body: ExprSyntax


ExprSyntax = (
    Name
    | Literal
    | Operation
    | FunctionCall
    | Select
    | Store
    | BvExtract
    | FieldAccess
    | FieldUpdate
    | IsConstructor
    | Coercion
    | Quantified
    | LetIn
)

# --- statements ----------------------------------------------------------------------------------


@mutable(eq=False)
class AssumeSyntax:
    pos: int
    condition: ExprSyntax
    attributes: list[AttributeSyntax]


@mutable(eq=False)
class AssertSyntax:
    pos: int
    condition: ExprSyntax
    attributes: list[AttributeSyntax]


@mutable(eq=False)
class AssignTarget:
    """`x`, `m[i][j]`, `d->f`, in any mixture: the variable and then the steps from the left, each a
    list of indices or the name of a field."""

    pos: int
    name: str
    steps: list[list[ExprSyntax] | str]


@mutable(eq=False)
class AssignSyntax:
    pos: int
    targets: list[AssignTarget]
    values: list[ExprSyntax]
    attributes: list[AttributeSyntax]


@mutable(eq=False)
class UnpackSyntax:
    """`C(x, y) := e;`: assigns the fields of e, which must be built with C."""

    pos: int
    constructor: str
    targets: list[Name]
    value: ExprSyntax
    attributes: list[AttributeSyntax]


@mutable(eq=False)
class HavocSyntax:
    pos: int
    targets: list[Name]


@mutable(eq=False)
class CallSyntax:
    pos: int
    procedure: str
    name_pos: int
    args: list[ExprSyntax]
    results: list[Name]
    free: bool
    asynchronous: bool
    attributes: list[AttributeSyntax]


@mutable(eq=False)
class ParSyntax:
    pos: int
    calls: list[CallSyntax]


@mutable(eq=False)
class YieldSyntax:
    pos: int
    attributes: list[AttributeSyntax]


@mutable(eq=False)
class GotoSyntax:
    pos: int
    targets: list[Name]
    attributes: list[AttributeSyntax]


@mutable(eq=False)
class ReturnSyntax:
    pos: int
    attributes: list[AttributeSyntax]


@mutable(eq=False)
class BreakSyntax:
    pos: int
    label: str | None


@mutable(eq=False)
class LabelSyntax:
    pos: int
    name: str


@mutable(eq=False)
class IfSyntax:
    """`if (guard) { then } else { otherwise }`; the guard of `if (*)` is None; an `else if` is an
    `otherwise` with one `IfSyntax` in it."""

    pos: int
    guard: ExprSyntax | None
    then: list[StatementSyntax]
    otherwise: list[StatementSyntax] | None
    attributes: list[AttributeSyntax]


@mutable(eq=False)
class InvariantSyntax:
    pos: int
    condition: ExprSyntax
    free: bool
    attributes: list[AttributeSyntax]


@mutable(eq=False)
class WhileSyntax:
    pos: int
    guard: ExprSyntax | None
    invariants: list[InvariantSyntax]
    body: list[StatementSyntax]
    attributes: list[AttributeSyntax]


StatementSyntax = (
    AssumeSyntax
    | AssertSyntax
    | AssignSyntax
    | UnpackSyntax
    | HavocSyntax
    | CallSyntax
    | ParSyntax
    | YieldSyntax
    | GotoSyntax
    | ReturnSyntax
    | BreakSyntax
    | LabelSyntax
    | IfSyntax
    | WhileSyntax
)

# --- declarations --------------------------------------------------------------------------------


@mutable(eq=False)
class TypeDeclSyntax:
    pos: int
    name: str
    params: list[str]
    definition: TypeSyntax | None
    attributes: list[AttributeSyntax]


@mutable(eq=False)
class ConstructorSyntax:
    pos: int
    name: str
    fields: list[Binding]


@mutable(eq=False)
class DatatypeSyntax:
    pos: int
    name: str
    type_params: list[str]
    constructors: list[ConstructorSyntax]
    attributes: list[AttributeSyntax]


@mutable(eq=False)
class ConstSyntax:
    """One constant; `const a, b: int;` is two of these."""

    pos: int
    name: str
    type: TypeSyntax
    unique: bool
    attributes: list[AttributeSyntax]


@mutable(eq=False)
class FunctionSyntax:
    """An anonymous parameter has the name ""."""

    pos: int
    name: str
    type_params: list[str]
    params: list[Binding]
    result: TypeSyntax
    body: ExprSyntax | None
    attributes: list[AttributeSyntax]


@mutable(eq=False)
class AxiomSyntax:
    pos: int
    condition: ExprSyntax
    attributes: list[AttributeSyntax]


@mutable(eq=False)
class GlobalSyntax:
    """One global variable; `var a, b: int;` is two of these."""

    pos: int
    binding: Binding


@mutable(eq=False)
class ClauseSyntax:
    pos: int
    condition: ExprSyntax
    free: bool
    attributes: list[AttributeSyntax]


@mutable(eq=False)
class BodySyntax:
    locals: list[Binding]
    statements: list[StatementSyntax]
    end: int  # the position of the closing brace


@mutable(eq=False)
class ProcedureSyntax:
    pos: int
    name: str
    type_params: list[str]
    params: list[Binding]
    results: list[Binding]
    requires: list[ClauseSyntax]
    modifies: list[Name]
    ensures: list[ClauseSyntax]
    body: BodySyntax | None
    attributes: list[AttributeSyntax]
    is_candidate: bool = False  # in a text of candidates, where the error bit may be named
    is_pure: bool = False


@mutable(eq=False)
class ImplementationSyntax:
    pos: int
    name: str
    type_params: list[str]
    params: list[Binding]
    results: list[Binding]
    body: BodySyntax
    attributes: list[AttributeSyntax]


DeclarationSyntax = (
    TypeDeclSyntax
    | DatatypeSyntax
    | ConstSyntax
    | FunctionSyntax
    | AxiomSyntax
    | GlobalSyntax
    | ProcedureSyntax
    | ImplementationSyntax
)
