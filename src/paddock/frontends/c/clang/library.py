"""The functions of libclang that the reader of C needs, declared for ctypes, and the numbers of its enumerations.

The library comes with the wheel `libclang`. Its own Python layer is left aside: it costs several times as much as the
calls do.
"""

from __future__ import annotations

import ctypes
from ctypes import POINTER, c_char_p, c_double, c_int, c_longlong, c_uint, c_ulong, c_ulonglong, c_void_p
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from paddock.ir.origin import InputError


class Cursor(ctypes.Structure):
    """A node of clang's tree. `first` and `second` identify it: the declaration, or the parent and the statement."""

    kind: int
    first: int | None
    second: int | None
    _fields_ = [
        ("kind", c_int),
        ("extra", c_int),
        ("first", c_void_p),
        ("second", c_void_p),
        ("unit", c_void_p),
    ]


class Type(ctypes.Structure):
    """A type; `identity` is the same for the same type with the same qualifiers."""

    kind: int
    identity: int | None
    _fields_ = [("kind", c_int), ("identity", c_void_p), ("unit", c_void_p)]


class Location(ctypes.Structure):
    """A place in the text after preprocessing; `raw` orders and tells apart places, also inside of macros."""

    raw: int
    _fields_ = [("first", c_void_p), ("second", c_void_p), ("raw", c_uint)]


class Range(ctypes.Structure):
    begin: int
    end: int
    _fields_ = [("first", c_void_p), ("second", c_void_p), ("begin", c_uint), ("end", c_uint)]


class String(ctypes.Structure):
    _fields_ = [("data", c_void_p), ("flags", c_uint)]


class UnsavedFile(ctypes.Structure):
    """A file whose content is given in memory."""

    _fields_ = [("name", c_char_p), ("contents", c_char_p), ("length", c_ulong)]


CURSOR_VISITOR = ctypes.CFUNCTYPE(c_int, Cursor, Cursor, c_void_p)
FIELD_VISITOR = ctypes.CFUNCTYPE(c_int, Cursor, c_void_p)

# What a visitor returns.
STOP, NEXT, ENTER = 0, 1, 2

# Kinds of cursors.
STRUCT_DECL, UNION_DECL, ENUM_DECL, ENUM_CONSTANT_DECL = 2, 3, 5, 7
FUNCTION_DECL, VAR_DECL, PARM_DECL, TYPEDEF_DECL = 8, 9, 10, 20
TYPE_REF, MEMBER_REF, LABEL_REF = 43, 47, 48
FIRST_EXPR, LAST_EXPR = 100, 199
UNEXPOSED_EXPR, DECL_REF_EXPR, MEMBER_REF_EXPR, CALL_EXPR = 100, 101, 102, 103
INTEGER_LITERAL, FLOATING_LITERAL, IMAGINARY_LITERAL, STRING_LITERAL, CHARACTER_LITERAL = 106, 107, 108, 109, 110
PAREN_EXPR, UNARY_OPERATOR, ARRAY_SUBSCRIPT_EXPR, BINARY_OPERATOR, COMPOUND_ASSIGNMENT = 111, 112, 113, 114, 115
CONDITIONAL_OPERATOR, C_STYLE_CAST_EXPR, COMPOUND_LITERAL_EXPR, INIT_LIST_EXPR = 116, 117, 118, 119
ADDRESS_OF_LABEL_EXPR, STATEMENT_EXPR, GENERIC_SELECTION_EXPR, SIZEOF_EXPR = 120, 121, 122, 136
FIRST_STMT, LAST_STMT = 200, 299
UNEXPOSED_STMT, LABEL_STMT, COMPOUND_STMT, CASE_STMT, DEFAULT_STMT, IF_STMT, SWITCH_STMT = range(200, 207)
WHILE_STMT, DO_STMT, FOR_STMT, GOTO_STMT, INDIRECT_GOTO_STMT, CONTINUE_STMT, BREAK_STMT = range(207, 214)
RETURN_STMT, ASM_STMT, NULL_STMT, DECL_STMT = 214, 215, 230, 231
FIRST_ATTRIBUTE, LAST_ATTRIBUTE = 400, 499
UNEXPOSED_ATTRIBUTE, ASM_LABEL = 400, 407
MACRO_DEFINITION, STATIC_ASSERT = 501, 602

