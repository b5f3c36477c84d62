"""The atoms that a summary of a procedure may be made of: conditions over its interface that the program suggests.

They are the comparisons in its own body and in the bodies of its callers, there with formals for the actuals of the
call; what it assigns, as equalities; what may stay as it was; and comparisons with constants of the program. Values
before and after count apart: `g < 3` is an atom, and so is `old(g) < 3`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from paddock.ir.build import compare, eq, int_lit, old
from paddock.ir.expr import App, Expr, Lit, Op, Scope, Var
from paddock.ir.program import Procedure, Program
from paddock.ir.rewriting import expressions_in
from paddock.ir.stmt import Assign, Assume, Call, Havoc, Statement
from paddock.ir.types import BOOL, INT, Bv, Map
from paddock.ir.walk import children, substitute, subterms
from paddock.vc.passive import Interface

MOST_ATOMS = 160
MOST_CONSTANTS = 6
MOST_VALUES = 24  # variables of an interface whose values are atoms if nothing else helps
LARGEST = 60  # subterms of an atom

_CONNECTIVES = (Op.NOT, Op.AND, Op.OR, Op.IMPLIES, Op.IFF, Op.ITE)


class Vocabulary:
    """The atoms of all procedures of a program, found when they are asked for."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._atoms: dict[str, list[Expr]] = {}
        self._callers: dict[str, list[tuple[str, Call]]] = {}
        for procedure in program.procedures:
            for statement in _statements(procedure):
                if isinstance(statement, Call):
                    self._callers.setdefault(statement.procedure, []).append((procedure.name, statement))
        self._constants = _constants(program)

    def atoms(self, procedure: Procedure, interface: Interface) -> list[Expr]:
        """The atoms for a procedure, those first that are most likely to be of use."""
        modified = set(interface.globals_out)
        own = {*interface.inputs, *interface.outputs}
        found: dict[Expr, None] = {}
        for suggested in self._suggested(procedure, interface):
            for atom in _before_and_after(suggested, modified):
                if len(found) >= MOST_ATOMS:
                    return list(found)
                if _is_over(atom, own):
                    found[atom] = None
        return list(found)

    def _suggested(self, procedure: Procedure, interface: Interface) -> Iterator[Expr]:
        """What the program says, over the variables of a procedure and others."""
        for caller, call in self._callers.get(procedure.name, ()):
            formals = _formals(procedure, call)
            locals_ = set(formals)
            for atom in self._in_body(caller):
                if all(v in locals_ for v in _locals(atom)):
                    yield substitute(atom, formals)
        # A bound says less than an equality, and is as good more often.
        own = self._in_body(procedure.name)
        yield from (atom for atom in own if not _is_equality(atom))
        for var in interface.outputs:
            if var.type is INT:
                for constant in self._constants:
                    yield from (compare(Op.LT, var, constant), compare(Op.LE, var, constant))
        yield from (atom for atom in own if _is_equality(atom))
        yield from _generic(interface)
        for var in interface.outputs:
            if var.type is INT:
                for constant in self._constants:
                    yield eq(var, constant)
            elif isinstance(var.type, Bv):
                yield eq(var, Lit(0, var.type))

    def _in_body(self, name: str) -> list[Expr]:
        if name not in self._atoms:
            self._atoms[name] = list(dict.fromkeys(_atoms_of(self._program.procedure_named[name])))
        return self._atoms[name]


def value_atoms(values: Mapping[Expr, object]) -> Iterator[Expr]:
    """Atoms that say which values variables of an interface have, before (`old`) or after."""
    for place, value in list(values.items())[:MOST_VALUES]:
        match place.type, value:
            case type_, int() if type_ is INT:
                literal = int_lit(value)
                yield from (compare(Op.LE, place, literal), compare(Op.GE, place, literal))
            case Bv() as type_, int():
                yield eq(place, Lit(value, type_))


def places(interface: Interface) -> list[Expr]:
    """The values of an interface as expressions of a postcondition."""
    modified = set(interface.globals_out)
    before: list[Expr] = [old(v) if v in modified else v for v in interface.globals_in]
    return [*interface.outputs, *interface.params, *before]


def _statements(procedure: Procedure) -> Iterator[Statement]:
    return (s for i in procedure.implementations for b in i.blocks for s in b.statements)


