"""Types of clang as types of ours, with the definitions of the structs and unions that they mention.

clang knows sizes and offsets for the target, so layouts are asked for, not computed.
"""

from __future__ import annotations

from collections.abc import Mapping

from paddock.frontends.c import types as c
from paddock.frontends.c.clang import library as k
from paddock.frontends.c.clang.library import Cursor, Library, Type
from paddock.frontends.c.clang.snapshot import children_of, fields_of
from paddock.frontends.c.types import CType, DataModel, Field, Layout, RecordDefinition, RecordType

_BASIC: Mapping[int, CType] = {
    k.T_VOID: c.VOID,
    k.T_BOOL: c.BOOL,
    4: c.CHAR,  # where char is unsigned
    5: c.UNSIGNED_CHAR,
    8: c.UNSIGNED_SHORT,
    9: c.UNSIGNED_INT,
    11: c.UNSIGNED_LONG_LONG,
    12: c.UNSIGNED_INT128,
    13: c.CHAR,
    14: c.SIGNED_CHAR,
    16: c.SHORT,
    17: c.INT,
    19: c.LONG_LONG,
    20: c.INT128,
    k.T_FLOAT: c.FLOAT,
    k.T_DOUBLE: c.DOUBLE,
    k.T_FLOAT128: c.FLOAT128,
    k.T_FLOAT16: c.FLOAT16,
}
_INNER_TYPE = {
    k.T_POINTER: "getPointeeType",
    k.T_CONSTANT_ARRAY: "getArrayElementType",
    k.T_INCOMPLETE_ARRAY: "getArrayElementType",
    k.T_VARIABLE_ARRAY: "getArrayElementType",
    k.T_FUNCTION_NO_PROTO: "getResultType",
    k.T_FUNCTION_PROTO: "getResultType",
    k.T_ATOMIC: "Type_getValueType",
}


# What tells two structs with one tag apart: size, alignment, and the name, offset, width and type of each member.
Shape = tuple[object, ...]


class Tags:
    """The structs, unions and enumerations of a program, over all its translation units.

    clang's USR of a tag is the same in all files that mean the same type. Where its shape differs nevertheless, it is
    another type; where only some files know its shape, it is the same.
    """

    def __init__(self) -> None:
        self.records: dict[str, RecordDefinition] = {}
        self.enumerators: dict[str, dict[int, str]] = {}
        self._keys: dict[str, dict[Shape | None, str]] = {}  # by USR and shape
        self._used: set[str] = set()

    def key(self, usr: str, name: str, shape: Shape | None = None) -> str:
        """The key of a tag; a new one if it has not been seen."""
        keys = self._keys.setdefault(usr, {})
        if shape is None and keys:
            return next(iter(keys.values()))
        if shape not in keys:
            keys[shape] = keys.pop(None) if None in keys else self._new_key(name)
        return keys[shape]

    def _new_key(self, name: str) -> str:
        key, number = name, 0
        while key in self._used:
            number += 1
            key = f"{name}${number}"
        self._used.add(key)
        return key


