"""Conditions that may be invariants of a loop, read off the text of its procedure.

They are guesses, for a proof to keep or to drop (the pass `invariant-candidates`): ranges of what the loop changes
between constants that the procedure compares it with or assigns to it, low bits, orders and equalities between
variables, linear relations between variables that are counted up and down, values of variables that are only assigned
constants, and of arrays what is stored at an index or asserted of one, for all indices below a counter. Only
bit-vectors and Booleans are looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import combinations, islice
from math import gcd

from paddock.frozen import field, mutable
from paddock.ir.bitvectors import signed
from paddock.ir.build import bv_lit, eq, implies, ne, not_, or_
from paddock.ir.expr import App, Attribute, Expr, Fn, Lit, Op, Scope, Var
from paddock.ir.names import FreshNames
from paddock.ir.program import Function, Implementation, Program, VarDecl, built_in
from paddock.ir.stmt import Assert, Assign, Assume, Call, Statement
from paddock.ir.types import BOOL, Bv, Type
from paddock.ir.walk import rewrite, subterms, variables

_MOST_CHANGED = 10  # variables of a loop that simple guesses are about
_MOST_TERMS = 8  # that they are compared with
_MOST_VALUES = 64  # of a variable that is only assigned constants
_MOST_ENUMERATED = 6  # such variables whose values are looked at together
_MOST_FIXED = 3  # others, that are compared with constants
_MOST_ANTECEDENTS = 4  # conditions that other guesses may depend on
_MOST_CELLS = 24  # conditions on the elements of arrays
_MOST_SIMPLE = 400
_MOST_RICH = 1500
_LOW_BITS = (1, 2, 3, 4, 5)


class Operations:
    """Functions on bit-vectors: those that a program declares, and others that are declared on first use."""

    def __init__(self, program: Program) -> None:
        self._known = {
            (text, tuple(p.var.type for p in f.params)): f.name
            for f in program.functions
            if (text := built_in(f)) is not None
        }
        self.texts = {f.name: text for f in program.functions if (text := built_in(f)) is not None}
        self._names = FreshNames(program.top_level_names())
        self.new: list[Function] = []

    def __call__(self, text: str, *args: Expr) -> Expr:
        """`text` is SMT-LIB's name; a predicate gives a Boolean, all else what the first operand is."""
        types = tuple(a.type for a in args)
        result: Type = BOOL if text in _PREDICATES else types[0]
        if (text, types) not in self._known:
            name = self._names(f"{text}.{'.'.join(map(str, types))}")
            params = tuple(VarDecl(Var(f"x{n}", t, Scope.BOUND)) for n, t in enumerate(types))
            self.new.append(Function(name, params, result, attributes=(Attribute("builtin", (text,)),)))
            self._known[text, types] = name
            self.texts[name] = text
        return App(Fn(self._known[text, types]), args, result)

    def text(self, expr: Expr) -> str:
        """The name of what an application applies, if it is on bit-vectors."""
        return self.texts.get(expr.op.name, "") if isinstance(expr, App) and isinstance(expr.op, Fn) else ""


_CONNECTIVES = (Op.NOT, Op.AND, Op.OR, Op.IMPLIES, Op.IFF, Op.ITE)
_PREDICATES = frozenset(("bvslt", "bvsle", "bvsgt", "bvsge", "bvult", "bvule", "bvugt", "bvuge"))


@mutable
class Clues:
    """What the text of a body says: the atoms of its conditions, constants by variable, and what is stored where."""

    atoms: dict[Expr, None] = field(default_factory=dict)
    compared: dict[Expr, dict[Expr, None]] = field(default_factory=dict)  # with what a term is compared
    assigned: dict[Var, dict[Expr, None]] = field(default_factory=dict)
    uses: dict[Expr, int] = field(default_factory=dict)  # in conditions
    stores: dict[tuple[Var, Expr, Expr], None] = field(default_factory=dict)  # map, index, value


