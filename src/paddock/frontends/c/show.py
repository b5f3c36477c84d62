"""How executions of a C program are shown: values as C writes them, and what there is to see at each statement.

The lowering fills in a `Presentation`: for each statement worth seeing a `Note` with the places and values to show,
the functions behind the procedures, and the objects that have constant addresses. The narration of an execution finds
the number of a note in the statement's origin.
"""

from __future__ import annotations

import struct
from bisect import bisect_right
from collections.abc import Mapping
from fractions import Fraction

from paddock.frontends.c import types as c
from paddock.frontends.c.text import character_text
from paddock.frozen import field, frozen, mutable
from paddock.ir.build import TRUE
from paddock.ir.expr import Expr, Var

HOLE = "\0"  # in the text of a place, where the value of an index belongs
SET_UP = "globals"  # the block with which a program starts: it gives globals their first values
STEP = 1  # the note of a statement that is a step, with nothing to say about it


@frozen
class Watch:
    """A place and its value. An index that is no constant is a hole in the text, filled with a value of its own. It is
    shown only `when` that holds: operands on demand may not have been evaluated."""

    text: str
    value: Expr | str
    type: c.CType = c.VOID
    holes: tuple[tuple[Expr, c.CType], ...] = ()
    when: Expr = TRUE


@frozen
class Reached:
    """A scalar that a pointer from outside reaches: where the object starts that it is in, its own address, its value.
    `argument` is which argument of a function without a body points to the object, if one does; `place` is how C finds
    the scalar without any pointer from outside."""

    start: Expr
    address: Expr
    type: c.CType
    value: Expr
    argument: int | None = None
    place: str = ""


@frozen
class Note:
    """What there is to see at a statement. `kind` is `statement`, `branch`, `fail`, `return` (the result gets its
    value), `allocate` (an object comes to life: its address, and its size as a hole), `input` (the function of the
    library that the text names gives any value) or `allocation` (a call of the function that the text names, and
    whether it fails). The values are those before the statement, but of a call or a havoc those after it. `reached` is
    what a call of a function without a body leaves behind, `failing` what there is to see if the call is an assertion,
    and fails. Of a branch on a condition, `holds` says which one it is."""

    kind: str = "statement"
    text: str = ""
    watches: tuple[Watch, ...] = ()
    reached: tuple[Reached, ...] = ()
    failing: tuple[Watch, ...] = ()
    holds: bool | None = None


@frozen
class Scalar:
    """A scalar that is passed or returned: its name behind that of the whole, and the IR variable that holds it."""

    name: str
    var: Var
    type: c.CType


@frozen
class ShownFunction:
    """The function behind a procedure. One of the library is `hidden`: only what it returns is shown."""

    name: str
    type: c.FunctionType
    parameters: tuple[Scalar, ...] = ()
    results: tuple[Scalar, ...] = ()
    has_body: bool = True
    hidden: bool = False
    static: bool = False


@frozen
class Object:
    """An object: where it starts, how many bytes it has, what it is called, and its type as far as that is known.
    `symbol` is its name for linkers if it is a global; one that `is_internal` has to be made known to other files, and
    one that is `undefined` is defined nowhere. What is in one that `is_fixed` never changes. One that `is_local` lives
    as long as a call."""

    start: int
    size: int
    name: str
    type: c.CType
    symbol: str = ""
    is_internal: bool = False
    undefined: bool = False
    is_fixed: bool = False
    is_local: bool = False


@mutable
class Presentation:
    """All that is needed to show executions of a program as its author sees them."""

    layout: c.Layout
    enumerators: Mapping[str, Mapping[int, str]]
    notes: list[Note] = field(default_factory=lambda: [Note(""), Note()])
    functions: dict[str, ShownFunction] = field(default_factory=dict)
    function_names: dict[int, str] = field(default_factory=dict)  # by address
    objects: list[Object] = field(default_factory=list)
    plain: dict[str, Object] = field(default_factory=dict)  # globals without an address here, by IR variable
    shared: dict[str, Scalar] = field(default_factory=dict)  # scalars of those that threads share
    inputs: dict[str, Scalar] = field(default_factory=dict)  # globals that are defined nowhere
    reached: list[Reached] = field(default_factory=list)  # what the arguments of the first function point to
    specified: dict[str, str] = field(default_factory=dict)  # functions that state what must hold, and how they do
    has_main: bool = False
    goes_on: bool = False  # executions do, where an assertion fails

    def add(self, note: Note) -> int:
        """The number of a new note."""
        self.notes.append(note)
        return len(self.notes) - 1


