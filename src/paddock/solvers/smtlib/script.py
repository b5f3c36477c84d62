"""An SMT-LIB script that grows as terms are built and asserted.

It is one half of a solver, the half that needs no process: names become symbols, templates become `define-fun`,
arrays of several indices take tuples, and lambdas become functions with an axiom.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from paddock.solvers.derived import define_lambda, few_arguments, remainder
from paddock.solvers.interface import Constructor, Function, LiteralValue, SolverFailure, Template, Term
from paddock.solvers.ops import Op, result_sort
from paddock.solvers.smtlib.declarations import Declarations, TextFunction
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
)
from paddock.solvers.sorts import (
    BOOL,
    INT,
    ArraySort,
    BitVecSort,
    DatatypeDecl,
    Sort,
)


class Script:
    """The commands so far, and what builds terms for more."""

    def __init__(self) -> None:
        self.declared = Declarations()
        self.commands = self.declared.commands
        self._constants: dict[str, Node] = {}
        self._names: dict[Node, Node] = {}
        self._functions: dict[str, TextFunction] = {}

    def constant(self, name: str, sort: Sort) -> Term:
        node = self._constants.get(name)
        if node is None:
            node = self._constants[name] = self._declared_constant(name, sort)
        return Term(node)

    def fresh(self, name: str, sort: Sort) -> Term:
        return Term(self._declared_constant(name, sort))

    def _declared_constant(self, name: str, sort: Sort) -> Node:
        symbol = self.declared.new_symbol(name)
        self.commands.append(f"(declare-fun {symbol} () {self.declared.sort(sort)})")
        return Node(symbol, (), sort)

    def variable(self, name: str, sort: Sort) -> Term:
        self.declared.sort(sort)
        return Term(Node(self.declared.new_symbol(name), (), sort, is_variable=True))

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
        return nodes[0] if len(nodes) == 1 else Node(self.declared.tuple_(len(nodes))[1], tuple(nodes), BOOL)

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
            return Term(Node(f"(as const {self.declared.sort(sort)})", (node,), sort))
        # Not every solver has constant arrays of other terms.
        assert isinstance(sort, ArraySort)
        return self.lambda_([self.variable("i", index) for index in sort.domain], value)

    def declare_function(self, name: str, domain: Sequence[Sort], range_: Sort) -> Function:
        function = self._functions.get(name)
        if function is None:
            symbol = self.declared.new_symbol(name)
            sorts = " ".join([self.declared.sort(s) for s in domain])
            self.commands.append(f"(declare-fun {symbol} ({sorts}) {self.declared.sort(range_)})")
            function = self._functions[name] = TextFunction(symbol, tuple(domain), range_)
        return Function(function)

    def apply(self, function: Function, args: Sequence[Term]) -> Term:
        declared = cast(TextFunction, function)
        return Term(Node(declared.head, cast(tuple[Node, ...], tuple(args)), declared.range))

    def declare_datatypes(self, datatypes: Sequence[DatatypeDecl]) -> dict[str, Constructor]:
        return self.declared.declare(datatypes)

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
        return " ".join([f"({v.head} {self.declared.sort(v.sort)})" for v in variables])

    def lambda_(self, variables: Sequence[Term], body: Term) -> Term:
        bound, inner = cast(Sequence[Node], variables), cast(Node, body)
        free = free_variables([inner], bound)
        sort = ArraySort(tuple(v.sort for v in bound), inner.sort)
        name = f"lambda#{len(self.commands)}"  # new, as every lambda adds commands
        return define_lambda(self, name, cast(Sequence[Term], free), [v.sort for v in free], variables, sort, body)

    def template(self, parameters: Sequence[Term], body: Term) -> Template:
        bound, inner = cast(tuple[Node, ...], tuple(parameters)), cast(Node, body)
        head = self.declared.new_symbol("template")
        range_ = self.declared.sort(inner.sort)
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
            macro = Macro(self.declared.new_symbol("term"), (), node, len(self.commands))
            self.commands.append(f"(define-fun {macro.head} () {self.declared.sort(node.sort)} {term_text(node)})")
            named = self._names[node] = Instance(macro, ())
        return named

    def assert_(self, term: Term) -> None:
        self.commands.append(f"(assert {term_text(cast(Node, term))})")