def _formals(procedure: Procedure, call: Call) -> dict[Var, Expr]:
    """What stands in a procedure for the variables of a caller that a call hands over."""
    formals: dict[Var, Expr] = {}
    for formal, actual in zip(procedure.params, call.args, strict=True):
        if isinstance(actual, Var) and actual.scope is Scope.LOCAL:
            formals.setdefault(actual, formal.var)
    formals |= {target: r.var for r, target in zip(procedure.results, call.results, strict=True)}
    return formals


def _atoms_of(procedure: Procedure) -> Iterator[Expr]:
    """The conditions in a body, and what it assigns."""
    roots: list[Expr] = []
    for statement in _statements(procedure):
        if isinstance(statement, Assign):
            for target, value in zip(statement.targets, statement.values, strict=True):
                is_step = target.scope is Scope.LOCAL and target in _variables(value)  # to what it was before
                if target.type is not BOOL and not isinstance(target.type, Map) and not is_step:
                    yield eq(target, value)
        if isinstance(statement, Assign | Assume | Call):
            roots += expressions_in(statement)
        elif isinstance(statement, Havoc):
            continue
    yield from _conditions(roots)


def _conditions(roots: Iterable[Expr]) -> Iterator[Expr]:
    """The Boolean terms that are no connectives, but for those inside of binders."""
    seen: set[Expr] = set()
    stack = list(roots)[::-1]
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        is_connective = isinstance(node, App) and node.op in _CONNECTIVES
        if node.type is BOOL and not is_connective and not isinstance(node, Lit):
            yield node
        if isinstance(node, App):
            stack += children(node)[::-1]


def _before_and_after(atom: Expr, modified: Collection[Var]) -> Iterator[Expr]:
    """An atom about values after a call, one about those before and, of an equality, one about how they are related."""
    nodes = list(subterms([atom]))
    if len(nodes) > LARGEST:
        return
    changing = {v: old(v) for v in nodes if isinstance(v, Var) and v in modified}
    if any(isinstance(n, App) and n.op is Op.OLD for n in nodes):
        changing = {}
    match atom:
        case App(Op.EQ, (Var() as target, value)) if changing and target not in _variables(value):
            yield eq(target, substitute(value, changing))
        case App(Op.EQ, (Var() as target, value)) if changing:
            yield eq(target, substitute(value, changing))
            return
    yield atom
    if changing:
        yield substitute(atom, changing)


def _generic(interface: Interface) -> Iterator[Expr]:
    """What stays as it was, and results that are arguments."""
    for var in interface.globals_out:
        yield eq(var, old(var))
    for var in interface.outputs:
        if var.type is BOOL:
            yield var
    inputs: Sequence[Var] = (*interface.params, *interface.globals_in)
    for result in interface.outputs:
        yield from (eq(result, given) for given in inputs if given.type is result.type and given is not result)


def _is_equality(atom: Expr) -> bool:
    return isinstance(atom, App) and atom.op in (Op.EQ, Op.NE)


def _variables(expr: Expr) -> set[Var]:
    return {v for v in subterms([expr]) if isinstance(v, Var)}


def _locals(atom: Expr) -> Iterator[Var]:
    return (v for v in subterms([atom]) if isinstance(v, Var) and v.scope is Scope.LOCAL)


def _is_over(atom: Expr, own: Collection[Var]) -> bool:
    """Whether an atom is about an interface and constants alone."""
    found = _variables(atom)
    bound = {v for v in found if v.scope is Scope.BOUND}
    rest = [v for v in found if v.scope is not Scope.CONST]
    return not bound and bool(rest) and all(v in own for v in rest)


def _constants(program: Program) -> list[Expr]:
    """The integers that occur most often."""
    counts: Counter[Expr] = Counter()
    for procedure in program.procedures:
        for statement in _statements(procedure):
            for node in subterms(expressions_in(statement)):
                if isinstance(node, Lit) and node.type is INT:
                    counts[node] += 1
    most = sorted(counts.items(), key=lambda item: (-item[1], int(item[0].value)))  # type: ignore[attr-defined]
    return list(dict.fromkeys([int_lit(0), int_lit(1), *(c for c, _ in most)]))[:MOST_CONSTANTS]
