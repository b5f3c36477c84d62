"""What an SMT-LIB script declares: symbols, sorts, tuples for arrays of several indices, and datatypes."""

from __future__ import annotations

from collections.abc import Sequence

from paddock.frozen import frozen
from paddock.solvers.interface import Constructor, Function
from paddock.solvers.ops import Op
from paddock.solvers.smtlib.text import symbol_text, unused_name
from paddock.solvers.sorts import (
    BOOL,
    ArraySort,
    BasicSort,
    BitVecSort,
    DatatypeDecl,
    DatatypeSort,
    FloatSort,
    Sort,
    UninterpretedSort,
)

# Words that mean something to a solver besides the operators: SMT-LIB's own, and names of common extensions.
_RESERVED = frozenset(
    "true false let forall exists match par as _ ! lambda is const BINARY DECIMAL HEXADECIMAL NUMERAL STRING "
    "assert check-sat check-sat-assuming declare-const declare-datatype declare-datatypes declare-fun declare-sort "
    "define-const define-fun define-fun-rec define-funs-rec define-sort echo exit get-assertions get-assignment "
    "get-info get-model get-option get-proof get-unsat-assumptions get-unsat-core get-value pop push reset "
    "reset-assertions set-info set-logic set-option "
    "iff implies if default map update choice witness iand pow2 divisible min max emp sep wand pto union inter member "
    "subset card complement singleton insert transpose product join tclosure sqrt exp sin cos tan csc sec cot arcsin "
    "arccos arctan real.pi root-obj bvredor bvredand bv2int nat2bv ubv_to_int int_to_bv bvnego bvuaddo bvsaddo bvumulo "
    "bvsmulo bvusubo bvssubo bvsdivo int2str str2int".split()
)


@frozen
class TextFunction:
    """A declared function, a constructor, a tester or a selector."""

    head: str
    domain: tuple[Sort, ...]
    range: Sort


class Declarations:
    """The commands of a script, and what they have declared so far."""

    def __init__(self) -> None:
        self.commands: list[str] = []
        reserved = (*_RESERVED, *(op.value for op in Op))
        self._taken = dict.fromkeys(reserved, 1)
        self._sorts: dict[Sort, str] = {}
        sorts = (*(s.value for s in BasicSort), "Array", "BitVec", "FloatingPoint", "Tuple", "Set", "Bag", "Seq")
        self._taken_sorts = dict.fromkeys((*reserved, *sorts), 1)
        self._tuples: dict[int, tuple[str, str]] = {}  # sort and constructor, by arity
        self.constructors: dict[str, tuple[str, tuple[Sort, ...]]] = {}  # name and field sorts by symbol

    def new_symbol(self, name: str) -> str:
        """A symbol like `name` that nothing has yet."""
        return symbol_text(unused_name(name, self._taken))

    def _new_sort_symbol(self, name: str) -> str:
        return symbol_text(unused_name(name, self._taken_sorts))

    def sort(self, sort: Sort) -> str:
        """The sort as text; declares it if it is new."""
        text = self._sorts.get(sort)
        if text is None:
            text = self._sorts[sort] = self._made(sort)
        return text

    def _made(self, sort: Sort) -> str:
        match sort:
            case BitVecSort(width):
                return f"(_ BitVec {width})"
            case FloatSort(exponent, significand):
                return f"(_ FloatingPoint {exponent} {significand})"
            case ArraySort(domain, range_):
                index = self.sort(domain[0])
                if len(domain) > 1:
                    index = f"({self.tuple_(len(domain))[0]} {' '.join(map(self.sort, domain))})"
                return f"(Array {index} {self.sort(range_)})"
            case UninterpretedSort(name):
                symbol = self._new_sort_symbol(name)
                self.commands.append(f"(declare-sort {symbol} 0)")
                return symbol
            case DatatypeSort(name):
                return self._new_sort_symbol(name)
            case BasicSort():
                return sort.value

    def tuple_(self, arity: int) -> tuple[str, str]:
        """The sort and the constructor of tuples; declares them if they are new."""
        if arity not in self._tuples:
            sort, constructor = self._new_sort_symbol(f"Tuple{arity}"), self.new_symbol(f"tuple{arity}")
            sorts = [f"T{i}" for i in range(arity)]
            fields = " ".join([f"({self.new_symbol(f'at{i}')} {s})" for i, s in enumerate(sorts)])
            self.commands.append(
                f"(declare-datatypes (({sort} {arity})) ((par ({' '.join(sorts)}) (({constructor} {fields})))))"
            )
            self._tuples[arity] = sort, constructor
        return self._tuples[arity]

    def declare(self, datatypes: Sequence[DatatypeDecl]) -> dict[str, Constructor]:
        """Declares datatypes that may refer to each other; gives their constructors by name."""
        headers = [f"({self.sort(DatatypeSort(d.name))} 0)" for d in datatypes]
        result: dict[str, Constructor] = {}
        bodies: list[str] = []
        for datatype in datatypes:
            sort = DatatypeSort(datatype.name)
            constructors: list[str] = []
            for constructor in datatype.constructors:
                clean = unused_name(constructor.name, self._taken)
                symbol = symbol_text(clean)
                field_symbols = [self.new_symbol(name) for name, _ in constructor.fields]
                field_sorts = tuple(s for _, s in constructor.fields)
                fields = "".join(f" ({f} {self.sort(s)})" for f, s in zip(field_symbols, field_sorts, strict=True))
                constructors.append(f"({symbol}{fields})")
                self.constructors[clean] = (constructor.name, field_sorts)
                result[constructor.name] = Constructor(
                    Function(TextFunction(symbol, field_sorts, sort)),
                    Function(TextFunction(f"(_ is {symbol})", (sort,), BOOL)),
                    tuple(
                        Function(TextFunction(f, (sort,), s)) for f, s in zip(field_symbols, field_sorts, strict=True)
                    ),
                )
            bodies.append(f"({' '.join(constructors)})")
        self.commands.append(f"(declare-datatypes ({' '.join(headers)}) ({' '.join(bodies)}))")
        return result
