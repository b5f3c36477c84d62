"""Procedure templates: the formula of a procedure, built once and instantiated for every inlined copy.

The procedure's VC (pVC) of DAG inlining (Lal and Qadeer, PLDI 2015), Fig. 8: one Boolean a block; a block
implies its statements and one of its successors together with the equalities of the join. All constants are
parameters, so that an instance is one native substitution.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType

from paddock.frozen import frozen
from paddock.ir.expr import Expr, Scope, Var
from paddock.ir.graph import immediate_dominators, predecessors
from paddock.ir.program import Procedure, is_loop
from paddock.ir.stmt import Assign, Assume, Call, Havoc, Return, Statement
from paddock.ir.types import BOOL, Type
from paddock.solvers import sorts
from paddock.solvers.interface import Template as Formula
from paddock.solvers.interface import Term, Terms
from paddock.solvers.ops import Op
from paddock.vc.encode import Encoder
from paddock.vc.passive import Interface, PassiveProcedure, has_body

State = dict[Var, Term]

_EXIT = -1  # where all returns lead

_NOTHING: Mapping[Var, int] = MappingProxyType({})


@frozen
class TemplateCall:
    """A call of a procedure with a body.

    `link` says that the call is the callee's instance: over the caller's parameters, followed by the
    callee's control and interface, `Control[c] ⇒ Control[n] ∧ In[c] = In[n] ∧ Out[c] = Out[n]`. A call whose instance
    serves it alone has `actuals` instead: Control[c], In[c] and Out[c] over the caller's parameters. The instance has
    them for its own interface, which saves all these equalities.
    """

    callee: str
    block: int
    statement: int
    link: Formula | None
    actuals: tuple[Formula, ...]


@frozen
class Chosen:
    """A variable that a statement makes arbitrary, and the parameter that is its value."""

    var: Var
    parameter: int


@frozen(eq=False)
class TemplateEdge:
    """A jump: taken iff `taken`, over the template's variables, holds (None: it is the only one)."""

    target: int
    taken: Term | None


@frozen
class Template:
    """A procedure's formula over parameters; number 0 is its control, then come inputs and outputs.

    `chosen[b]` lists, for each statement of block b, the arbitrary values it makes; `initial` those of the
    results and locals at the start.
    """

    procedure: Procedure
    passive: PassiveProcedure
    variables: tuple[Term, ...]  # one for each parameter
    types: tuple[Type, ...]
    names: tuple[str, ...]
    formula: Formula
    block_control: tuple[int, ...]  # the parameter that is each block's Boolean
    calls: tuple[TemplateCall, ...]
    edges: tuple[tuple[TemplateEdge, ...], ...]
    chosen: tuple[dict[int, tuple[Chosen, ...]], ...]
    initial: dict[Var, int]

    @property
    def interface(self) -> Interface:
        return self.passive.interface

    @property
    def interface_size(self) -> int:
        """The number of parameters that a link refers to: control, inputs, outputs."""
        return 1 + len(self.interface.inputs) + len(self.interface.outputs)


@frozen
class _PendingCall:
    callee: str
    block: int
    statement: int
    control: Term
    values: list[Term]


def build_template(
    terms: Terms, encoder: Encoder, passive: PassiveProcedure, is_entry: bool, serves_one: Callable[[Procedure], bool]
) -> Template:
    """The template of a procedure. Contracts are stated by the caller of a procedure; an entry has none. `serves_one`
    says of which procedures every call has an instance of its own."""
    return _Builder(terms, encoder, passive, is_entry, serves_one).build()


class _Parameters:
    """The parameters of a template, in the order in which they are made."""

    def __init__(self, terms: Terms, encoder: Encoder) -> None:
        self._variable = terms.variable
        self._encoder = encoder
        self.types: list[Type] = []
        self.names: list[str] = []
        self.terms: list[Term] = []

    def __len__(self) -> int:
        return len(self.terms)

    def new(self, name: str, type_: Type) -> Term:
        term = self._variable(name, self._encoder.sort(type_))
        self.types.append(type_)
        self.names.append(name)
        self.terms.append(term)
        return term


