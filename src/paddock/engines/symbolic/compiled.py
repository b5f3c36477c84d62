"""Expressions of the program as steps over terms: compiled once, run in many states.

What has no operator in the solver's vocabulary (quantifiers, datatypes, uninterpreted functions) becomes an opaque term
over its parts, which the encoder makes sense of.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast

from paddock.engines.symbolic.cells import Cells, Memory
from paddock.engines.symbolic.nodes import Algebra, Leaf, Node, Span
from paddock.engines.symbolic.rules import less, masked, signed_span
from paddock.frozen import frozen
from paddock.ir.expr import App, Binder, Expr, Extract, Fn, Let, Lit, Op, Quantifier, Scope, Var
from paddock.ir.graph import postorder
from paddock.ir.lexical import unescape
from paddock.ir.program import Function, Program, built_in
from paddock.ir.rewriting import with_snapshots
from paddock.ir.types import STRING, Float, Type
from paddock.ir.walk import children, rewrite, substitute, subterms
from paddock.solvers.ops import Op as SmtOp
from paddock.solvers.ops import builtin
from paddock.solvers.sorts import ROUNDING_MODE, ArraySort, Sort
from paddock.vc.encode import ON_FLOATS, PLAIN, ROUNDED

Value = Node | Cells
Lookup = Callable[[Var], Value]
_DEEPEST_LAMBDA = 12
LONGEST_COPY = 4096  # elements that a lambda changes one by one

_OPAQUE = (Op.POW, Op.TO_INT, Op.TO_REAL)  # nothing is computed with them
_COMPARED = (SmtOp.BVULT, SmtOp.BVULE, SmtOp.BVUGT, SmtOp.BVUGE, SmtOp.BVSLT, SmtOp.BVSLE, SmtOp.BVSGT, SmtOp.BVSGE)


class Context:
    """Where an expression is evaluated: the values of variables now and when the procedure started, and the range that
    a term is known to be in."""

    __slots__ = ("before", "now", "span_of")

    def __init__(self, now: Lookup, before: Lookup, span_of: Callable[[Node], Span]) -> None:
        self.now = now
        self.before = before
        self.span_of = span_of


Step = Callable[[list[Value], Context], Value]


@frozen
class Copying:
    """`(lambda a :: if a - start < length then new else map[a])`: a map with other elements in a range."""

    index: Var
    start: Expr
    length: Expr
    new: Expr
    map: Expr


class _Definitions:
    """What expressions are to be read as: definitions in the places of names, and `old` by variables of its own."""

    def __init__(self, functions: Mapping[str, Function]) -> None:
        self._functions = functions
        self.snapshots: dict[Var, Var] = {}  # the globals that those variables stand for, as they were

    def resolved(self, expr: Expr) -> Expr:
        """The expression with definitions, of `let` and of functions that have one, in their places, and variables of
        their own for what is `old`."""
        expr = with_snapshots(expr, self._snapshot, {})
        while (expanded := rewrite(expr, self._expanded)) is not expr:
            expr = expanded
        return expr

    def _snapshot(self, var: Var) -> Expr:
        if var.scope is not Scope.GLOBAL:
            return var
        snapshot = Var(f"old#{var.name}", var.type, Scope.LOCAL)
        self.snapshots[snapshot] = var
        return snapshot

    def _definition(self, node: Expr) -> Function | None:
        """The definition of a function that is applied here, if it can be looked into."""
        if not isinstance(node, App) or not isinstance(node.op, Fn):
            return None
        function = self._functions[node.op.name]
        if function.body is None or built_in(function) is not None or _mentions_functions(function.body):
            return None
        return function

    def _expanded(self, node: Expr) -> Expr:
        if isinstance(node, Let):
            return substitute(node.body, dict(zip(node.vars, node.values, strict=True)))
        function = self._definition(node)
        if function is None:
            return node
        assert isinstance(node, App) and function.body is not None
        return substitute(function.body, {p.var: a for p, a in zip(function.params, node.args, strict=True)})


class Compiler:
    """Compiles the expressions of one program."""

    def __init__(self, program: Program, algebra: Algebra, memory: Memory, sort: Callable[[Type], Sort]) -> None:
        self._functions = program.function_named
        self._algebra = algebra
        self._memory = memory
        self._sort = sort
        self._compiled: dict[Expr, list[Step]] = {}
        self._definitions = _Definitions(self._functions)
        self._nested = 0  # lambdas that are being applied
        memory.applied = self._applied

    def run(self, expr: Expr, context: Context) -> Value:
        """The value of an expression."""
        steps = self._compiled.get(expr)
        if steps is None:
            steps = self._compiled[expr] = self._steps(expr)
        values: list[Value] = []
        for step in steps:
            values.append(step(values, context))
        return values[-1]

    def term(self, expr: Expr, context: Context) -> Node:
        """The value of an expression, as a term."""
        return self._memory.plain(self.run(expr, context))

    # --- compiling -------------------------------------------------------------------------------

    def _steps(self, expr: Expr) -> list[Step]:
        root = self._definitions.resolved(expr)
        order = postorder({e: self._parts(e) for e in subterms([root])}, [root])
        position = {node: n for n, node in enumerate(order)}
        return [self._step(node, tuple([position[part] for part in self._parts(node)])) for node in order]

    def _parts(self, node: Expr) -> tuple[Expr, ...]:
        match node:
            case App():
                return node.args
            case Binder():
                copying = copied_range(node, self._functions)
                if copying is not None:
                    return (
                        copying.start,
                        copying.length,
                        copying.map,
                        *_state_variables([copying.new], frozenset([copying.index])),
                    )
                return _state_variables([node])
            case _:
                return ()

    def _step(self, node: Expr, args: tuple[int, ...]) -> Step:
        match node:
            case Lit():
                return self._literal(node)
            case Var(scope=Scope.CONST):
                named = self._memory.of(self._algebra.made(Leaf.NAMED, (), node, self._sort(node.type)))
                return lambda values, context: named
            case Var() if node in self._definitions.snapshots:
                before = self._definitions.snapshots[node]
                return lambda values, context: context.before(before)
            case Var():
                return lambda values, context: context.now(node)
            case App():
                return self._application(node, args)
            case _:
                assert isinstance(node, Binder)
                copying = copied_range(node, self._functions)
                return self._opaque(node, args) if copying is None else self._copying(node, copying, args)

    def _literal(self, node: Lit) -> Step:
        value = unescape(node.value) if node.type is STRING and isinstance(node.value, str) else node.value
        literal = self._algebra.literal(value, self._sort(node.type))
        return lambda values, context: literal

    def _application(self, node: App, args: tuple[int, ...]) -> Step:
        if node.op in ON_FLOATS and isinstance(node.args[0].type, Float):
            return self._on_floats(ON_FLOATS[node.op], args)
        found = self._operator(node)
        if found is None:
            if isinstance(node.op, Fn) and built_in(self._functions[node.op.name]) == "MapConst":
                return self._constant_map(node, args[0])
            return self._opaque(node, args)
        op, indices = found
        match op:
            case SmtOp.SELECT:
                return self._select(args)
            case SmtOp.STORE:
                return self._store(args)
            case SmtOp.ITE:
                condition, then, otherwise = args
                memory = self._memory
                return lambda values, context: memory.merged(values[condition], values[then], values[otherwise])  # type: ignore[arg-type]
            case _:
                return self._plain(op, indices, args)

    def _operator(self, node: App) -> tuple[SmtOp, tuple[int, ...]] | None:
        """The solver's operator that an application is of."""
        match node.op:
            case Extract(high, low):
                return SmtOp.EXTRACT, (high - 1, low)
            case Fn(name):
                text = built_in(self._functions[name])
                return None if text is None else builtin(text)
            case Op() as op if op in PLAIN and op not in _OPAQUE:
                return PLAIN[op], ()
            case _:
                return None

    def _on_floats(self, op: SmtOp, args: tuple[int, ...]) -> Step:
        algebra, memory = self._algebra, self._memory
        mode = (algebra.literal("RNE", ROUNDING_MODE),) if op in ROUNDED else ()
        return lambda values, context: algebra.app(op, (*mode, *[memory.plain(values[n]) for n in args]))

    def _plain(self, op: SmtOp, indices: tuple[int, ...], args: tuple[int, ...]) -> Step:
        algebra, memory = self._algebra, self._memory

        def step(values: list[Value], context: Context) -> Value:
            nodes = tuple([memory.plain(values[n]) for n in args])
            if op is SmtOp.BVAND or op in _COMPARED:
                decided = self._in_context(op, nodes, context)
                if decided is not None:
                    return decided
            return algebra.app(op, nodes, indices)

        return step

    def _in_context(self, op: SmtOp, args: tuple[Node, ...], context: Context) -> Node | None:
        """What an operator gives in view of the ranges that its arguments are known to be in here."""
        if len(args) != 2 or all(a.op is Leaf.LITERAL for a in args):
            return None
        a, b = args
        if op is SmtOp.BVAND:
            a, b = (b, a) if a.is_literal else (a, b)
            return masked(self._algebra, a, b.value, context.span_of(a)) if b.is_literal and b.value else None
        one, other = context.span_of(a), context.span_of(b)
        if op.value.startswith("bvs"):
            half = 1 << (a.width - 1)
            one, other = signed_span(one, half), signed_span(other, half)
        if op.value.endswith(("gt", "le")):
            one, other = other, one
        decided = less(one, other)
        if decided is None:
            return None
        return self._algebra.truth(decided != op.value.endswith("e"))

    def _select(self, args: tuple[int, ...]) -> Step:
        memory = self._memory

        def step(values: list[Value], context: Context) -> Value:
            cells = values[args[0]]
            assert isinstance(cells, Cells)
            return memory.read(cells, tuple([memory.plain(values[n]) for n in args[1:]]), context.span_of)

        return step

    def _store(self, args: tuple[int, ...]) -> Step:
        memory = self._memory

        def step(values: list[Value], context: Context) -> Value:
            cells = values[args[0]]
            assert isinstance(cells, Cells)
            index = tuple([memory.plain(values[n]) for n in args[1:-1]])
            return memory.written(cells, index, values[args[-1]], context.span_of)

        return step

    def _constant_map(self, node: App, arg: int) -> Step:
        sort, memory = self._sort(node.type), self._memory
        assert isinstance(sort, ArraySort)

        def step(values: list[Value], context: Context) -> Value:
            base = self._algebra.made(Leaf.CONST_ARRAY, (memory.plain(values[arg]),), (), sort)
            return Cells(base, {}, sort)

        return step

    def _opaque(self, node: Expr, args: tuple[int, ...]) -> Step:
        """A term that stands for an expression, by its variables or its arguments."""
        sort, parts, memory = self._sort(node.type), self._parts(node), self._memory
        names = tuple(p if isinstance(p, Var) else Var(f"part#{n}", p.type, Scope.LOCAL) for n, p in enumerate(parts))
        if isinstance(node, Binder):
            node, names = _closed(node, names)
        is_lambda = isinstance(node, Binder) and node.kind is Quantifier.LAMBDA
        expr = node if isinstance(node, Binder) else App(node.op, names, node.type)  # type: ignore[attr-defined]

        def step(values: list[Value], context: Context) -> Value:
            nodes = tuple([memory.plain(values[n]) for n in args])
            opaque = self._algebra.made(Leaf.OPAQUE, nodes, (expr, names), sort)
            return memory.lambda_(opaque) if is_lambda else memory.of(opaque)

        return step

    def _applied(self, lambda_: Node, index: tuple[Node, ...], depth: int) -> Value:
        """What a lambda gives for an index; one that is nested too deep is left as it is."""
        binder, names = cast(tuple[Binder, tuple[Var, ...]], lambda_.data)
        if not depth or self._nested > _DEEPEST_LAMBDA:
            assert isinstance(lambda_.sort, ArraySort)
            return self._memory.of(self._algebra.made(SmtOp.SELECT, (lambda_, *index), (), lambda_.sort.range))
        state: dict[Var, Value] = {v: self._memory.of(a) for v, a in zip(names, lambda_.args, strict=True)}
        before = {
            self._definitions.snapshots[v]: value for v, value in state.items() if v in self._definitions.snapshots
        }
        state |= dict(zip(binder.vars, index, strict=True))
        self._nested += 1
        try:
            return self.run(binder.body, Context(state.__getitem__, before.__getitem__, lambda node: node.span))
        finally:
            self._nested -= 1

    # --- copying ---------------------------------------------------------------------------------

    def _copying(self, node: Binder, copying: Copying, args: tuple[int, ...]) -> Step:
        opaque_args = _state_variables([node])
        closed = _closed(node, opaque_args)
        captured = _state_variables([copying.new], frozenset([copying.index]))

        def step(values: list[Value], context: Context) -> Value:
            start, length, cells, *known = [values[n] for n in args]
            assert isinstance(cells, Cells) and isinstance(start, Node) and isinstance(length, Node)
            most = min(context.span_of(length)[1], LONGEST_COPY + 1)
            if not start.leaves or most > LONGEST_COPY:
                nodes = tuple([self.term(v, context) for v in opaque_args])
                opaque = self._algebra.made(Leaf.OPAQUE, nodes, closed, self._sort(node.type))
                return self._memory.lambda_(opaque)
            state = dict(zip(captured, known, strict=True))
            return self._copied(copying, start, length, most, cells, state, context)

        return step

    def _copied(
        self,
        copying: Copying,
        start: Node,
        length: Node,
        most: int,
        cells: Cells,
        state: Mapping[Var, Value],
        context: Context,
    ) -> Value:
        algebra, memory = self._algebra, self._memory

        def from_here(first: Node) -> Value:
            entries = dict(cells.entries)
            for n in range(most):
                at = algebra.number(first.value + n, first)
                inner = Context({**state, copying.index: at}.__getitem__, context.before, context.span_of)
                new = self.run(copying.new, inner)
                below = algebra.app(SmtOp.BVULT, (algebra.number(n, length), length))
                before = memory.read(cells, (at,), context.span_of)
                entries[at.value,] = memory.merged(below, new, before)
            return Cells(cells.base, entries, cells.sort)

        def chosen(choice: Node) -> Value:
            if choice.is_literal:
                return from_here(choice)
            condition, then, otherwise = choice.args
            return memory.merged(condition, chosen(then), chosen(otherwise))

        return chosen(start)


