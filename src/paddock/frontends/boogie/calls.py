"""Calls of procedures: arguments, results and effects are checked against the declaration."""

from __future__ import annotations

from collections.abc import Callable

from paddock.frontends.boogie import syntax as s
from paddock.frontends.boogie.expressions import Expressions
from paddock.frontends.boogie.symbols import ProcedureSymbol
from paddock.frontends.boogie.targets import IN_PURE, Targets
from paddock.frontends.boogie.types import substitute_type
from paddock.frontends.source import Source
from paddock.ir.stmt import Call
from paddock.ir.types import Type

NOT_REACHABLE = "corral_assert_not_reachable"

# The name of the copy of a procedure for type arguments, which are needed at a position.
Specialise = Callable[[ProcedureSymbol, tuple[Type, ...], int], str]


class Calls:
    """The calls in one body."""

    def __init__(
        self,
        expressions: Expressions,
        source: Source,
        owner: ProcedureSymbol,
        targets: Targets,
        specialise: Specialise,
        check_modifies: bool,
    ) -> None:
        self._exprs = expressions
        self._symbols = expressions.symbols
        self._problems = expressions.problems
        self._source = source
        self._owner = owner
        self._targets = targets
        self._specialise = specialise
        self._check_modifies = check_modifies

    def call(self, node: s.CallSyntax) -> Call | None:
        """The call, or None if something is wrong with it."""
        self._symbols.note_id(node.attributes)
        callee = self._symbols.procedure(node.name_pos, node.procedure)
        args = self._exprs.check_all(node.args)
        results = self._targets.all_of(node.results)
        if callee is None or not self._counts_fit(node, callee):
            return None
        inference = self._exprs.at.inference
        binding = {p: inference.fresh() for p in callee.type_params}
        fits = results is not None
        for syntax, arg, param in zip(node.args, args, callee.params, strict=True):
            wanted = substitute_type(param, binding) if binding else param
            if arg.type is not wanted and not inference.unify(arg.type, wanted):
                must, found = inference.shown(wanted), inference.shown(arg.type)
                self._problems.add(syntax.pos, f"this argument of '{callee.name}' must be {must}, but is {found}")
                fits = False
        for name, var, type_ in zip(node.results, results or (), callee.results, strict=False):
            given = substitute_type(type_, binding) if binding else type_
            if var.type is not given and not inference.unify(var.type, given):
                have, found = inference.shown(var.type), inference.shown(given)
                message = f"'{name.name}' is {have}, but this result of '{callee.name}' is {found}"
                self._problems.add(name.pos, message)
                fits = False
        self._check_effects(node, callee)
        if not fits or results is None:
            return None
        finish = self._exprs.finish
        final_args = tuple([finish(a, n.pos) for a, n in zip(args, node.args, strict=True)])
        final_results = self._targets.final(results)
        type_args = tuple([inference.final(t) for t in binding.values()])
        name_ = self._specialise(callee, type_args, node.name_pos) if type_args else callee.name
        attributes = self._exprs.attributes(node.attributes)
        origin = self._source.origin(node.pos)
        return Call(name_, final_args, final_results, node.free, node.asynchronous, attributes, origin)

    def is_failure(self, call: Call) -> bool:
        """Whether a call says, as for Corral, that it is not reached."""
        return call.procedure == NOT_REACHABLE and not self._symbols.procedures[NOT_REACHABLE].implementations

    def _counts_fit(self, node: s.CallSyntax, callee: ProcedureSymbol) -> bool:
        if node.asynchronous and node.results:
            self._problems.add(node.results[0].pos, "an asynchronous call has no results")
            return False
        counts = [("argument", len(node.args), len(callee.params))]
        if not node.asynchronous:
            counts.append(("result", len(node.results), len(callee.results)))
        for what, given, declared in counts:
            if given != declared:
                wanted = f"{declared} {what}{'s' * (declared != 1)}"
                self._problems.add(node.name_pos, f"the procedure '{callee.name}' has {wanted}, not {given}")
                return False
        return True

    def _check_effects(self, node: s.CallSyntax, callee: ProcedureSymbol) -> None:
        if self._owner.declaration.is_pure and not callee.declaration.is_pure:
            self._problems.add(node.name_pos, f"the procedure '{callee.name}' is not pure, so it {IN_PURE}")
            return
        if not self._check_modifies or callee.modifies.keys() <= self._owner.modifies.keys():
            return
        missing = [name for name in callee.modifies if name not in self._owner.modifies]
        names = ", ".join(missing)
        message = f"the call of '{callee.name}' may change {names}, which '{self._owner.name}' may not"
        self._problems.add(
            node.name_pos, message, f"add 'modifies {names};' to the declaration of '{self._owner.name}'"
        )
