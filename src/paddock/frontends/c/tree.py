"""The C tree: what the parser hands to the lowering. All that C leaves implicit is explicit here.

Every conversion is a node of its own, with its kind: reading an object is `Conversion(LOAD, place)`. Enumerators,
`sizeof` and `offsetof` are constants, `p->f` is `Member(Dereference(p), f)`, `x += 1` and `x++` are `Update`s,
initialisers are lists of places and values, names are resolved to `Variable`s, and `case`, `default` and labels are
statements of their own.

Expressions are either *places* (C's lvalues: `VariableUse`, `Dereference`, `Index`, `Member` of a place,
`StringLiteral`, `CompoundLiteral`), *function designators* (`FunctionUse`, `Dereference` of a pointer to a function)
or *values*. A place is turned into a value only by the conversions LOAD and DECAY, into a pointer by `AddressOf`.

Nodes are compared by identity: two equal texts are two nodes. They may be nested thousands deep, so nothing here
recurses, and whoever walks them must not, either.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from fractions import Fraction

from paddock.frontends.c.types import CType, DataModel, Field, FunctionType, Layout, RecordDefinition
from paddock.frozen import field, frozen
from paddock.ir.origin import NOWHERE, Origin


class Storage(Enum):
    """Where an object lives."""

    GLOBAL = "global"  # file scope, also `static`
    STATIC_LOCAL = "static local"  # declared in a function, but listed among the globals
    LOCAL = "local"
    PARAMETER = "parameter"


@frozen(eq=False)
class Variable:
    """An object with a name. There is one `Variable` for each: compare with `is`.

    `name` is what the user wrote (or `""` for an object that the parser made), `unique` is unlike all others
    of its function, and from all globals. A parameter of array or function type is a pointer.
    """

    name: str
    unique: str
    type: CType
    storage: Storage
    origin: Origin = NOWHERE
    const: bool = False
    volatile: bool = False
    is_internal: bool = False  # a global that only its own file knows by name
    is_of_thread: bool = False  # each thread has one

    def __repr__(self) -> str:
        return f"<{self.storage.value} {self.unique}: {self.type}>"


# ---------------------------------------------------------------------------------------------- expressions


@frozen(eq=False)
class Expression:
    """Base of all expressions. `origin` is where it is written; inside a macro, where the macro is used."""

    type: CType
    origin: Origin


class ConversionKind(Enum):
    """What a conversion does to its operand (C11 6.3)."""

    LOAD = "load"  # place -> the value in it (also of structs and unions)
    DECAY = "decay"  # place of an array -> pointer to its first element
    FUNCTION = "function"  # function designator -> pointer to the function
    INTEGRAL = "integral"  # integer -> integer other than _Bool
    BOOLEAN = "boolean"  # scalar -> _Bool: is it other than zero?
    INT_TO_FLOAT = "int to float"
    FLOAT_TO_INT = "float to int"  # towards zero
    FLOATING = "floating"  # float -> float
    NULL = "null"  # a null pointer constant -> pointer
    POINTER = "pointer"  # pointer -> pointer
    POINTER_TO_INT = "pointer to int"
    INT_TO_POINTER = "int to pointer"
    VOID = "void"  # the value is not used; the operand may also be a place, which is then not read
    SAME = "same"  # nothing changes, not even the type: a cast that the user wrote


@frozen(eq=False)
class Conversion(Expression):
    """The operand as a value of another type. `written` says that the user wrote the cast."""

    kind: ConversionKind
    operand: Expression
    written: bool = False


@frozen(eq=False)
class IntegerConstant(Expression):
    """Also characters, enumerators, `sizeof` and `offsetof`; the value fits the type. `written` is what characters and
    enumerators are called."""

    value: int
    written: str = ""


@frozen(eq=False)
class LabelAddress(Expression):
    """`&&label`: a number that stands for a label of the function, other than 0."""

    label: str
    number: int


@frozen(eq=False)
class FloatConstant(Expression):
    """The value is one that the type can represent."""

    value: Fraction


@frozen(eq=False)
class StringLiteral(Expression):
    """A place of array type; `units` are the elements as unsigned numbers, with the zero at the end.

    As an initialiser of a shorter array, of type char[3] say, only as many units as fit."""

    units: tuple[int, ...]


@frozen(eq=False)
class VariableUse(Expression):
    """A place."""

    variable: Variable


@frozen(eq=False)
class FunctionUse(Expression):
    """A function designator; `name` is the unique name of a `Function` of the unit, or that of a builtin."""

    name: str


@frozen(eq=False)
class AddressOf(Expression):
    """A pointer to a place. (The address of a function is a conversion of kind FUNCTION.)"""

    place: Expression


@frozen(eq=False)
class Dereference(Expression):
    """A place, or a function designator."""

    pointer: Expression


@frozen(eq=False)
class Index(Expression):
    """A place: `pointer[index]`; the pointer of a real array is a DECAY. The index has any integer type."""

    pointer: Expression
    index: Expression


@frozen(eq=False)
class Member(Expression):
    """A place if the record is one; otherwise a value, such as `f().x`. `record.type` is a `RecordType`."""

    record: Expression
    field: Field


class UnaryOperator(Enum):
    """Operand and result have the same, promoted type; but the operand of NOT is a `_Bool`, and its result an `int`."""

    MINUS = "-"
    COMPLEMENT = "~"
    NOT = "!"


@frozen(eq=False)
class Unary(Expression):
    operator: UnaryOperator
    operand: Expression


class BinaryOperator(Enum):
    """Operators on two values of one arithmetic type. The operands of shifts may differ in type, the result has that of
    the left one; the result of comparisons is an `int`, and their operands may be pointers."""

    ADD = "+"
    SUBTRACT = "-"
    MULTIPLY = "*"
    DIVIDE = "/"
    REMAINDER = "%"
    SHIFT_LEFT = "<<"
    SHIFT_RIGHT = ">>"
    AND = "&"
    OR = "|"
    XOR = "^"
    LESS = "<"
    GREATER = ">"
    LESS_EQUAL = "<="
    GREATER_EQUAL = ">="
    EQUAL = "=="
    NOT_EQUAL = "!="


COMPARISONS = frozenset(
    {
        BinaryOperator.LESS,
        BinaryOperator.GREATER,
        BinaryOperator.LESS_EQUAL,
        BinaryOperator.GREATER_EQUAL,
        BinaryOperator.EQUAL,
        BinaryOperator.NOT_EQUAL,
    }
)


@frozen(eq=False)
class Binary(Expression):
    operator: BinaryOperator
    left: Expression
    right: Expression


@frozen(eq=False)
class PointerOffset(Expression):
    """`pointer + index` or, with `backwards`, `pointer - index`; counted in elements, the index of any integer type."""

    pointer: Expression
    index: Expression
    backwards: bool = False


@frozen(eq=False)
class PointerDifference(Expression):
    """How many elements lie between two pointers."""

    left: Expression
    right: Expression


@frozen(eq=False)
class Logical(Expression):
    """`left && right` or, if not `conjunction`, `left || right`: the right operand is evaluated on demand. Operands
    have type `_Bool`, the result `int`."""

    conjunction: bool
    left: Expression
    right: Expression


@frozen(eq=False)
class Conditional(Expression):
    """`condition ? then : otherwise`; the condition has type `_Bool`, one of the branches is evaluated."""

    condition: Expression
    then: Expression
    otherwise: Expression


@frozen(eq=False)
class Comma(Expression):
    """`first`, whose value is dropped, then `second`."""

    first: Expression
    second: Expression


@frozen(eq=False)
class Assignment(Expression):
    """The value has the type of the target, and is the value of the expression; also of structs and unions."""

    target: Expression
    value: Expression


@frozen(eq=False)
class OldValue(Expression):
    """In the value of the innermost `Update` around it: what the target held before. It occurs there exactly once."""


@frozen(eq=False)
class Update(Expression):
    """`target op= …`, `++target`, `target--`: the target, whose place is determined once, gets a value that depends
    on its `OldValue`. The value of the expression is the new one or, with `yields_old`, the old one."""

    target: Expression
    value: Expression
    yields_old: bool = False


@frozen(eq=False)
class Call(Expression):
    """A call of a `FunctionUse` or of a pointer to a function. Arguments are converted to the types of the parameters,
    those without a parameter are promoted. Also calls of builtins, by name: `__builtin_expect`, …"""

    function: Expression
    arguments: tuple[Expression, ...]


@frozen(eq=False)
class VariadicArgument(Expression):
    """`va_arg(list, type)`. Here and in `__builtin_va_start`, `_end` and `_copy`, lists are pointers: to a `va_list`,
    or to the struct in it where `va_list` is an array of one struct."""

    list: Expression


@frozen(eq=False)
class InitialiserItem:
    """One part of an object and the value that it gets: a path of members and elements leads to the part.

    The value has the type of the part, or is a `StringLiteral` (not loaded) for an array."""

    path: tuple[Field | int, ...]
    value: Expression


@frozen(eq=False)
class Initialiser:
    """The values of an object, in the order in which they are written; a later one may overwrite an earlier one.

    If `complete`, one item with an empty path gives the whole object. Otherwise the object is zero wherever no item
    says more.
    """

    items: tuple[InitialiserItem, ...]
    complete: bool = False


@frozen(eq=False)
class CompoundLiteral(Expression):
    """A place: an object without a name that lives as long as the block around it, and gets its value here. Outside of
    functions, the object is one of the globals and this a `VariableUse`."""

    variable: Variable
    initialiser: Initialiser


@frozen(eq=False)
class StatementExpression(Expression):
    """`({ …; value; })`: the statements run, then the value is taken, in their scope. Without a value it is void."""

    statements: tuple[Statement, ...]
    value: Expression | None


@frozen(eq=False)
class Quantified(Expression):
    """CBMC's `__CPROVER_forall { int i; body }` or, if not `universal`, `__CPROVER_exists`; the body is a `_Bool`, and
    so is the result."""

    universal: bool
    variable: Variable
    body: Expression


@frozen(eq=False)
class UnsupportedExpression(Expression):
    """What the tree has no words for; `construct` names it. `parts` are the expressions in it, for their effects."""

    construct: str
    parts: tuple[Expression, ...] = ()


# ----------------------------------------------------------------------------------------------- statements


@frozen(eq=False)
class Statement:
    """Base of all statements. Conditions have type `_Bool`."""

    origin: Origin


@frozen(eq=False)
class Block(Statement):
    """Statements in a scope of their own: objects declared in it end with it. `end` is the closing brace."""

    statements: tuple[Statement, ...]
    end: Origin = NOWHERE


@frozen(eq=False)
class Declare(Statement):
    """A local object begins to live, with arbitrary content unless there is an initialiser. Not static ones."""

    variable: Variable
    initialiser: Initialiser | None


@frozen(eq=False)
class Evaluate(Statement):
    """An expression for its effects; its value, if any, is dropped."""

    expression: Expression


@frozen(eq=False)
class If(Statement):
    condition: Expression
    then: Statement
    otherwise: Statement | None


@frozen(eq=False)
class While(Statement):
    condition: Expression
    body: Statement


@frozen(eq=False)
class DoWhile(Statement):
    body: Statement
    condition: Expression


@frozen(eq=False)
class For(Statement):
    """The scope of `first` is the whole loop. No condition means that it always holds."""

    first: tuple[Statement, ...]
    condition: Expression | None
    step: Expression | None
    body: Statement


@frozen(eq=False)
class Switch(Statement):
    """The value has a promoted integer type. `Case`s and `Default` that belong to it stand anywhere in its body, but
    not in a switch within it."""

    value: Expression
    body: Statement


@frozen(eq=False)
class Case(Statement):
    """A place to jump to for the values `low` to `high`, which have the type of the value of the switch."""

    low: int
    high: int


@frozen(eq=False)
class Default(Statement):
    """The place to jump to for all other values."""


@frozen(eq=False)
class Label(Statement):
    """A place to jump to from anywhere in the function. `name` is unique there, `written` what the user wrote."""

    name: str
    written: str


@frozen(eq=False)
class Goto(Statement):
    label: str


@frozen(eq=False)
class ComputedGoto(Statement):
    """`goto *target`: the label with this address. `labels` has the addresses of those of the function."""

    target: Expression
    labels: Mapping[str, int]


@frozen(eq=False)
class Break(Statement):
    """Leave the innermost loop or switch."""


@frozen(eq=False)
class Continue(Statement):
    """Go on with the next iteration of the innermost loop."""


@frozen(eq=False)
class Return(Statement):
    """The value has the type of the function's result; there may be none where there should be one."""

    value: Expression | None