class Values:
    """Writes the values of one execution. It is notified of objects that come to life on the way."""

    def __init__(self, presentation: Presentation) -> None:
        self._of = presentation
        self._layout = presentation.layout
        self._objects = {o.start: o for o in presentation.objects}
        self._starts = sorted(self._objects)

    def add_object(self, object_: Object) -> None:
        if object_.start not in self._objects:
            self._starts.insert(bisect_right(self._starts, object_.start), object_.start)
        self._objects[object_.start] = object_

    def text(self, value: bool | int | Fraction, type_: c.CType) -> str:
        """A scalar of a type; a bit-vector is given as an unsigned number, a float as its bits."""
        match type_:
            case c.PointerType(target):
                return self._pointer(int(value), target)
            case c.BoolType():
                return str(int(value))
            case c.EnumType(key, underlying):
                number = signed_number(int(value), underlying)
                return self._of.enumerators.get(key, {}).get(number, str(number))
            case c.FloatType():
                return float_text(int(value), type_)
            case c.IntType(name="char"):
                number = signed_number(int(value), type_)
                return f"'{character_text(number)}'" if character_text(number) else str(number)
            case c.IntType():
                return str(signed_number(int(value), type_))
            case _:
                return str(value)

    def number(self, value: bool | int | Fraction, type_: c.CType) -> bool | int | Fraction:
        """What a scalar is as a number: of an integer what its bits mean, of a pointer the address."""
        match type_:
            case c.BoolType():
                return bool(value)
            case c.EnumType(underlying=underlying):
                return signed_number(int(value), underlying)
            case c.IntType():
                return signed_number(int(value), type_)
            case _:
                return value

    def _pointer(self, address: int, target: c.CType) -> str:
        if address == 0:
            return "NULL"
        if isinstance(target, c.FunctionType) and address in self._of.function_names:
            return self._of.function_names[address]
        at = bisect_right(self._starts, address) - 1
        object_ = self._objects[self._starts[at]] if at >= 0 else None
        if object_ is None or address > object_.start + object_.size:
            return f"({c.PointerType(target)}){address:#x}"
        path, rest = self._path(object_, address - object_.start, target)
        if path.endswith("[0]") or object_.name.startswith('"'):
            named = object_.name + path.removesuffix("[0]")
        else:
            named = f"&{object_.name}{path}"
        return f"{named} + {rest} bytes" if rest else named

    def _path(self, object_: Object, offset: int, target: c.CType) -> tuple[str, int]:
        """The way to the part of an object at an offset that a pointer to a type means, and the bytes that are left."""
        type_, path = object_.type, ""
        while True:
            match type_:
                case c.ArrayType(element) | c.VariableArrayType(element) if type_ is not target or offset:
                    size = self._size(element)
                    if not size:
                        return path, offset
                    path += f"[{offset // size}]"
                    type_, offset = element, offset % size
                case c.RecordType() if type_ is not target or offset:
                    member = self._member(type_, offset, target)
                    if member is None:
                        return path, offset
                    if member.name:
                        path += f".{member.name}"
                    type_, offset = member.type, offset - member.offset
                case c.VoidType():  # whatever was allocated
                    type_ = c.ArrayType(c.CHAR if isinstance(target, c.VoidType) else target, None)
                case _:
                    return path, offset

    def _size(self, type_: c.CType) -> int:
        try:
            return self._layout.size(type_)
        except ValueError:
            return 0

    def _member(self, record: c.RecordType, offset: int, target: c.CType) -> c.Field | None:
        """The member at an offset; at the start of a record, only one that the type asks for."""
        definition = self._layout.definition(record)
        if definition is None or (isinstance(target, c.VoidType) and offset == 0):
            return None
        inside = [f for f in definition.fields if f.offset <= offset < f.offset + max(1, self._size(f.type))]
        wanted = [f for f in inside if f.offset == offset and f.type is target]
        if offset == 0 and not wanted:
            wanted = [f for f in inside if _leads_to(f.type, target, self._layout)]
            return wanted[0] if wanted else None
        return next(iter(wanted or inside), None)


def _leads_to(type_: c.CType, target: c.CType, layout: c.Layout) -> bool:
    """Whether what is at the start of a type has another type."""
    while type_ is not target:
        match type_:
            case c.ArrayType(element):
                type_ = element
            case c.RecordType() if (definition := layout.definition(type_)) is not None and definition.fields:
                type_ = definition.fields[0].type
            case _:
                return False
    return True


def signed_number(value: int, type_: c.IntType) -> int:
    """The number that the bits of an integer mean; one that is not made of bits means itself."""
    return value - (1 << type_.width) if type_.signed and value >> (type_.width - 1) == 1 else value


def float_text(bits: int, type_: c.FloatType) -> str:
    """A float of IEEE 754 in the fewest digits that say which one it is."""
    fraction_width = type_.significand - 1
    sign = "-" if bits >> (fraction_width + type_.exponent) & 1 else ""
    exponent = bits >> fraction_width & ((1 << type_.exponent) - 1)
    fraction = bits & ((1 << fraction_width) - 1)
    if exponent == (1 << type_.exponent) - 1:
        return "NAN" if fraction else f"{sign}INFINITY"
    if type_ is c.FLOAT:
        single = struct.unpack("<f", struct.pack("<I", bits & 0x7FFFFFFF))[0]
        shortest = next(t for t in (f"{single:.{n}g}" for n in range(1, 10)) if _as_single(t) == single)
        return sign + _with_point(shortest)
    bias = (1 << (type_.exponent - 1)) - 1
    mantissa = fraction | (1 << fraction_width) if exponent else fraction
    power = max(exponent, 1) - bias - fraction_width
    value = Fraction(mantissa) * Fraction(2) ** power
    try:
        return f"{sign}{float(value)!r}" if Fraction(float(value)) == value else f"{sign}{mantissa:#x}p{power}"
    except OverflowError:
        return f"{sign}{mantissa:#x}p{power}"


def _as_single(text: str) -> float:
    try:
        single: float = struct.unpack("<f", struct.pack("<f", float(text)))[0]
    except OverflowError:
        return float("inf")
    return single


def _with_point(text: str) -> str:
    return text if "." in text or "e" in text else f"{text}.0"
