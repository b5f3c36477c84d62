"""The passes by name: each a pure function from program to program, so that they compose in any order that
makes sense and `paddock transform --pass a,b,c` can show what each of them does."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from types import MappingProxyType

from paddock.ir.origin import Diagnostic, InputError
from paddock.ir.program import Program
from paddock.passes.abstract_globals import abstract_globals, parameterise_globals
from paddock.passes.assertion_wrappers import assertion_wrappers
from paddock.passes.bound_loops import bound_loops
from paddock.passes.check_specs import check_specs
from paddock.passes.deep_asserts import deep_asserts
from paddock.passes.error_bit import error_bit
from paddock.passes.extract_loops import extract_loops
from paddock.passes.facts import facts
from paddock.passes.identify_assertions import identify_assertions
from paddock.passes.infer_modifies import infer_modifies
from paddock.passes.lower import lower
from paddock.passes.merge_implementations import merge_implementations
from paddock.passes.offer_candidates import offer_candidates
from paddock.passes.prune import prune
from paddock.passes.split_failures import split_failures
from paddock.passes.switch_assertions import switch_assertions
from paddock.passes.watch_assertions import watch_assertions


@dataclass(frozen=True, slots=True)
class Pass:
    """A transformation of programs."""

    name: str
    summary: str
    apply: Callable[[Program], Program]


_ALL = (
    Pass("lower", "structured code as blocks (done on load: shows the program as it was read)", lower),
    Pass("infer-modifies", "with complete modifies clauses (done on load, unless --check-modifies)", infer_modifies),
    Pass("identify-assertions", "each assertion with an identity (done on load, too)", identify_assertions),
    Pass(
        "assertion-wrappers", "calls of procedures that only assert their parameters as assertions", assertion_wrappers
    ),
    Pass("merge-implementations", "one implementation a procedure, that chooses among several", merge_implementations),
    Pass("check-specs", "contracts and where clauses as assertions and assumptions", check_specs),
    Pass("prune", "without unreachable procedures and blocks and unmentioned globals", prune),
    Pass("extract-loops", "each loop as a tail-recursive procedure", extract_loops),
    Pass("bound-loops", "with the number of iterations of loops for which it is constant", bound_loops),
    Pass("facts", "with assumptions about constants, intervals and equalities that hold in every execution", facts),
    Pass("abstract-globals", "without the globals that are not marked {:track}: they are forgotten", abstract_globals),
    Pass("parameterise-globals", "with a constant a global that says whether it is tracked", parameterise_globals),
    Pass("switch-assertions", "each assertion with a constant that makes it an assumption", switch_assertions),
    Pass("watch-assertions", "each assertion with a constant that says whether it counts", watch_assertions),
    Pass("split-failures", "each procedure that can fail as one that returns and one that fails", split_failures),
    Pass("deep-asserts", "all assertions in the entry procedure, outside loops", deep_asserts),
    Pass("error-bit", "all assertions as one, on a Boolean, at the exit of the entry procedure", error_bit),
    Pass("offer-candidates", "with contracts that may hold, each guarded by an existential constant", offer_candidates),
)

PASSES: Mapping[str, Pass] = MappingProxyType({p.name: p for p in _ALL})


def run_passes(program: Program, names: Iterable[str]) -> Program:
    """The program after the passes of these names, in this order."""
    for pass_ in [_named(name) for name in names]:
        program = pass_.apply(program)
    return program


def _named(name: str) -> Pass:
    if name not in PASSES:
        close = get_close_matches(name, PASSES, n=1)
        hint = f"did you mean `{close[0]}`?" if close else f"the passes are: {', '.join(PASSES)}"
        raise InputError(Diagnostic(f"there is no pass `{name}`", hint=hint))
    return PASSES[name]