# Kinds of types.
T_VOID, T_BOOL, T_FLOAT, T_DOUBLE, T_LONG_DOUBLE, T_FLOAT128, T_FLOAT16 = 2, 3, 21, 22, 23, 30, 32
T_POINTER, T_RECORD, T_ENUM, T_FUNCTION_NO_PROTO, T_FUNCTION_PROTO = 101, 105, 106, 110, 111
T_CONSTANT_ARRAY, T_INCOMPLETE_ARRAY, T_VARIABLE_ARRAY, T_ATOMIC = 112, 114, 115, 177
T_COMPLEX, T_VECTOR, T_EXT_VECTOR = 100, 113, 176

# Other enumerations.
LINKAGE_INTERNAL = 2
STORAGE_EXTERN, STORAGE_STATIC, STORAGE_REGISTER = 2, 3, 7
WITHOUT_INITIALISERS, WITHOUT_BODIES = 6, 17  # how declarations are printed
SEVERITY_ERROR = 3
EVALUATED_INT, EVALUATED_FLOAT = 1, 2
CRASHED = 2
WITH_MACROS, KEEP_GOING = 0x1, 0x200  # the latter past fatal errors, so that a second missing header is reported, too

_SIGNATURES: dict[str, tuple[Any, list[Any]]] = {
    "createIndex": (c_void_p, [c_int, c_int]),
    "disposeIndex": (None, [c_void_p]),
    "parseTranslationUnit2": (
        c_int,
        [c_void_p, c_char_p, POINTER(c_char_p), c_int, POINTER(UnsavedFile), c_uint, c_uint, POINTER(c_void_p)],
    ),
    "disposeTranslationUnit": (None, [c_void_p]),
    "getNumDiagnostics": (c_uint, [c_void_p]),
    "getDiagnostic": (c_void_p, [c_void_p, c_uint]),
    "disposeDiagnostic": (None, [c_void_p]),
    "getDiagnosticSeverity": (c_int, [c_void_p]),
    "getDiagnosticSpelling": (String, [c_void_p]),
    "getDiagnosticLocation": (Location, [c_void_p]),
    "getTranslationUnitCursor": (Cursor, [c_void_p]),
    "visitChildren": (c_uint, [Cursor, CURSOR_VISITOR, c_void_p]),
    "getCursorLocation": (Location, [Cursor]),
    "getCursorExtent": (Range, [Cursor]),
    "getRangeStart": (Location, [Range]),
    "getRangeEnd": (Location, [Range]),
    "getExpansionLocation": (
        None,
        [Location, POINTER(c_void_p), POINTER(c_uint), POINTER(c_uint), POINTER(c_uint)],
    ),
    "getSpellingLocation": (
        None,
        [Location, POINTER(c_void_p), POINTER(c_uint), POINTER(c_uint), POINTER(c_uint)],
    ),
    "getFileName": (String, [c_void_p]),
    "getFileContents": (c_void_p, [c_void_p, c_void_p, POINTER(ctypes.c_size_t)]),
    "getCString": (c_char_p, [String]),
    "disposeString": (None, [String]),
    "getCursorSpelling": (String, [Cursor]),
    "getCursorUSR": (String, [Cursor]),
    "getCursorReferenced": (Cursor, [Cursor]),
    "getCursorType": (Type, [Cursor]),
    "getCursorLinkage": (c_int, [Cursor]),
    "getCursorUnaryOperatorKind": (c_int, [Cursor]),
    "getCursorBinaryOperatorKind": (c_int, [Cursor]),
    "isCursorDefinition": (c_uint, [Cursor]),
    "getCursorPrintingPolicy": (c_void_p, [Cursor]),
    "PrintingPolicy_setProperty": (None, [c_void_p, c_int, c_uint]),
    "PrintingPolicy_dispose": (None, [c_void_p]),
    "getCursorPrettyPrinted": (String, [Cursor, c_void_p]),
    "Cursor_getStorageClass": (c_int, [Cursor]),
    "getCursorTLSKind": (c_int, [Cursor]),
    "Cursor_getVarDeclInitializer": (Cursor, [Cursor]),
    "Cursor_isFunctionInlined": (c_uint, [Cursor]),
    "Cursor_isNull": (c_int, [Cursor]),
    "Cursor_isBitField": (c_uint, [Cursor]),
    "Cursor_getNumArguments": (c_int, [Cursor]),
    "Cursor_getArgument": (Cursor, [Cursor, c_uint]),
    "Cursor_getOffsetOfField": (c_longlong, [Cursor]),
    "Cursor_Evaluate": (c_void_p, [Cursor]),
    "EvalResult_getKind": (c_int, [c_void_p]),
    "EvalResult_isUnsignedInt": (c_uint, [c_void_p]),
    "EvalResult_getAsUnsigned": (c_ulonglong, [c_void_p]),
    "EvalResult_getAsLongLong": (c_longlong, [c_void_p]),
    "EvalResult_getAsDouble": (c_double, [c_void_p]),
    "EvalResult_dispose": (None, [c_void_p]),
    "getEnumConstantDeclValue": (c_longlong, [Cursor]),
    "getEnumConstantDeclUnsignedValue": (c_ulonglong, [Cursor]),
    "getEnumDeclIntegerType": (Type, [Cursor]),
    "getFieldDeclBitWidth": (c_int, [Cursor]),
    "getCanonicalType": (Type, [Type]),
    "getTypeSpelling": (String, [Type]),
    "getTypeDeclaration": (Cursor, [Type]),
    "getTypedefDeclUnderlyingType": (Type, [Cursor]),
    "getPointeeType": (Type, [Type]),
    "getArrayElementType": (Type, [Type]),
    "getArraySize": (c_longlong, [Type]),
    "getResultType": (Type, [Type]),
    "getNumArgTypes": (c_int, [Type]),
    "getArgType": (Type, [Type, c_uint]),
    "isFunctionTypeVariadic": (c_uint, [Type]),
    "isConstQualifiedType": (c_uint, [Type]),
    "isVolatileQualifiedType": (c_uint, [Type]),
    "Type_getSizeOf": (c_longlong, [Type]),
    "Type_getAlignOf": (c_longlong, [Type]),
    "Type_getValueType": (Type, [Type]),
    "Type_visitFields": (c_uint, [Type, FIELD_VISITOR, c_void_p]),
}


class Library:
    """The loaded library: `clang_X` is the attribute `X`. ctypes lets go of Python's lock during a call."""

    def __init__(self, path: str) -> None:
        loaded = ctypes.CDLL(path)
        for name, (result, arguments) in _SIGNATURES.items():
            function = getattr(loaded, f"clang_{name}")
            function.restype, function.argtypes = result, arguments
            setattr(self, name, function)

    def __getattr__(self, name: str) -> Any:  # for type checkers: all functions are set in the constructor
        raise AttributeError(name)

    def text(self, string: String) -> str:
        """The text of a string, which is given back to the library."""
        raw: bytes | None = self.getCString(string)
        self.disposeString(string)
        return "" if raw is None else raw.decode("utf-8", "replace")


@cache
def library() -> Library:
    """The library, loaded when a C program is first read."""
    package = find_spec("clang.native")
    folders = package.submodule_search_locations if package else None
    for folder in folders or ():
        for name in ("libclang.so", "libclang.dylib", "libclang.dll"):
            path = Path(folder) / name
            if path.exists():
                return Library(str(path))
    raise InputError("C programs need libclang: install the Python package libclang")
