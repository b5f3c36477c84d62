"""Contracts and `where` clauses become assertions and assumptions (`docs/boogie.md`).

    var g: int where g >= 0;                                var g: int;
    procedure P(x: int) returns (y: int where y > 0);       procedure P(x: int) returns (y: int);
      requires x > 0;                                         free requires x > 0;
      ensures y > x;                                          free ensures y > x;
    implementation P(x: int) returns (y: int)               implementation P(x: int) returns (y: int)
    {                                                       {
      start: y := x + g; return;                              start: assume y > 0; y := x + g; assert y > x; return;
    }                                                       }
    implementation main() returns (r: int)                  implementation main() returns (r: int)
    {                                                       {
      start: havoc g; call r := P(g); return;                 start: assume g >= 0; havoc g; assume g >= 0;
                                                                     assert g > 0; call r := P(g); return;
    }                                                       }

Afterwards there is no `where` and every clause is free: what is left of the contracts may be assumed by a
stage that reads them, at the entry of the body and at its exit. No check relies on a clause that was free, wherever
that stands, unless it is marked `{:always_assume}`. Without a body, there is none to assume preconditions.

Where assertions are judged as if the others were not there, nothing may rely on what is checked: such clauses are
dropped, but for the preconditions of the entry, which are assumptions, and postconditions without a body.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar

from paddock.frozen import frozen, replace
from paddock.ir.entry import entry_name
from paddock.ir.expr import Expr, Var
from paddock.ir.origin import AssertionId, Made, Origin, Role
from paddock.ir.program import Clause, Implementation, Procedure, Program, VarDecl, is_always_assumed
from paddock.ir.rewriting import calls_in, map_expressions, substituting, with_prologue, without_capture
from paddock.ir.stmt import Assert, Assume, Block, Call, Havoc, Return, Statement
from paddock.passes.outer_entry import with_outer_entry

_NAME = "check-specs"

# What `where` says of each variable that has one.
_Wheres = Mapping[Var, VarDecl]


def check_specs(program: Program) -> Program:
    """The program with its contracts and `where` clauses spelled out; the same object if there is nothing to do."""
    return _spelled_out(program, relying=True)


def check_specs_alone(program: Program) -> Program:
    """Contracts as assertions, where nothing relies on clauses that are checked."""
    return _spelled_out(program, relying=False)


def _spelled_out(program: Program, relying: bool) -> Program:
    if all(map(_is_plain, program.globals)) and all(map(_has_plain_contract, program.procedures)):
        return program
    if not relying:
        program = _entered_as_it_requires(program)
    global_wheres = _wheres(program.globals)
    if global_wheres:
        program = with_outer_entry(program)
    start = entry_name(program) if global_wheres else None
    procedures = tuple(_checked(program, p, global_wheres, p.name == start, relying) for p in program.procedures)
    return without_capture(replace(program, globals=tuple(map(_without_where, program.globals)), procedures=procedures))


def _entered_as_it_requires(program: Program) -> Program:
    """The program whose entry has free preconditions only: they are assumptions. If it is called, too, where they are
    checked, there is another entry in front of it whose call assumes them."""
    if all(c.free for c in program.procedure_named[entry_name(program)].requires):
        return program
    program = with_outer_entry(program)
    entry = program.procedure_named[entry_name(program)]
    entered = replace(entry, requires=tuple(replace(c, free=True) for c in entry.requires))
    return replace(program, procedures=tuple(entered if p is entry else p for p in program.procedures))


def _is_plain(declaration: VarDecl) -> bool:
    return declaration.where is None


def _has_plain_contract(procedure: Procedure) -> bool:
    locals_ = (d for i in procedure.implementations for d in i.locals)
    return (
        all(c.free and not is_always_assumed(c) for c in (*procedure.requires, *procedure.ensures))
        and not (procedure.requires and not procedure.implementations)
        and all(map(_is_plain, (*procedure.params, *procedure.results)))
        and all(map(_is_plain, locals_))
    )


def _without_where(declaration: VarDecl) -> VarDecl:
    return declaration if declaration.where is None else replace(declaration, where=None)


def _wheres(declarations: Iterable[VarDecl]) -> dict[Var, VarDecl]:
    return {d.var: d for d in declarations if d.where is not None}


def _checked(
    program: Program, procedure: Procedure, global_wheres: _Wheres, assume_globals: bool, relying: bool
) -> Procedure:
    """A procedure with its contract spelled out, and what may be relied on afterwards."""
    kept = [c for c in procedure.requires if relying or c.free] if procedure.implementations else []
    requires = tuple(replace(c, free=True) for c in kept)
    kept = [c for c in procedure.ensures if relying or c.free or not procedure.implementations]
    ensures = tuple(replace(c, free=True) for c in kept)
    if not procedure.implementations:
        arbitrary = [global_wheres[g] for g in procedure.modifies if g in global_wheres]
        arbitrary += _wheres(procedure.results).values()
        ensures = (*(Clause(where, True, origin=origin) for where, origin in map(_where_of, arbitrary)), *ensures)
    return replace(
        procedure,
        params=tuple(map(_without_where, procedure.params)),
        results=tuple(map(_without_where, procedure.results)),
        requires=requires,
        ensures=ensures,
        implementations=tuple(
            _checked_body(program, procedure, i, global_wheres, assume_globals, relying)
            for i in procedure.implementations
        ),
    )


def _checked_body(
    program: Program,
    procedure: Procedure,
    implementation: Implementation,
    global_wheres: _Wheres,
    assume_globals: bool,
    relying: bool,
) -> Implementation:
    local_wheres = _wheres((*procedure.params, *procedure.results, *implementation.locals))
    wheres = {**global_wheres, **local_wheres}
    at_exit = tuple(_statement(c, _at_exit(procedure, c)) for c in _to_check(procedure.ensures))

    def checked_block(block: Block) -> Block:
        statements = [new for s in block.statements for new in _checked_statement(program, s, wheres, relying)]
        if isinstance(block.transfer, Return):
            statements += at_exit
        return replace(block, statements=tuple(statements))

    checked = replace(
        implementation,
        locals=tuple(map(_without_where, implementation.locals)),
        blocks=tuple(map(checked_block, implementation.blocks)),
    )
    at_start = (wheres if assume_globals else local_wheres).values()
    return with_prologue(checked, tuple(Assume(where, origin=origin) for where, origin in map(_where_of, at_start)))


def _where_of(declaration: VarDecl) -> tuple[Expr, Origin]:
    assert declaration.where is not None
    return declaration.where, declaration.origin.by(where_of(declaration.name))


def _checked_statement(program: Program, statement: Statement, wheres: _Wheres, relying: bool) -> Iterable[Statement]:
    for call in calls_in(statement):
        yield from _preconditions(program.procedure_named[call.procedure], call, relying)
    yield statement
    if isinstance(statement, Havoc):
        for target in statement.targets:
            if target in wheres:
                condition, _ = _where_of(wheres[target])
                yield Assume(condition, origin=statement.origin.by(where_of(target.name)))


def _preconditions(callee: Procedure, call: Call, relying: bool) -> Iterable[Statement]:
    """What the call must check before: the callee's preconditions over the actual arguments. What a free call assumes
    is stated here if the callee does not rely on it."""
    actual = substituting({d.var: arg for d, arg in zip(callee.params, call.args, strict=True)})
    for n, clause in enumerate(callee.requires):
        if is_always_assumed(clause) or not (clause.free or call.free):
            origin = call.origin.by(requires_maker(callee, n)).asserting(requires_id(call.origin, clause))
            yield _statement(map_expressions(clause, actual), origin)
        elif not (relying or clause.free) and callee.implementations:
            yield Assume(actual(clause.condition), origin=call.origin.by(requires_maker(callee, n)))


def where_of(name: str) -> Made:
    """The provenance of an assumption that a `where` clause makes."""
    return Made(_NAME, Role.CHECK, f"where of {name}")


def requires_maker(callee: Procedure, n: int) -> Made:
    """The provenance of the assertion, at a call, of the n-th precondition (from 0). Several are numbered: the place is
    that of the call for all of them."""
    which = "requires" if len(callee.requires) == 1 else f"requires {n + 1}"
    return Made(_NAME, Role.CHECK, f"{which} of {callee.name}")


def requires_id(call: Origin, clause: Clause) -> AssertionId:
    """Which assertion a precondition is at a call."""
    return call.identity("requires", clause.origin.identity())


def ensures_id(clause: Clause) -> AssertionId:
    """Which assertion a postcondition is; at all exits it is one."""
    return clause.origin.identity("ensures")


def _at_exit(procedure: Procedure, clause: Clause) -> Origin:
    return clause.origin.by(ensures_maker(procedure)).asserting(ensures_id(clause))


def ensures_maker(procedure: Procedure) -> Made:
    """The provenance of the assertion, at the exits, of a postcondition. The place is that of the clause."""
    return Made(_NAME, Role.CHECK, f"ensures of {procedure.name} at exit")


def _to_check(clauses: tuple[Clause, ...]) -> tuple[Clause, ...]:
    """The clauses that must be checked, and those that such may rely on."""
    return tuple(c for c in clauses if not c.free or is_always_assumed(c))


def _statement(clause: Clause, origin: Origin) -> Statement:
    return (Assume if clause.free else Assert)(clause.condition, clause.attributes, origin)


@frozen
class CheckSpecs:
    """The pass `check-specs`."""

    alone: bool = False  # whether no clause may rely on others
    name: ClassVar[str] = "check-specs"
    summary: ClassVar[str] = "contracts and where clauses as assertions and assumptions"

    def __call__(self, program: Program) -> Program:
        return check_specs_alone(program) if self.alone else check_specs(program)