def clues(body: Implementation, operations: Operations) -> Clues:
    """What a body says of its variables."""
    found = Clues()
    for block in body.blocks:
        for statement in block.statements:
            for condition in _conditions(statement):
                for atom in _atoms(condition):
                    found.atoms.setdefault(atom)
                    for var in variables(atom):
                        found.uses[var] = found.uses.get(var, 0) + 1
            if isinstance(statement, Assign):
                for target, value in zip(statement.targets, statement.values, strict=True):
                    found.assigned.setdefault(target, {}).setdefault(value)
                    if isinstance(value, App) and value.op is Op.STORE and value.args[0] is target:
                        _, *indices, stored = value.args
                        if len(indices) == 1 and _is_index(indices[0]):
                            found.stores.setdefault((target, indices[0], stored))
    for atom in found.atoms:
        assert isinstance(atom, App | Var)
        if isinstance(atom, App) and len(atom.args) == 2 and _is_comparison(atom, operations):
            a, b = atom.args
            found.compared.setdefault(a, {}).setdefault(b)
            found.compared.setdefault(b, {}).setdefault(a)
    return found


def enumerated(known: Clues) -> list[Var]:
    """Variables that are assigned constants and compared with some, or assigned to such variables: those that are
    compared with most of them first."""

    def constants(given: Iterable[Expr]) -> int:
        return sum(isinstance(c, Lit) for c in given)

    compared = {v: constants(known.compared.get(v, ())) for v in known.assigned}
    found = {v: n for v, n in compared.items() if n and constants(known.assigned[v]) > 1}
    main = sorted(found, key=lambda v: (-found[v], v.name))[:_MOST_ENUMERATED]
    copied: dict[Var, None] = {}
    waiting = list(main)
    while waiting:
        for value in known.assigned.get(waiting.pop(), ()):
            if isinstance(value, Var) and value not in main and value not in copied:
                copied[value] = None
                waiting.append(value)
    # What is not assigned constants does not make many states.
    others = {v: constants(c) for v, c in known.compared.items() if isinstance(v, Var) and v not in known.assigned}
    fixed = [v for v, count in others.items() if v in copied or known.uses.get(v, 0) > 2]
    return [
        *sorted(fixed, key=lambda v: (-others[v], v.name))[:_MOST_FIXED],
        *(v for v in copied if v not in fixed),
        *main,
    ]


def _is_comparison(atom: App, operations: Operations) -> bool:
    return atom.op in (Op.EQ, Op.NE) or operations.text(atom) in _PREDICATES


def _conditions(statement: Statement) -> Iterator[Expr]:
    match statement:
        case Assume(condition) | Assert(condition):
            yield condition
        case Call(args=args):  # of functions that assert what they are given
            for term in subterms(args):
                if isinstance(term, App) and term.op is Op.ITE:
                    yield term.args[0]


def _atoms(condition: Expr) -> Iterator[Expr]:
    """The conditions that a condition is a Boolean combination of."""
    stack = [condition]
    while stack:
        node = stack.pop()
        if isinstance(node, App) and node.op in _CONNECTIVES and node.args[-1].type is BOOL:
            stack += reversed(node.args)
        elif isinstance(node, App | Var):
            yield node