class TypeReader:
    """The types of one translation unit."""

    def __init__(self, library: Library, model: DataModel, tags: Tags) -> None:
        self._library = library
        self._tags = tags
        self.model = model
        self.layout = Layout(model, tags.records)
        self._known: dict[int, CType] = {}  # by clang's identity of the type
        self._basic = {**_BASIC, 10: model.unsigned_long, 18: model.long, k.T_LONG_DOUBLE: model.long_double}
        self._basic[15] = model.wide_char
        self._pending: list[tuple[RecordType, Shape, list[Cursor]]] = []  # records whose fields are to be read

    def of(self, cursor: Cursor) -> CType:
        """The type of a declaration or an expression."""
        return self.read(self._library.getCursorType(cursor))

    def read(self, type: Type) -> CType:
        identity = type.identity or 0
        known = self._known.get(identity)
        if known is None:
            known = self._read(type)
            while self._pending:
                self._define(*self._pending.pop())
        return known

    def learn(self, type: Type, meaning: CType) -> None:
        """Take a type for what the caller knows it is; what is made of it follows."""
        self._known[type.identity or 0] = meaning

    def inner(self, type: Type) -> Type | None:
        """What a pointer points to, an array is made of, or a function returns."""
        getter = _INNER_TYPE.get(type.kind)
        return getattr(self._library, getter)(type) if getter else None

    def canonical(self, type: Type) -> Type:
        """The type without typedefs."""
        canonical: Type = self._library.getCanonicalType(type)
        return canonical

    def qualifiers(self, type: Type) -> tuple[bool, bool]:
        """Whether objects of a type are `const`, and whether `volatile`; arrays are what their elements are."""
        library, current = self._library, self.canonical(type)
        const, volatile = library.isConstQualifiedType(current), library.isVolatileQualifiedType(current)
        while current.kind in (k.T_CONSTANT_ARRAY, k.T_INCOMPLETE_ARRAY, k.T_VARIABLE_ARRAY):
            current = library.getArrayElementType(current)
            const |= library.isConstQualifiedType(current)
            volatile |= library.isVolatileQualifiedType(current)
        return bool(const), bool(volatile)

    def _read(self, type: Type) -> CType:
        todo = [type]
        while todo:
            current = todo[-1]
            if (current.identity or 0) in self._known:
                todo.pop()
                continue
            canonical = self.canonical(current)
            parts = self._parts(canonical)
            missing = [part for part in parts if (part.identity or 0) not in self._known]
            if missing:
                todo += missing
                continue
            made = self._known.get(canonical.identity or 0)
            if made is None:
                made = self._made(canonical, [self._known[part.identity or 0] for part in parts])
            self._known[canonical.identity or 0] = self._known[current.identity or 0] = made
        return self._known[type.identity or 0]

    def _parts(self, type: Type) -> list[Type]:
        inner = self.inner(type)
        parts = [] if inner is None else [inner]
        if type.kind == k.T_FUNCTION_PROTO:
            parts += [self._library.getArgType(type, i) for i in range(self._library.getNumArgTypes(type))]
        return parts

    def _made(self, type: Type, parts: list[CType]) -> CType:
        lib = self._library
        match type.kind:
            case k.T_POINTER:
                return c.PointerType(parts[0])
            case k.T_CONSTANT_ARRAY:
                return c.ArrayType(parts[0], lib.getArraySize(type))
            case k.T_INCOMPLETE_ARRAY | k.T_VARIABLE_ARRAY:  # of the latter, those that matter have been learned
                return c.ArrayType(parts[0], None)
            case k.T_FUNCTION_PROTO:
                return c.FunctionType(parts[0], tuple(parts[1:]), bool(lib.isFunctionTypeVariadic(type)), True)
            case k.T_FUNCTION_NO_PROTO:
                return c.FunctionType(parts[0], (), False, False)
            case k.T_ATOMIC:
                return parts[0]
            case k.T_RECORD:
                return self._record(type)
            case k.T_ENUM:
                return self._enum(type)
        # Other types than these may be some for which the library crashes when it is asked for a size.
        size = lib.Type_getSizeOf(type) if type.kind in (k.T_COMPLEX, k.T_VECTOR, k.T_EXT_VECTOR) else 0
        return self._basic.get(type.kind) or c.UnsupportedType(lib.text(lib.getTypeSpelling(type)), size)

    def _tag(self, declaration: Cursor) -> tuple[str, str]:
        """The USR of a tag and a name for it: the one after `typedef` if it has none of its own."""
        name = self._library.text(self._library.getCursorSpelling(declaration))
        usr = self._library.text(self._library.getCursorUSR(declaration))
        return usr, name if name.isidentifier() else "anonymous"

    def _record(self, type: Type) -> RecordType:
        lib = self._library
        declaration = lib.getTypeDeclaration(type)
        usr, name = self._tag(declaration)
        union = declaration.kind == k.UNION_DECL
        size = lib.Type_getSizeOf(type)
        if size < 0:
            return RecordType(self._tags.key(usr, name), union)
        members = fields_of(lib, type)
        shape: Shape = (size, lib.Type_getAlignOf(type), *map(self._outline, members))
        record = RecordType(self._tags.key(usr, name, shape), union)
        self._pending.append((record, shape, members))
        return record

    def _outline(self, member: Cursor) -> tuple[str, int, int | None, str]:
        """The name, offset, width and type of a member."""
        lib = self._library
        name = lib.text(lib.getCursorSpelling(member))
        width = lib.getFieldDeclBitWidth(member) if lib.Cursor_isBitField(member) else None
        type_ = lib.text(lib.getTypeSpelling(self.canonical(lib.getCursorType(member))))
        return name if name.isidentifier() else "", lib.Cursor_getOffsetOfField(member), width, type_

    def _define(self, record: RecordType, shape: Shape, members: list[Cursor]) -> None:
        fields: list[Field] = []
        size, alignment, *outlines = shape
        assert isinstance(size, int) and isinstance(alignment, int)
        for member, outline in zip(members, outlines, strict=True):
            assert isinstance(outline, tuple)
            name, offset, width, _ = outline
            type_ = self._read(self._library.getCursorType(member))
            if name or (width is None and isinstance(type_, RecordType)):
                fields.append(Field(name, type_, len(fields), offset, width))
        # Another file may have defined it alike; but the types of its members may be known only in this one.
        self._tags.records.setdefault(record.key, RecordDefinition(record, tuple(fields), size, alignment))

    def _enum(self, type: Type) -> CType:
        declaration = self._library.getTypeDeclaration(type)
        usr, name = self._tag(declaration)
        underlying = self._read(self._library.getEnumDeclIntegerType(declaration))
        type_ = c.EnumType(
            self._tags.key(usr, name), underlying if isinstance(underlying, c.IntType) else c.UNSIGNED_INT
        )
        names = self._tags.enumerators.setdefault(type_.key, {})
        lib = self._library
        for child in children_of(lib, declaration):
            if child.kind == k.ENUM_CONSTANT_DECL:
                names.setdefault(lib.getEnumConstantDeclValue(child), lib.text(lib.getCursorSpelling(child)))
        return type_
