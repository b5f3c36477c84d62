"""An SMT-LIB script that grows as terms are built and asserted.

It is one half of a solver, the half that needs no process: names become symbols, templates become `define-fun`,
arrays of several indices take tuples, and lambdas become functions with an axiom.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from paddock.frozen import frozen
from paddock.solvers.derived import define_lambda, few_arguments, remainder
from paddock.solvers.interface import Constructor, Function, LiteralValue, SolverFailure, Template, Term
from paddock.solvers.ops import Op, result_sort
from paddock.solvers.smtlib.text import (
    Binder,
    Instance,
    Literal,
    Macro,
    Node,
    clean_name,
    free_variables,
    literal_text,
    symbol_text,
    term_text,
    unused_name,
)
from paddock.solvers.sorts import (
    BOOL,
    INT,
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


class Script:
    """The commands so far, and what builds terms for more."""

    def __init__(self) -> None:
        self.commands: list[str] = []
        reserved = (*_RESERVED, *(op.value for op in Op))
        self._taken = dict.fromkeys(reserved, 1)
        self._constants: dict[str, Node] = {}
        self._names: dict[Node, Node] = {}
        self._functions: dict[str, TextFunction] = {}
        self._sorts: dict[Sort, str] = {}
        sorts = (*(s.value for s in BasicSort), "Array", "BitVec", "FloatingPoint", "Tuple", "Set", "Bag", "Seq")
        self._taken_sorts = dict.fromkeys((*reserved, *sorts), 1)
        self._tuples: dict[int, tuple[str, str]] = {}  # sort and constructor, by arity
        self.constructors: dict[str, tuple[str, tuple[Sort, ...]]] = {}  # name and field sorts by symbol

    def _new_symbol(self, name: str) -> str:
        """A symbol like `name` that nothing has yet."""
        return symbol_text(unused_name(name, self._taken))

    # Sorts

    def sort_text(self, sort: Sort) -> str:
        """The sort as text; declares it if it is new."""
        text = self._sorts.get(sort)
        if text is None:
            text = self._sorts[sort] = self._make_sort(sort)
        return text

    def _make_sort(self, sort: Sort) -> str:
        match sort:
            case BitVecSort(width):
                return f"(_ BitVec {width})"
            case FloatSort(exponent, significand):
                return f"(_ FloatingPoint {exponent} {significand})"
            case ArraySort(domain, range_):
                index = self.sort_text(domain[0])
                if len(domain) > 1:
                    index = f"({self._tuple(len(domain))[0]} {' '.join(map(self.sort_text, domain))})"
                return f"(Array {index} {self.sort_text(range_)})"
            case UninterpretedSort(name):
                symbol = self._new_sort_symbol(name)
                self.commands.append(f"(declare-sort {symbol} 0)")
                return symbol
            case DatatypeSort(name):
                return self._new_sort_symbol(name)
            case BasicSort():
                return sort.value

    def _new_sort_symbol(self, name: str) -> str:
        return symbol_text(unused_name(name, self._taken_sorts))

    def _tuple(self, arity: int) -> tuple[str, str]:
        """The sort and the constructor of tuples; declares them if they are new."""
        if arity not in self._tuples:
            sort, constructor = self._new_sort_symbol(f"Tuple{arity}"), self._new_symbol(f"tuple{arity}")
            sorts = [f"T{i}" for i in range(arity)]
            fields = " ".join([f"({self._new_symbol(f'at{i}')} {s})" for i, s in enumerate(sorts)])
            self.commands.append(
                f"(declare-datatypes (({sort} {arity})) ((par ({' '.join(sorts)}) (({constructor} {fields})))))"
            )
            self._tuples[arity] = sort, constructor
        return self._tuples[arity]

    # Terms

    def constant(self, name: str, sort: Sort) -> Term:
        node = self._constants.get(name)
        if node is None:
            node = self._constants[name] = self._declared_constant(name, sort)
        return Term(node)

    def fresh(self, name: str, sort: Sort) -> Term:
        return Term(self._declared_constant(name, sort))

    def _declared_constant(self, name: str, sort: Sort) -> Node:
        symbol = self._new_symbol(name)
        self.commands.append(f"(declare-fun {symbol} () {self.sort_text(sort)})")
        return Node(symbol, (), sort)

    def variable(self, name: str, sort: Sort) -> Term:
        self.sort_text(sort)
        return Term(Node(self._new_symbol(name), (), sort, is_variable=True))

    def literal(self, value: LiteralValue, sort: Sort) -> Term:
        return Term(Literal(literal_text(value, sort), (), sort))

    def app(self, op: Op, args: Sequence[Term], indices: Sequence[int] = ()) -> Term:
        if len(args) < 2:
            simpler = few_arguments(self, op, args)
            if simpler is not None:
                return simpler
        nodes = cast(Sequence[Node], args)
        sort = result_sort(op, [n.sort for n in nodes], indices)
        match op:
            case Op.SELECT:
                nodes = (nodes[0], self._index(nodes[1:]))
            case Op.STORE:
                nodes = (nodes[0], self._index(nodes[1:-1]), nodes[-1])
            case Op.REM:
                return remainder(self, *args)
            case Op.BV_TO_INT:
                return self._signed(*args)
        head = f"(_ {op.value} {' '.join(map(str, indices))})" if indices else op.value
        return Term(Node(head, tuple(nodes), sort))

    def _index(self, nodes: Sequence[Node]) -> Node:
        # The sort of the tuple itself is never asked for.
        return nodes[0] if len(nodes) == 1 else Node(self._tuple(len(nodes))[1], tuple(nodes), BOOL)

    def _signed(self, a: Term) -> Term:
        """Two's complement, for solvers that know only `bv2nat`."""
        width = cast(BitVecSort, cast(Node, a).sort).width
        natural = self.app(Op.BV_TO_NAT, (a,))
        negative = self.app(Op.BVSLT, (a, self.literal(0, BitVecSort(width))))
        wrapped = self.app(Op.SUB, (natural, self.literal(1 << width, INT)))
        return self.app(Op.ITE, (negative, wrapped, natural))

    def const_array(self, sort: Sort, value: Term) -> Term:
        node = cast(Node, value)
        if isinstance(node, Literal):
            return Term(Node(f"(as const {self.sort_text(sort)})", (node,), sort))
        # Not every solver has constant arrays of other terms.
        assert isinstance(sort, ArraySort)
        return self.lambda_([self.variable("i", index) for index in sort.domain], value)

    def declare_function(self, name: str, domain: Sequence[Sort], range_: Sort) -> Function:
        function = self._functions.get(name)
        if function is None:
            symbol = self._new_symbol(name)
            sorts = " ".join([self.sort_text(s) for s in domain])
            self.commands.append(f"(declare-fun {symbol} ({sorts}) {self.sort_text(range_)})")
            function = self._functions[name] = TextFunction(symbol, tuple(domain), range_)
        return Function(function)

    def apply(self, function: Function, args: Sequence[Term]) -> Term:
        declared = cast(TextFunction, function)
        return Term(Node(declared.head, cast(tuple[Node, ...], tuple(args)), declared.range))

    def declare_datatypes(self, datatypes: Sequence[DatatypeDecl]) -> dict[str, Constructor]:
        headers = [f"({self.sort_text(DatatypeSort(d.name))} 0)" for d in datatypes]
        result: dict[str, Constructor] = {}
        bodies: list[str] = []
        for datatype in datatypes:
            sort = DatatypeSort(datatype.name)
            constructors: list[str] = []
            for constructor in datatype.constructors:
                clean = unused_name(constructor.name, self._taken)
                symbol = symbol_text(clean)
                field_symbols = [self._new_symbol(name) for name, _ in constructor.fields]
                field_sorts = tuple(s for _, s in constructor.fields)
                fields = "".join(f" ({f} {self.sort_text(s)})" for f, s in zip(field_symbols, field_sorts, strict=True))
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
        bound = cast(tuple[Node, ...], tuple(variables))
        return Term(
            Binder(
                f"{'forall' if universal else 'exists'} ({self._parameters(bound)})",
                bound,
                cast(Node, body),
                cast(tuple[tuple[Node, ...], ...], tuple(map(tuple, patterns))),
                cast(tuple[Node, ...], tuple(no_patterns)),
                weight,
                symbol_text(clean_name(name)) if name else "",
            )
        )

    def _parameters(self, variables: Sequence[Node]) -> str:
        return " ".join([f"({v.head} {self.sort_text(v.sort)})" for v in variables])

    def lambda_(self, variables: Sequence[Term], body: Term) -> Term:
        bound, inner = cast(Sequence[Node], variables), cast(Node, body)
        free = free_variables([inner], bound)
        sort = ArraySort(tuple(v.sort for v in bound), inner.sort)
        name = f"lambda#{len(self.commands)}"  # new, as every lambda adds commands
        return define_lambda(self, name, cast(Sequence[Term], free), [v.sort for v in free], variables, sort, body)

    def template(self, parameters: Sequence[Term], body: Term) -> Template:
        bound, inner = cast(tuple[Node, ...], tuple(parameters)), cast(Node, body)
        head = self._new_symbol("template")
        range_ = self.sort_text(inner.sort)
        macro = Macro(head, bound, inner, len(self.commands))
        self.commands.append(f"(define-fun {head} ({self._parameters(bound)}) {range_} {term_text(inner)})")
        return Template(macro)

    def instantiate(self, template: Template, args: Sequence[Term]) -> Term:
        macro = cast(Macro, template)
        if len(args) != len(macro.parameters):
            raise SolverFailure(f"a template of {len(macro.parameters)} parameters has {len(args)} arguments")
        nodes = tuple(map(self._named, cast(Sequence[Node], args)))
        if macro.body in macro.parameters:
            return Term(nodes[macro.parameters.index(macro.body)])
        return Term(Instance(macro, nodes))

    def _named(self, node: Node) -> Node:
        """A name for a term, lest an argument that has arguments itself is written anew wherever it is used."""
        if not node.args or node.open:
            return node
        named = self._names.get(node)
        if named is None:
            macro = Macro(self._new_symbol("term"), (), node, len(self.commands))
            self.commands.append(f"(define-fun {macro.head} () {self.sort_text(node.sort)} {term_text(node)})")
            named = self._names[node] = Instance(macro, ())
        return named

    def assert_(self, term: Term) -> None:
        self.commands.append(f"(assert {term_text(cast(Node, term))})")