class _Builder:
    def __init__(
        self,
        terms: Terms,
        encoder: Encoder,
        passive: PassiveProcedure,
        is_entry: bool,
        serves_one: Callable[[Procedure], bool],
    ) -> None:
        self.is_entry = is_entry
        self.serves_one = serves_one
        self.terms = terms
        self.encoder = encoder
        self.passive = passive
        self.parameters = _Parameters(terms, encoder)
        self.parts: list[Term] = []
        self.calls: list[_PendingCall] = []
        self.initial: dict[Var, int] = {}
        self.entry: State = {}
        self.outputs: dict[Var, int] = {}  # their parameters

    def build(self) -> Template:
        passive, face = self.passive, self.passive.interface
        control = self.parameters.new(passive.procedure.name, BOOL)
        for var in face.inputs:
            self.entry[var] = self.parameters.new(var.name, var.type)
        for var in face.outputs:
            self.outputs[var] = len(self.parameters)
            self.parameters.new(var.name, var.type)
        controls = [control] + [self.parameters.new(b.label, BOOL) for b in passive.blocks[1:]]
        block_control = (0, *range(len(self.parameters) - len(controls) + 1, len(self.parameters)))
        before: list[State] = [{} for _ in passive.blocks]
        after: list[State] = [{} for _ in passive.blocks]
        chosen: list[dict[int, tuple[Chosen, ...]]] = []
        facts: list[list[Term]] = []
        app = self.terms.app
        for n, block in enumerate(passive.blocks):
            before[n] = self._joined(n, after)
            state = dict(before[n])
            constraints: list[Term] = []
            if n == 0 and self.is_entry:
                constraints += [self._encode(c.condition, state) for c in passive.procedure.requires]
            made: dict[int, tuple[Chosen, ...]] = {}
            for k, statement in enumerate(block.statements):
                values = self._statement(statement, state, constraints, controls[n], n, k)
                if values:
                    made[k] = values
            after[n] = state
            chosen.append(made)
            facts.append(constraints)
        edges = []
        for n, block in enumerate(passive.blocks):
            constraints = facts[n]
            if isinstance(block.transfer, Return):
                if self.is_entry:
                    constraints += [self._encode(c.condition, after[n]) for c in passive.procedure.ensures]
                constraints += self._returned(after[n])
            jumps = [(s, self._jump(controls[s], before[s], after[n])) for s in passive.successors[n]]
            if not isinstance(block.transfer, Return):
                constraints.append(_any(self.terms, [jump for _, jump in jumps]))
            alone = len(jumps) == 1
            edges.append(tuple(TemplateEdge(s, None if alone else jump) for s, jump in jumps))
            if constraints:
                self.parts.append(app(Op.IMPLIES, (controls[n], _all(self.terms, constraints))))
        if self.serves_one(passive.procedure):
            self.parts += self._flow(controls)
        calls = tuple(map(self._finished, self.calls))
        return Template(
            passive.procedure,
            passive,
            tuple(self.parameters.terms),
            tuple(self.parameters.types),
            tuple(self.parameters.names),
            self.terms.template(self.parameters.terms, _all(self.terms, self.parts)),
            block_control,
            calls,
            tuple(edges),
            tuple(chosen),
            self.initial,
        )

    def _flow(self, controls: Sequence[Term]) -> Iterator[Term]:
        """What follows for paths that visit a block: they visit one before it, and what is on all ways on from it. So
        the solver need not decide block by block what is not visited in an instance that is not entered, and sees what
        is visited in any case. Where calls share instances, that has not made it faster."""
        passive = self.passive
        for n, before in enumerate(passive.predecessors[1:], start=1):
            yield self.terms.app(Op.IMPLIES, (controls[n], _any(self.terms, [controls[p] for p in before])))
        ways_on = {
            n: [_EXIT] if isinstance(b.transfer, Return) else passive.successors[n]
            for n, b in enumerate(passive.blocks)
        }
        for n, after in immediate_dominators(predecessors(ways_on), _EXIT).items():
            if after != _EXIT and len(ways_on[n]) > 1:
                yield self.terms.app(Op.IMPLIES, (controls[n], controls[after]))

    # --- states ----------------------------------------------------------------------------------

    def _joined(self, n: int, after: list[State]) -> State:
        """The state at the start of a block: a new name only for what is live and differs."""
        if n == 0:
            return dict(self.entry)
        ends = [after[p] for p in self.passive.predecessors[n]]
        if len(ends) == 1:
            return ends[0]
        state: State = {}
        label = self.passive.blocks[n].label
        for var in sorted(self.passive.live[n], key=lambda v: (v.scope.value, v.name)):
            values = [self._value(var, end) for end in ends]
            same = all(v == values[0] for v in values)
            state[var] = values[0] if same else self.parameters.new(f"{var.name}@{label}", var.type)
        return state

    def _value(self, var: Var, state: State) -> Term:
        found = state.get(var)
        if found is None:
            found = self.entry.get(var)
            if found is None:
                # A local that has not been assigned to has any value, the same wherever it is read.
                self.initial[var] = len(self.parameters)
                found = self.entry[var] = self.parameters.new(var.name, var.type)
            state[var] = found
        return found

    def _jump(self, control: Term, target: State, source: State) -> Term:
        equalities = []
        for var, term in target.items():
            value = self._value(var, source)
            if value != term:
                equalities.append(self.terms.app(Op.EQ, (term, value)))
        return _all(self.terms, [control, *equalities])

    def _returned(self, state: State) -> list[Term]:
        """That the outputs are what they are in a state; most of those of a tail call are by themselves."""
        pairs = [(self._value(var, state), self.parameters.terms[n]) for var, n in self.outputs.items()]
        return [self.terms.app(Op.EQ, pair) for pair in pairs if pair[0] != pair[1]]

    def _encode(self, expr: Expr, state: State) -> Term:
        def before(var: Var) -> Term:
            # `old` is about globals: a local in it has the value that it has now.
            return self._value(var, self.entry if var.scope is Scope.GLOBAL else state)

        return self.encoder.encode(expr, lambda v: self._value(v, state), before)

    # --- statements ------------------------------------------------------------------------------

    def _statement(
        self, statement: Statement, state: State, constraints: list[Term], control: Term, block: int, k: int
    ) -> tuple[Chosen, ...]:
        """Take the state past a statement, note what it says; returns the arbitrary values it makes."""
        match statement:
            case Assume(condition):
                constraints.append(self._encode(condition, state))
            case Assign(targets, values):
                state.update(zip(targets, [self._encode(v, state) for v in values], strict=True))
            case Havoc(targets):
                return self._arbitrary(targets, state)
            case Call():
                return self._call(statement, state, constraints, control, block, k)
            case _:
                raise AssertionError(statement)
        return ()

    def _arbitrary(
        self, targets: Sequence[Var], state: State, chosen: Mapping[Var, int] = _NOTHING
    ) -> tuple[Chosen, ...]:
        """Make variables arbitrary: each is a new parameter, or one that is chosen for it."""
        made = []
        for var in targets:
            parameter = chosen.get(var)
            if parameter is None:
                parameter = len(self.parameters)
                self.parameters.new(var.name, var.type)
            made.append(Chosen(var, parameter))
            state[var] = self.parameters.terms[parameter]
        return tuple(made)

    def _call(
        self, call: Call, state: State, constraints: list[Term], control: Term, block: int, k: int
    ) -> tuple[Chosen, ...]:
        callee = self.passive.program.procedure_named[call.procedure]
        face = self.passive.interfaces[call.procedure]
        args = [self._encode(a, state) for a in call.args]
        before = dict(state)
        inputs = [self._value(v, state) for v in face.globals_in] + args
        tail = self._tail(call, block, k)
        modified = self._arbitrary(face.globals_out, state, tail)
        left = dict(state)  # what the callee leaves; a result may then go to a global that it modifies
        formals: State = {}
        results = self._arbitrary(face.results, formals, tail)
        state.update((target, formals[r]) for target, r in zip(call.results, face.results, strict=True))
        outputs = [self.parameters.terms[c.parameter] for c in (*modified, *results)]
        formals.update(zip(face.params, args, strict=True))

        def pre(var: Var) -> Term:
            return formals[var] if var in formals else self._value(var, before)

        def post(var: Var) -> Term:
            return formals[var] if var in formals else self._value(var, left)

        encode = self.encoder.encode
        constraints += [encode(c.condition, pre, pre) for c in callee.requires]
        constraints += [encode(c.condition, post, pre) for c in callee.ensures]
        if not has_body(callee):
            return modified + results
        self.calls.append(_PendingCall(call.procedure, block, k, control, inputs + outputs))
        return ()

    def _tail(self, call: Call, block: int, k: int) -> Mapping[Var, int]:
        """The outputs of this procedure that are those of a loop that it calls last, by the names that the loop has for
        them: iterations that hand through what the last one leaves need no equalities for that."""
        body = self.passive.blocks[block]
        is_last = k + 1 == len(body.statements) and isinstance(body.transfer, Return)
        if not is_last or not is_loop(self.passive.program.procedure_named[call.procedure]):
            return _NOTHING
        face = self.passive.interfaces[call.procedure]
        named = {
            formal: self.outputs[t] for t, formal in zip(call.results, face.results, strict=True) if t in self.outputs
        }
        rest = {var: self.outputs[var] for var in face.globals_out if var in self.outputs and var not in call.results}
        return named | rest

    def _finished(self, call: _PendingCall) -> TemplateCall:
        """The call with its actuals, or with its link, which has the callee's interface for further parameters."""
        if self.serves_one(self.passive.program.procedure_named[call.callee]):
            actuals = (call.control, *call.values)
            over_ours = tuple(self.terms.template(self.parameters.terms, actual) for actual in actuals)
            return TemplateCall(call.callee, call.block, call.statement, None, over_ours)
        face = self.passive.interfaces[call.callee]
        entered = self.terms.variable(call.callee, self.encoder.sort(BOOL))
        theirs = [self.terms.variable(v.name, self.encoder.sort(v.type)) for v in (*face.inputs, *face.outputs)]
        same = [self.terms.app(Op.EQ, pair) for pair in zip(call.values, theirs, strict=True)]
        link = self.terms.app(Op.IMPLIES, (call.control, _all(self.terms, [entered, *same])))
        formula = self.terms.template([*self.parameters.terms, entered, *theirs], link)
        return TemplateCall(call.callee, call.block, call.statement, formula, ())


def _all(terms: Terms, parts: Sequence[Term]) -> Term:
    if not parts:
        return terms.literal(True, sorts.BOOL)
    return parts[0] if len(parts) == 1 else terms.app(Op.AND, parts)


def _any(terms: Terms, parts: Sequence[Term]) -> Term:
    if not parts:  # a jump to nowhere
        return terms.literal(False, sorts.BOOL)
    return parts[0] if len(parts) == 1 else terms.app(Op.OR, parts)