class Guesses:
    """Guesses for one loop of a body, whose statements are given. `start` gives a variable with the value that another
    has when the loop starts; `element` is an arbitrary constant of a type, for conditions on all elements of arrays."""

    def __init__(
        self,
        inside: Sequence[Statement],
        changed: Sequence[Var],
        known: Clues,
        operations: Operations,
        start: Callable[[Var], Var],
        element: Callable[[Type], Var],
    ) -> None:
        self._clues = known
        self._op = operations
        self._start = start
        self._all_changed = frozenset(changed)
        weight = _weights(known)
        scalars = sorted((v for v in changed if isinstance(v.type, Bv)), key=lambda v: (-weight.get(v, 0), v.name))
        self._used = [v for v in scalars if weight.get(v, 0)]
        self._changed = self._used[:_MOST_CHANGED]
        self._bools = [v for v in changed if v.type is BOOL and weight.get(v, 0)][:_MOST_CHANGED]
        self._terms = self._compared_terms()
        self._strides = {v: _strides(inside, v, operations) for v in self._changed}
        self._elements = list(_of_elements(known, operations, element))

    def _compared_terms(self) -> list[Expr]:
        """Terms over scalars that variables of the loop are compared with, and those variables."""
        found: dict[Expr, None] = {}
        for var in self._changed:
            for other in self._clues.compared.get(var, ()):
                if not isinstance(other, Lit) and _is_scalar(other):
                    found.setdefault(other)
        for term in self._clues.compared:
            if isinstance(term, Var) and isinstance(term.type, Bv) and term not in self._all_changed:
                found.setdefault(term)
        return [t for t in found if t not in self._changed][:_MOST_TERMS]

    def _constants(self, var: Var) -> list[Lit]:
        """Constants that a variable is compared with or assigned."""
        assert isinstance(var.type, Bv)
        given = (*self._clues.compared.get(var, ()), *self._clues.assigned.get(var, ()))
        found = dict.fromkeys(c for c in given if isinstance(c, Lit))
        found.setdefault(bv_lit(0, var.type.width))
        return [c for c in found if isinstance(c.value, int)]

    # --- guesses -----------------------------------------------------------------------------------

    def simple(self) -> list[Expr]:
        """Guesses that are cheap to try."""
        parts = (self._values, self._atoms, self._ranges, self._counts, self._orders, self._low_bits)
        found = (*self._elements, *(guess for part in parts for guess in part()))
        return list(dict.fromkeys(islice(found, _MOST_SIMPLE)))

    def rich(self) -> list[Expr]:
        """More guesses: what holds under a condition."""
        simple = self.simple()
        parts = (self._under_parity(), self._under_conditions(simple))
        found = (guess for part in parts for guess in part)
        return list(dict.fromkeys((*simple, *islice(found, _MOST_RICH))))

    def _values(self) -> Iterator[Expr]:
        """A variable that is assigned constants has one of these, and perhaps always the same."""
        for var in self._used:
            values = self._clues.assigned.get(var, {})
            constants = [v for v in values if isinstance(v, Lit)]
            compared = [c for c in self._clues.compared.get(var, ()) if isinstance(c, Lit)]
            if constants and len(values) <= _MOST_VALUES:
                yield from (eq(var, c) for c in constants)
                yield or_(*(eq(var, c) for c in constants))
                yield or_(*(eq(var, c) for c in dict.fromkeys((*constants, *compared))))
            if constants or len(compared) <= _MOST_CHANGED:
                yield from (ne(var, c) for c in dict.fromkeys((*compared, *constants)))
        for flag in self._bools:
            yield from (flag, not_(flag))

    def _atoms(self) -> Iterator[Expr]:
        for atom in self._clues.atoms:
            if _is_scalar(atom) and not variables(atom).isdisjoint(self._changed):
                yield from (atom, not_(atom))

    def _ranges(self) -> Iterator[Expr]:
        op = self._op
        for var in self._changed:
            for constant in self._constants(var):
                step = max((abs(s) for s in self._strides[var]), default=1)
                assert isinstance(constant.value, int)
                for by in dict.fromkeys((0, max(step - 1, 0))):
                    limit = bv_lit(constant.value + by, _width(var))
                    yield from (op("bvsle", var, limit), op("bvule", var, limit))
                yield op("bvsle", constant, var)
                if constant.value:
                    yield op("bvule", constant, var)
            if self._strides[var]:
                start = self._start(var)
                yield from (op("bvsle", start, var), op("bvule", start, var))
                yield from (op("bvsle", var, start), op("bvule", var, start))

    def _counts(self) -> Iterator[Expr]:
        """Variables that go up and down together."""
        op = self._op
        counted = [(v, sorted(self._strides[v] - {0})) for v in self._changed]
        for (a, steps), (b, others) in combinations([(v, s) for v, s in counted if s], 2):
            if a.type is not b.type:
                continue
            for step in steps:
                for by in others:
                    yield self._together(a, step, b, by)
        for a in self._changed:
            for b, steps in counted:
                if a is not b and a.type is b.type and steps == [1] and 0 in self._strides[a]:
                    for most in self._constants(b):
                        grown = op("bvmul", most, op("bvsub", b, self._start(b)))
                        yield op("bvule", op("bvsub", a, self._start(a)), grown)

    def _together(self, a: Var, step: int, b: Var, by: int) -> Expr:
        """That two variables have been changed equally often, by constants."""
        op, common = self._op, gcd(step, by)
        step, by = step // common, by // common
        if (step, by) in ((1, -1), (-1, 1)):  # without a product, which solvers take longer for
            return eq(op("bvadd", a, b), op("bvadd", self._start(a), self._start(b)))
        one, other = op("bvsub", a, self._start(a)), op("bvsub", b, self._start(b))
        return eq(_times(op, by, one), _times(op, step, other))

    def _orders(self) -> Iterator[Expr]:
        op = self._op
        pairs = [*combinations(self._changed, 2), *((v, t) for v in self._changed for t in self._terms)]
        for a, b in pairs:
            if a.type is b.type and a not in variables(b):
                yield from (eq(a, b), op("bvsle", a, b), op("bvsle", b, a), op("bvule", a, b), op("bvule", b, a))
                for by in (1, -1):
                    yield eq(a, op("bvadd", b, bv_lit(by, _width(a))))
                yield op("bvsle", a, op("bvadd", b, bv_lit(1, _width(a))))
                yield op("bvsle", op("bvadd", b, bv_lit(1, _width(a))), a)

    def _low_bits(self) -> Iterator[Expr]:
        for var in self._changed:
            constants = [c for c in self._clues.assigned.get(var, ()) if isinstance(c, Lit)]
            for bits in _LOW_BITS:
                if bits >= _width(var) or not self._strides[var] or 0 in self._strides[var]:
                    continue
                mask = bv_lit((1 << bits) - 1, _width(var))
                low = self._op("bvand", var, mask)
                yield eq(low, self._op("bvand", self._start(var), mask))
                for c in constants:
                    assert isinstance(c.value, int)
                    yield eq(low, bv_lit(c.value & ((1 << bits) - 1), _width(var)))

    def _under_parity(self) -> Iterator[Expr]:
        """One variable counts every other step of another."""
        op = self._op
        for a in self._changed:
            for b in self._changed:
                if a is b or a.type is not b.type or self._strides[a] != {1} or self._strides[b] != {1}:
                    continue
                one = bv_lit(1, _width(b))
                double = op("bvshl", op("bvsub", a, self._start(a)), one)
                steps = op("bvsub", b, self._start(b))
                for parity in (0, 1):
                    when = eq(op("bvand", steps, one), bv_lit(parity, _width(b)))
                    yield from (
                        implies(when, eq(double, op("bvadd", steps, bv_lit(by, _width(b))))) for by in (-1, 0, 1)
                    )

    def _under_conditions(self, simple: Collection[Expr]) -> Iterator[Expr]:
        """What holds under a condition on what the loop does not change."""
        fixed = [
            atom
            for atom in self._clues.atoms
            if _is_scalar(atom) and variables(atom) and variables(atom).isdisjoint(self._all_changed)
        ]
        for atom in fixed[:_MOST_ANTECEDENTS]:
            for guess in simple:
                yield from (or_(atom, guess), or_(not_(atom), guess))


