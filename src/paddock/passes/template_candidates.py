"""Candidates from templates: procedures marked `{:template}`, whose contracts say what others may require and ensure.

    procedure {:template} T(x: int) returns (r: int);    const {:existential true} keep_P: bool;
      ensures old(s) == 0 ==> s == 1;                    const {:existential true} keep_P#1: bool;
      ensures r >= x;                                    procedure P(a: int, c: bool) returns (d: int);
    procedure P(a: int, c: bool) returns (d: int);         free ensures keep_P ==> old(s) == 0 ==> s == 1;
                                                           free ensures keep_P#1 ==> d >= a;

A parameter of a template stands for every parameter of its type, a result for every result. `{:template "P", "Q"}` is
for those procedures, and their loops, only. (Corral §4.2 and the deep-asserts paper, §VI: predicates that capture the
typestate of a property are written down once, and tried on every procedure.)

What a text of candidates says of the error bit, `ensures old(s) == 0 ==> !err;`, is tried where procedures can fail, of
executions that have not failed before: nothing is called after a failure. (The deep-asserts paper's `R ==> !err`.)
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import islice, product

from paddock.ir.build import old, or_
from paddock.ir.callgraph import CallGraph
from paddock.ir.entry import entry_name
from paddock.ir.error_bit import ERROR_BIT
from paddock.ir.expr import Expr, Scope, Var
from paddock.ir.origin import Diagnostic, InputError
from paddock.ir.program import Clause, Procedure, Program, VarDecl, find_attribute
from paddock.ir.spelling import did_you_mean
from paddock.ir.walk import substitute, variables
from paddock.passes.candidates import NewCandidates

MARK = "template"
MOST_INSTANCES = 100  # of one clause for one procedure


def templates_of(program: Program) -> tuple[Procedure, ...]:
    """The templates of a program as the user wrote it. Raises `InputError` for those that make no sense."""
    templates = tuple(p for p in program.procedures if is_template(p))
    others = [p.name for p in program.procedures if not is_template(p)]
    problems = [problem for template in templates for problem in _problems(template, others)]
    problems += (
        Diagnostic(f"the template '{p.name}' cannot have type parameters", p.origin)
        for p in program.generic
        if is_template(p)
    )
    if problems:
        raise InputError(problems)
    return templates


def is_template(procedure: Procedure) -> bool:
    return find_attribute(procedure.attributes, MARK) is not None


def _problems(template: Procedure, others: Sequence[str]) -> Iterator[Diagnostic]:
    if template.implementations:
        yield Diagnostic(f"the template '{template.name}' cannot have a body", template.origin)
    for name in _named(template):
        if name not in others:
            hint = did_you_mean(str(name), others, "'")
            message = f"the template '{template.name}' is for '{name}', which is no procedure"
            yield Diagnostic(message, template.origin, hint=hint)


def _named(template: Procedure) -> tuple[str | Expr, ...]:
    """The procedures that a template is for; none if it is for all."""
    attribute = find_attribute(template.attributes, MARK)
    return attribute.params if attribute is not None else ()


def template_candidates(new: NewCandidates, templates: Sequence[Procedure]) -> None:
    """Add what the templates say, for each procedure that is called or that they name."""
    if not templates:
        return
    program = new.old_program
    called, entry = CallGraph(program).callers, entry_name(program)
    # The error bit may have the name of a variable that the program had, and does not use.
    globals_ = {d.var for d in program.globals if d.var is not new.error}
    for procedure in program.procedures:
        if not procedure.implementations:
            continue
        for template in templates:
            names = _named(template)
            if not (_names_of(procedure) & set(names) if names else called[procedure.name]):
                continue
            if procedure.name != entry:  # of which nothing may be required
                for clause, condition in _instances(template, template.requires, procedure, globals_):
                    new.require(procedure, condition, clause.origin)
            modified = set(new.effects[procedure.name].modifies)
            for clause, condition in _instances(template, template.ensures, procedure, globals_):
                if ERROR_BIT in variables(condition):
                    _ensure_of_failures(new, procedure, condition, clause)
                elif says_something(condition, procedure, modified):
                    new.ensure(procedure, condition, clause.origin)


def _ensure_of_failures(new: NewCandidates, procedure: Procedure, condition: Expr, clause: Clause) -> None:
    """Perhaps a procedure ensures what a condition says of the error bit."""
    if new.error is not None and new.can_fail(procedure):
        claim = or_(old(new.error), substitute(condition, {ERROR_BIT: new.error}))
        new.ensure(procedure, claim, clause.origin, unless_failed=False)


def _names_of(procedure: Procedure) -> set[str | Expr]:
    """The procedure's name and, if it is a loop, that of the procedure in which it was."""
    attribute = find_attribute(procedure.attributes, "loop")
    return {procedure.name, *(attribute.params[:1] if attribute is not None else ())}


def says_something(condition: Expr, procedure: Procedure, modified: Collection[Var]) -> bool:
    """Whether a postcondition is about what a procedure changes; otherwise its callers know it before."""
    results = {r.var for r in procedure.results}
    return any(v in modified or v in results for v in variables(condition))


def _instances(
    template: Procedure, clauses: Sequence[Clause], procedure: Procedure, globals_: Collection[Var]
) -> Iterator[tuple[Clause, Expr]]:
    """The clauses over the variables of a procedure, in all ways up to a number. Those about globals that the program
    does not have, because nothing in it uses them, are left out."""
    for clause in clauses:
        mentioned = variables(clause.condition)
        if any(v.scope is Scope.GLOBAL and v is not ERROR_BIT and v not in globals_ for v in mentioned):
            continue
        formals: list[Var] = []
        choices: list[list[Var]] = []
        for theirs, ours in ((template.params, procedure.params), (template.results, procedure.results)):
            for formal in theirs:
                if formal.var in mentioned:
                    formals.append(formal.var)
                    choices.append(_of_type(ours, formal))
        for chosen in islice(product(*choices), MOST_INSTANCES):
            yield clause, substitute(clause.condition, dict(zip(formals, chosen, strict=True)))


def _of_type(declarations: Sequence[VarDecl], wanted: VarDecl) -> list[Var]:
    return [d.var for d in declarations if d.var.type is wanted.var.type]
