"""Z3's sorts: those of its own, those that are made of others, and datatypes, which come with functions."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

from paddock.solvers.interface import Constructor, Function, SolverFailure
from paddock.solvers.sorts import (
    BOOL,
    INT,
    REAL,
    REGEX,
    ROUNDING_MODE,
    STRING,
    ArraySort,
    BitVecSort,
    ConstructorDecl,
    DatatypeDecl,
    DatatypeSort,
    FloatSort,
    Sort,
    UninterpretedSort,
)
from paddock.solvers.z3.context import Z3Context
from paddock.solvers.z3.library import packed


class Z3Sorts:
    """The sorts of a context, each made once."""

    def __init__(self, context: Z3Context) -> None:
        self._context = context
        bound = context.bound
        self._known: dict[Sort, int] = {
            BOOL: bound("mk_bool_sort", "pp")(),
            INT: bound("mk_int_sort", "pp")(),
            REAL: bound("mk_real_sort", "pp")(),
            ROUNDING_MODE: bound("mk_fpa_rounding_mode_sort", "pp")(),
            STRING: bound("mk_string_sort", "pp")(),
        }
        self._known[REGEX] = bound("mk_re_sort", "ppp")(self._known[STRING])

    def of(self, sort: Sort) -> int:
        """Z3's handle for a sort."""
        handle = self._known.get(sort)
        if handle is None:
            handle = self._made(sort)
            self._context.check_errors()
            self._known[sort] = handle
        return handle

    def _made(self, sort: Sort) -> int:
        handle: int
        bound = self._context.bound
        match sort:
            case BitVecSort(width):
                handle = bound("mk_bv_sort", "ppu")(width)
            case FloatSort(exponent, significand):
                handle = bound("mk_fpa_sort", "ppuu")(exponent, significand)
            case ArraySort(domain, range_):
                indices = [self.of(s) for s in domain]
                handle = bound("mk_array_sort_n", "ppupp")(len(indices), packed(indices), self.of(range_))
            case UninterpretedSort(name):
                handle = bound("mk_uninterpreted_sort", "ppp")(self._context.symbol(name))
            case _:
                raise SolverFailure(f"Z3: the sort {sort} is not declared")
        return handle

    def declare(self, datatypes: Sequence[DatatypeDecl]) -> dict[str, Constructor]:
        """Makes datatypes that may refer to each other; gives their constructors by name."""
        bound = self._context.bound
        names = [self._context.symbol(d.name) for d in datatypes]
        forward = bound("mk_datatype_sort", "pppup")
        # Until they are declared the sorts stand for themselves by name, also inside an array sort.
        known = dict(self._known)
        for datatype, symbol in zip(datatypes, names, strict=True):
            self._known[DatatypeSort(datatype.name)] = forward(symbol, 0, None)
        constructors = [[self._constructor(c) for c in d.constructors] for d in datatypes]
        make_list, delete_list = bound("mk_constructor_list", "ppup"), bound("del_constructor_list", "-pp")
        lists = [make_list(len(group), packed(group)) for group in constructors]
        made = (ctypes.c_void_p * len(datatypes))()
        bound("mk_datatypes", "-puppp")(len(datatypes), packed(names), made, packed(lists))
        self._context.check_errors()
        self._known = known
        for datatype, handle in zip(datatypes, made, strict=True):
            self._known[DatatypeSort(datatype.name)] = handle
        result: dict[str, Constructor] = {}
        delete = bound("del_constructor", "-pp")
        for datatype, group in zip(datatypes, constructors, strict=True):
            for declaration, constructor in zip(datatype.constructors, group, strict=True):
                result[declaration.name] = self._functions_of(constructor, len(declaration.fields))
                delete(constructor)
        for constructor_list in lists:
            delete_list(constructor_list)
        return result

    def _constructor(self, declaration: ConstructorDecl) -> int:
        symbol = self._context.symbol
        fields = [symbol(name) for name, _ in declaration.fields]
        sorts = [self.of(sort) for _, sort in declaration.fields]
        unused = (ctypes.c_uint * len(fields))()
        name, test = symbol(declaration.name), symbol(f"is-{declaration.name}")
        make = self._context.bound("mk_constructor", "ppppuppp")
        constructor: int = make(name, test, len(fields), packed(fields), packed(sorts), unused)
        self._context.check_errors()
        return constructor

    def _functions_of(self, constructor: int, field_count: int) -> Constructor:
        make, test = ctypes.c_void_p(), ctypes.c_void_p()
        selectors = (ctypes.c_void_p * field_count)()
        query = self._context.bound("query_constructor", "-ppuppp")
        query(constructor, field_count, ctypes.byref(make), ctypes.byref(test), selectors)
        self._context.check_errors()
        return Constructor(Function(make.value), Function(test.value), tuple(Function(s) for s in selectors))