def _strides(inside: Sequence[Statement], var: Var, operations: Operations) -> set[int]:
    """By which constants statements change a variable; 0 stands for anything else."""
    found: set[int] = set()
    for statement in inside:
        if isinstance(statement, Assign):
            for target, value in zip(statement.targets, statement.values, strict=True):
                if target is var:
                    found.add(_step(var, value, operations))
        elif isinstance(statement, Call) and var in statement.results:
            found.add(0)
    return found


def _step(var: Var, value: Expr, operations: Operations) -> int:
    text = operations.text(value)
    if text not in ("bvadd", "bvsub") or not isinstance(value, App) or len(value.args) != 2:
        return 0
    a, b = value.args
    if text == "bvadd" and isinstance(a, Lit):
        a, b = b, a
    if a is not var or not isinstance(b, Lit):
        return 0
    assert isinstance(b.value, int)
    step = signed(b.value, _width(b))
    return step if text == "bvadd" else -step


def _times(operations: Operations, factor: int, term: Expr) -> Expr:
    return term if factor == 1 else operations("bvmul", bv_lit(factor, _width(term)), term)


def _of_elements(known: Clues, operations: Operations, element: Callable[[Type], Var]) -> Iterator[Expr]:
    """What is stored at an index, or asserted of one, holds of all elements below a counter or a constant."""
    claims: dict[Expr, Expr] = {}  # and the index that each is about
    for map_, index, value in known.stores:
        if value.type is BOOL or isinstance(value.type, Bv):
            stored = App(Op.SELECT, (map_, element(index.type)), value.type)
            claims.setdefault(eq(stored, _at(value, index, element(index.type))), index)
    for atom in known.atoms:
        for index in _indices(atom):
            claim = _at(atom, index, element(index.type))
            claims.setdefault(claim, index)
            claims.setdefault(not_(claim), index)
    for claim, index in islice(claims.items(), _MOST_CELLS):
        for limit in _limits(known, index):
            yield implies(operations("bvult", element(index.type), limit), claim)