@frozen(eq=False)
class UnsupportedStatement(Statement):
    """What the tree has no words for; `construct` names it. `parts` are the expressions in it."""

    construct: str
    parts: tuple[Expression, ...] = ()


# --------------------------------------------------------------------------------------------------- units


@frozen(eq=False)
class Function:
    """A function, defined if it has a body. `name` is unique in the unit; `written_name` is what the user wrote, which
    differs for static functions of equal names in several files. Without a body, only its type has parameters."""

    name: str
    written_name: str
    type: FunctionType
    parameters: tuple[Variable, ...]
    body: Block | None
    origin: Origin
    static: bool = False
    no_return: bool = False
    constructor: int | None = None  # the priority of one that is called before main, 0 if there is none
    destructor: int | None = None  # the same of one that is called after main


@frozen(eq=False)
class Global:
    """An object that lives as long as the program; zero without an initialiser, arbitrary if it is `external`: declared
    here but defined nowhere."""

    variable: Variable
    initialiser: Initialiser | None
    external: bool = False


@frozen(eq=False)
class Unit:
    """A program, or a translation unit of one. Functions, globals and records are in the order of first mention."""

    model: DataModel
    functions: tuple[Function, ...] = ()
    globals: tuple[Global, ...] = ()
    records: Mapping[str, RecordDefinition] = field(default_factory=dict)
    enumerators: Mapping[str, Mapping[int, str]] = field(default_factory=dict)  # of enumerations, by their keys

    @property
    def layout(self) -> Layout:
        return Layout(self.model, self.records)

    def function(self, name: str) -> Function | None:
        """The function with this unique name."""
        return next((f for f in self.functions if f.name == name), None)
