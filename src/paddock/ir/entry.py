"""Which procedure a program starts in: the one marked `{:entrypoint}`, else `main`.

A mark on an implementation wins over one on a procedure's declaration, as in the SDV programs, where both occur; of
several marked ones, one that calls all others and that none of them calls. `with_entry` writes a choice down as such a
mark, so that later stages find it.
"""

from __future__ import annotations

from collections.abc import Sequence

from paddock.frozen import replace
from paddock.ir.callgraph import CallGraph
from paddock.ir.expr import Attribute, Attributes
from paddock.ir.origin import Diagnostic, InputError, Origin
from paddock.ir.program import Implementation, Procedure, Program, find_attribute
from paddock.ir.spelling import did_you_mean

_MARK = "entrypoint"
_DEFAULT = "main"
_SHOWN = 10  # how many candidates a message lists


def entry_name(program: Program) -> str:
    """The name of the procedure the program starts in. It has a body."""
    by_implementation = [p for p in program.procedures if any(map(_is_marked, p.implementations))]
    marked = by_implementation or [p for p in program.procedures if _is_marked(p)]
    if len(marked) > 1 and (outermost := _that_reaches_all(program, [p.name for p in marked])) is not None:
        return _with_body(program, outermost).name
    if len(marked) > 1:
        raise InputError(
            Diagnostic(
                f"several procedures are marked {{:{_MARK}}}: {_listing([p.name for p in marked])}",
                marked[1].origin,
                hint="name the one to start in",
            )
        )
    if marked:
        return _with_body(program, marked[0].name).name
    generic = next((p.name for p in program.generic if _is_marked(p) or p.name == _DEFAULT), None)
    if generic is None and _DEFAULT not in program.procedure_named:
        message = f"no procedure is marked {{:{_MARK}}} and none is called `{_DEFAULT}`: nowhere to start"
        hint = _candidates(program) if program.procedures else "the program has no procedures"
        raise InputError(Diagnostic(message, _files(program), hint=hint))
    return _with_body(program, generic or _DEFAULT).name


def _that_reaches_all(program: Program, names: Sequence[str]) -> str | None:
    """The one of some procedures that calls all others, directly or not, and that none of them calls: a harness around
    them. None if there is no such one."""
    graph = CallGraph(program)
    reached = {name: set(graph.reachable([name])) for name in names}
    outer = [name for name in names if not any(name in reached[other] for other in names if other != name)]
    return outer[0] if len(outer) == 1 and reached[outer[0]].issuperset(names) else None


def with_entry(program: Program, name: str) -> Program:
    """The program that starts in `name`: its implementation is marked, and nothing else."""
    _with_body(program, name)
    return replace(program, procedures=tuple(_marked(p, p.name == name) for p in program.procedures))


def _with_body(program: Program, name: str) -> Procedure:
    procedure = program.procedure_named.get(name)
    generic = next((p for p in program.generic if p.name == name), None)
    if procedure is None and generic is not None:
        message = f"the program cannot start in procedure `{name}`: it has type parameters"
        raise InputError(Diagnostic(message, generic.origin, hint=_candidates(program)))
    if procedure is None:
        hint = did_you_mean(name, _names_with_body(program), "`") or _candidates(program)
        raise InputError(Diagnostic(f"there is no procedure `{name}` to start in", _files(program), hint=hint))
    if not procedure.implementations:
        message = f"the program cannot start in procedure `{name}`: it has no body"
        raise InputError(Diagnostic(message, procedure.origin, hint=_candidates(program)))
    return procedure


def _files(program: Program) -> Origin:
    """All of the program, as a place."""
    groups = (program.types, program.constants, program.functions, program.axioms, program.globals, program.procedures)
    files = dict.fromkeys(declaration.origin.file for group in groups for declaration in group)
    return Origin(_listing([file for file in files if file]))


def _names_with_body(program: Program) -> list[str]:
    return [p.name for p in program.procedures if p.implementations]


def _candidates(program: Program) -> str:
    names = _names_with_body(program)
    return f"procedures with a body: {_listing(names)}; say --entry NAME" if names else "no procedure has a body"


def _listing(names: Sequence[str]) -> str:
    rest = len(names) - _SHOWN
    return ", ".join(names[:_SHOWN]) + (f" and {rest} more" if rest > 0 else "")


def _is_marked(piece: Procedure | Implementation) -> bool:
    return find_attribute(piece.attributes, _MARK) is not None


def _marked(procedure: Procedure, is_entry: bool) -> Procedure:
    """The procedure with the mark where it belongs; the same object if nothing changes."""
    if any(_is_marked(i) is not is_entry for i in procedure.implementations):
        mark = (Attribute(_MARK),) if is_entry else ()
        implementations = tuple(
            replace(i, attributes=(*_unmarked(i.attributes), *mark)) for i in procedure.implementations
        )
        procedure = replace(procedure, implementations=implementations)
    return replace(procedure, attributes=_unmarked(procedure.attributes)) if _is_marked(procedure) else procedure


def _unmarked(attributes: Attributes) -> Attributes:
    return tuple(a for a in attributes if a.name != _MARK)