def _limits(known: Clues, index: Expr) -> list[Expr]:
    """Counters, and what they are compared with, as indices."""
    inner = index.args[0] if isinstance(index, App) else index
    counters = [v for v in known.compared if isinstance(v, Var) and v.type is inner.type]
    others = (c for v in counters for c in known.compared[v] if _is_scalar(c))
    limits = (c for c in (*counters, *others) if not (isinstance(c, Lit) and c.value == 0))
    found = list(dict.fromkeys(limits))[:_MOST_TERMS]
    return [App(index.op, (c,), index.type) if isinstance(index, App) else c for c in found]


def indices_read(inside: Sequence[Statement]) -> list[Expr]:
    """Where statements read elements of arrays, of which conditions on all elements say something."""
    terms = subterms(e for s in inside for e in _read(s))
    found = dict.fromkeys(t.args[1] for t in terms if _is_element(t) and isinstance(t, App))
    return [i for i in found if isinstance(i.type, Bv) and _is_scalar(i)][:_MOST_TERMS]


def _read(statement: Statement) -> Iterable[Expr]:
    match statement:
        case Assume(condition) | Assert(condition):
            return (condition,)
        case Assign(values=values):
            return values
        case Call(args=args):
            return args
        case _:
            return ()


def _weights(known: Clues) -> dict[Var, int]:
    """How often a variable matters to conditions and to what is assigned."""
    found: dict[Var, int] = {}
    for atom in known.atoms:
        for var in variables(atom):
            found[var] = found.get(var, 0) + 2
    for target, values in known.assigned.items():
        for var in variables(*values):
            if var is not target:
                found[var] = found.get(var, 0) + 1
    return found


def _is_scalar(expr: Expr) -> bool:
    """Whether a term is about bit-vectors and Booleans alone."""
    return all(isinstance(v.type, Bv) or v.type is BOOL for v in variables(expr))


def _is_element(term: Expr) -> bool:
    return isinstance(term, App) and term.op is Op.SELECT and len(term.args) == 2 and isinstance(term.args[0], Var)


def _indices(atom: Expr) -> list[Expr]:
    """What an atom has as indices of arrays: variables, or variables with more bits."""
    found = (t.args[1] for t in subterms([atom]) if _is_element(t) and isinstance(t, App))
    return list(dict.fromkeys(i for i in found if _is_index(i)))


def _is_index(term: Expr) -> bool:
    inner = term.args[0] if isinstance(term, App) and len(term.args) == 1 else term
    return isinstance(inner, Var) and isinstance(inner.type, Bv) and isinstance(term.type, Bv)


def _at(term: Expr, index: Expr, element: Var) -> Expr:
    """A term about one element of arrays, about another."""
    return rewrite(term, lambda node: element if node is index else node)


def _width(term: Expr) -> int:
    assert isinstance(term.type, Bv)
    return term.type.width
