"""Building Z3's sorts and terms in a context of their own.

The context keeps every term until it is deleted (`Z3_mk_context` without reference counts): a term costs one
call, and none outlives its solver. Templates are bodies over de Bruijn variables, instantiated by one call of
`Z3_substitute_vars`.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, cast

from paddock.digits import quotient
from paddock.solvers.interface import Constructor, Function, LiteralValue, SolverFailure, Template, Term
from paddock.solvers.ops import Op
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
from paddock.solvers.values import ROUNDING_MODES, is_nan
from paddock.solvers.z3.library import ErrorHandler, Library, load_library, packed
from paddock.solvers.z3.ops import builders

_SMALL = 1 << 62  # numerals below this are passed as machine integers
_PRODUCTS = (Op.MUL, Op.DIV, Op.MOD, Op.REM, Op.RDIV)
_POWERS = (Op.POWER, Op.FP_TO_REAL)


class _Z3Template(NamedTuple):
    body: Any
    arity: int


class Z3Terms:
    """A context, with what builds terms in it."""

    def __init__(self) -> None:
        library = load_library()
        self.library = library
        config = library.function("mk_config", "p")()
        context: int = library.function("mk_context", "pp")(config)
        self.context = context
        library.function("del_config", "-p")(config)
        # Z3 reports an error by calling back while the failing call runs; some failing calls return a term.
        self._errors: list[int] = []
        errors = self._errors
        self._handler = ErrorHandler(lambda _, code: errors.append(code))
        library.function("set_error_handler", "-pp")(context, self._handler)
        self.free = weakref.finalize(self, _delete, library, context, self._handler)
        self.free.atexit = False  # at exit the system frees faster
        bound = self.bound
        self._plain, self._indexed = builders(library, context)
        self._symbol = bound("mk_string_symbol", "pps")
        self._mk_const = library.function("mk_const", "pppp")
        self._mk_fresh = library.function("mk_fresh_const", "ppsp")
        self._mk_app = library.function("mk_app", "pppup")
        self._mk_int = library.function("mk_int64", "ppqp")
        self._numeral = bound("mk_numeral", "ppsp")
        self._substitute_vars = library.function("substitute_vars", "pppup")
        self._quantifier = bound("mk_quantifier_const_ex", "ppbuppupupupp")
        self._lambda = bound("mk_lambda_const", "ppupp")
        self._sorts: dict[Sort, int] = {
            BOOL: bound("mk_bool_sort", "pp")(),
            INT: bound("mk_int_sort", "pp")(),
            REAL: bound("mk_real_sort", "pp")(),
            ROUNDING_MODE: bound("mk_fpa_rounding_mode_sort", "pp")(),
            STRING: bound("mk_string_sort", "pp")(),
        }
        self._sorts[REGEX] = bound("mk_re_sort", "ppp")(self._sorts[STRING])
        self._truth = {True: bound("mk_true", "pp")(), False: bound("mk_false", "pp")()}
        self._empty_symbol = self._symbol(b"")
        self.has_quantifiers = False
        self.is_linear = True  # no unknowns are multiplied, nor divided by one, nor is anything raised to a power
        self._plain.update((op, self._watched(op)) for op in (*_PRODUCTS, *_POWERS))

    def bound(self, name: str, prototype: str) -> Callable[..., Any]:
        """A function of the library that takes this context first."""
        function, context = self.library.function(name, prototype), self.context
        return lambda *args: function(context, *args)

    def symbol(self, name: str) -> int:
        """Z3's handle for a name."""
        handle: int = self._symbol(name.encode())
        return handle

    def failed(self) -> SolverFailure:
        """The error that Z3 has reported, as an exception."""
        code = self._errors[0]
        self._errors.clear()
        message: bytes = self.bound("get_error_msg", "spu")(code)
        return SolverFailure(f"Z3: {message.decode(errors='replace').strip()}")

    def check_errors(self) -> None:
        if self._errors:
            raise self.failed()

    def sort(self, sort: Sort) -> int:
        """Z3's handle for a sort."""
        handle = self._sorts.get(sort)
        if handle is None:
            handle = self._make_sort(sort)
            self.check_errors()
            self._sorts[sort] = handle
        return handle

    def _make_sort(self, sort: Sort) -> int:
        handle: int
        match sort:
            case BitVecSort(width):
                handle = self.bound("mk_bv_sort", "ppu")(width)
            case FloatSort(exponent, significand):
                handle = self.bound("mk_fpa_sort", "ppuu")(exponent, significand)
            case ArraySort(domain, range_):
                indices = [self.sort(s) for s in domain]
                handle = self.bound("mk_array_sort_n", "ppupp")(len(indices), packed(indices), self.sort(range_))
            case UninterpretedSort(name):
                handle = self.bound("mk_uninterpreted_sort", "ppp")(self._symbol(name.encode()))
            case _:
                raise SolverFailure(f"Z3: the sort {sort} is not declared")
        return handle

    def constant(self, name: str, sort: Sort) -> Term:
        term: Term = self._mk_const(self.context, self._symbol(name.encode()), self.sort(sort))
        return term

    def fresh(self, name: str, sort: Sort) -> Term:
        term: Term = self._mk_fresh(self.context, name.encode(), self.sort(sort))
        return term

    # Binding abstracts constants, so a variable is a constant that nothing else can name.
    variable = fresh

    def literal(self, value: LiteralValue, sort: Sort) -> Term:
        term: Term
        if sort is BOOL:
            term = self._truth[bool(value)]
        elif isinstance(sort, FloatSort):
            term = self._float(int(value), sort)
        elif sort is ROUNDING_MODE:
            term = self.bound(f"mk_fpa_{ROUNDING_MODES[str(value)].lower()}", "pp")()
        elif sort is STRING:
            codes = (ctypes.c_uint * len(str(value)))(*map(ord, str(value)))
            term = self.bound("mk_u32string", "ppup")(len(codes), codes)
        elif isinstance(value, int) and -_SMALL < value < _SMALL:
            term = self._mk_int(self.context, value, self.sort(sort))
        else:
            term = self._numeral(quotient(Fraction(value)).encode(), self.sort(sort))
        if self._errors:
            raise self.failed()
        return term

    def _float(self, bits: int, sort: FloatSort) -> Any:
        if is_nan(bits, sort):
            return self.bound("mk_fpa_nan", "ppp")(self.sort(sort))
        fraction = sort.significand - 1
        parts = ((bits >> (sort.width - 1), 1), (bits >> fraction, sort.exponent), (bits, fraction))
        return self.app(Op.FP, [self.literal(part % (1 << width), BitVecSort(width)) for part, width in parts])

    def app(self, op: Op, args: Sequence[Term], indices: Sequence[int] = ()) -> Term:
        term: Term = self._indexed[op](args, indices) if indices else self._plain[op](args)
        if self._errors:
            raise self.failed()
        return term

    def _watched(self, op: Op) -> Callable[[Sequence[Any]], Any]:
        build, is_number = self._plain[op], self.bound("is_numeral_ast", "bpp")

        def watched(args: Sequence[Any]) -> Any:
            if self.is_linear:
                unknowns = [n for n, arg in enumerate(args) if not is_number(arg)]
                few = len(unknowns) < 2 if op is Op.MUL else unknowns in ([], [0])
                self.is_linear = few and op not in _POWERS
            return build(args)

        return watched

    def const_array(self, sort: Sort, value: Term) -> Term:
        assert isinstance(sort, ArraySort)
        if len(sort.domain) > 1:
            return self.lambda_([self.variable("i", index) for index in sort.domain], value)
        term: Term = self.bound("mk_const_array", "pppp")(self.sort(sort.domain[0]), value)
        self.check_errors()
        return term

    def declare_function(self, name: str, domain: Sequence[Sort], range_: Sort) -> Function:
        declare = self.bound("mk_func_decl", "pppupp")
        domain_sorts = [self.sort(s) for s in domain]
        function: Function = declare(
            self._symbol(name.encode()), len(domain_sorts), packed(domain_sorts), self.sort(range_)
        )
        self.check_errors()
        return function

    def apply(self, function: Function, args: Sequence[Term]) -> Term:
        term: Term = self._mk_app(self.context, function, len(args), packed(args))
        if self._errors:
            raise self.failed()
        return term

    def declare_datatypes(self, datatypes: Sequence[DatatypeDecl]) -> dict[str, Constructor]:
        names = [self._symbol(d.name.encode()) for d in datatypes]
        forward = self.bound("mk_datatype_sort", "pppup")
        # Until they are declared the sorts stand for themselves by name, also inside an array sort.
        known = dict(self._sorts)
        for datatype, symbol in zip(datatypes, names, strict=True):
            self._sorts[DatatypeSort(datatype.name)] = forward(symbol, 0, None)
        constructors = [[self._constructor(c) for c in d.constructors] for d in datatypes]
        make_list, delete_list = self.bound("mk_constructor_list", "ppup"), self.bound("del_constructor_list", "-pp")
        lists = [make_list(len(group), packed(group)) for group in constructors]
        made = (ctypes.c_void_p * len(datatypes))()
        self.bound("mk_datatypes", "-puppp")(len(datatypes), packed(names), made, packed(lists))
        self.check_errors()
        self._sorts = known
        for datatype, handle in zip(datatypes, made, strict=True):
            self._sorts[DatatypeSort(datatype.name)] = handle
        result: dict[str, Constructor] = {}
        delete = self.bound("del_constructor", "-pp")
        for datatype, group in zip(datatypes, constructors, strict=True):
            for declaration, constructor in zip(datatype.constructors, group, strict=True):
                result[declaration.name] = self._functions_of(constructor, len(declaration.fields))
                delete(constructor)
        for constructor_list in lists:
            delete_list(constructor_list)
        return result

    def _constructor(self, declaration: ConstructorDecl) -> int:
        make = self.bound("mk_constructor", "ppppuppp")
        fields = [self._symbol(name.encode()) for name, _ in declaration.fields]
        sorts = [self.sort(sort) for _, sort in declaration.fields]
        unused = (ctypes.c_uint * len(fields))()
        name, test = declaration.name.encode(), f"is-{declaration.name}".encode()
        constructor: int = make(
            self._symbol(name), self._symbol(test), len(fields), packed(fields), packed(sorts), unused
        )
        self.check_errors()
        return constructor

    def _functions_of(self, constructor: int, field_count: int) -> Constructor:
        make, test = ctypes.c_void_p(), ctypes.c_void_p()
        selectors = (ctypes.c_void_p * field_count)()
        query = self.bound("query_constructor", "-ppuppp")
        query(constructor, field_count, ctypes.byref(make), ctypes.byref(test), selectors)
        self.check_errors()
        return Constructor(Function(make.value), Function(test.value), tuple(Function(s) for s in selectors))

    def quantify(
        self,
        universal: bool,
        variables: Sequence[Term],
        body: Term,
        *,
        patterns: Sequence[Sequence[Term]] = (),
        no_patterns: Sequence[Term] = (),
        weight: int = 1,
        name: str = "",
    ) -> Term:
        self.has_quantifiers = True
        make_pattern = self.bound("mk_pattern", "ppup")
        pattern_handles = [make_pattern(len(pattern), packed(pattern)) for pattern in patterns]
        self.check_errors()
        term = self._quantified(universal, variables, body, pattern_handles, no_patterns, weight, name)
        if self._errors and pattern_handles:
            # Z3 refuses patterns in which a formula is an argument; then the choice is its own.
            self._errors.clear()
            term = self._quantified(universal, variables, body, [], no_patterns, weight, name)
        self.check_errors()
        return term

    def _quantified(
        self,
        universal: bool,
        variables: Sequence[Term],
        body: Term,
        patterns: Sequence[Any],
        no_patterns: Sequence[Term],
        weight: int,
        name: str,
    ) -> Term:
        avoided = () if patterns else no_patterns  # Z3 takes one or the other
        qid = self._symbol(name.encode()) if name else self._empty_symbol
        bound, pats, nopats = packed(variables), packed(patterns), packed(avoided)
        counts = len(variables), len(patterns), len(avoided)
        term: Term = self._quantifier(
            universal, weight, qid, self._empty_symbol, counts[0], bound, counts[1], pats, counts[2], nopats, body
        )
        return term

    def lambda_(self, variables: Sequence[Term], body: Term) -> Term:
        term: Term = self._lambda(len(variables), packed(variables), body)
        self.check_errors()
        return term

    def template(self, parameters: Sequence[Term], body: Term) -> Template:
        # Z3 turns the constants that a lambda binds into de Bruijn variables, under inner binders too.
        inner: Any = body
        if parameters:
            inner = self.bound("get_quantifier_body", "ppp")(self.lambda_(parameters, body))
        return Template(_Z3Template(inner, len(parameters)))

    def instantiate(self, template: Template, args: Sequence[Term]) -> Term:
        body, arity = cast(_Z3Template, template)
        if len(args) != arity:
            raise SolverFailure(f"Z3: a template of {arity} parameters has {len(args)} arguments")
        # The last parameter is the innermost, with index 0.
        term: Term = self._substitute_vars(self.context, body, arity, packed(args[::-1]))
        if self._errors:
            raise self.failed()
        return term


def _delete(library: Library, context: int, _handler: object) -> None:
    # The context may call its error handler until it is gone, so the handler is kept as long.
    library.function("del_context", "-p")(context)