def copied_range(node: Binder, functions: Mapping[str, Function]) -> Copying | None:
    """What a lambda copies, if it is of this form."""
    if node.kind is not Quantifier.LAMBDA or len(node.vars) != 1:
        return None
    [index] = node.vars

    def applied(name: str, expr: Expr) -> tuple[Expr, ...] | None:
        if isinstance(expr, App) and isinstance(expr.op, Fn) and built_in(functions[expr.op.name]) == name:
            return expr.args
        return None

    match node.body:
        case App(Op.ITE, (condition, new, App(Op.SELECT, (map_, at)))) if at is index:
            below = applied("bvult", condition)
            distance = applied("bvsub", below[0]) if below else None
            if below is None or distance is None or distance[0] is not index:
                return None
            fixed = (distance[1], below[1], map_)
            if any(e is index for e in subterms(fixed)) or any(isinstance(e, Binder) for e in subterms([*fixed, new])):
                return None
            return Copying(index, distance[1], below[1], new, map_)
    return None


def _state_variables(roots: list[Expr], inside: frozenset[Var] = frozenset()) -> tuple[Var, ...]:
    """The variables in expressions that are neither constants nor bound there, in the order found."""
    found: dict[Var, None] = {}
    stack = [(root, inside) for root in roots]
    seen: set[tuple[Expr, frozenset[Var]]] = set()
    while stack:
        node, bound = stack.pop()
        if (node, bound) in seen:
            continue
        seen.add((node, bound))
        if isinstance(node, Var):
            if node.scope is not Scope.CONST and node not in bound:
                found[node] = None
        elif not isinstance(node, Lit):
            inner = bound | frozenset(node.vars) if isinstance(node, Binder) else bound
            stack.extend((c, inner) for c in children(node))
    return tuple(found)


def _closed(node: Binder, names: tuple[Var, ...]) -> tuple[Binder, tuple[Var, ...]]:
    """A binder with locals in the place of variables that binders around it bind, and all its variables then."""
    outer = {v: Var(f"outer#{v.name}", v.type, Scope.LOCAL) for v in names if v.scope is Scope.BOUND}
    return cast(Binder, substitute(node, outer)), tuple(outer.get(v, v) for v in names)


def _mentions_functions(body: Expr) -> bool:
    return any(isinstance(e, App) and isinstance(e.op, Fn) for e in subterms([body]))
