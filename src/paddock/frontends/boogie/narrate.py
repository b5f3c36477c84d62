"""A replayed run as a person reads it: the steps worth seeing, each with its source line and its values.

Left out are assertions that hold, returns without results, and jumps that a condition right behind them explains.
"""

from __future__ import annotations

from collections.abc import Callable

from paddock.frozen import replace
from paddock.ir.expr import Attributes, Var
from paddock.ir.lexical import unescaped
from paddock.ir.origin import NOWHERE, Origin, Role
from paddock.ir.printer import expr_text, statement_text
from paddock.ir.program import Clause, Program, find_attribute
from paddock.ir.stmt import Assert, Assign, Assume, Block, Call, Goto, Havoc, Statement
from paddock.ir.threads import SWITCH
from paddock.ir.types import BOOL, INT, STRING, Bv, Type
from paddock.report.counterexample import Activation, Choice, Counterexample, TraceStep, TypedValue, plain
from paddock.trace.render import render
from paddock.trace.run import Failed, Kind, Run, Step, contract_of, iterations_text
from paddock.trace.states import States
from paddock.trace.values import Value

LONGEST_LINE = 300  # of a source: one that holds a whole procedure does not show a step

CONTRACTS = {"requires": "precondition", "ensures": "postcondition"}


def narrate(run: Run, program: Program, source_line: Callable[[Origin], str]) -> Counterexample:
    """A run of `program`, the last step included whatever it is. `source_line` gives the line of the source that an
    origin is in, or nothing."""
    narrator = _Narrator(run, program, source_line)
    narrator.narrate()
    return Counterexample(tuple(narrator.steps), tuple(narrator.activations), tuple(narrator.choices))


def typed(value: Value, type_: Type) -> TypedValue:
    """A value as a report has it."""
    is_plain = type_ in (BOOL, INT, STRING) or isinstance(type_, Bv)
    return TypedValue(render(value, type_), str(type_), plain(value) if is_plain else None)


class _Lookup:
    """What is looked up in the program, by the names that steps have."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._globals: dict[str, Type] = {g.name: g.var.type for g in program.globals}
        self._types: dict[str, dict[str, Type]] = {}
        self._blocks: dict[str, dict[str, Block]] = {}

    def types(self, name: str) -> dict[str, Type]:
        """The types of the variables that a procedure sees."""
        if name not in self._types:
            procedure = self.program.procedure_named[name]
            own = [*procedure.params, *procedure.results]
            for implementation in procedure.implementations:
                own += implementation.locals
            self._types[name] = {**self._globals, **{d.name: d.var.type for d in own}}
        return self._types[name]

    def block(self, procedure: str, label: str) -> Block:
        if procedure not in self._blocks:
            implementations = self.program.procedure_named[procedure].implementations
            self._blocks[procedure] = {b.label: b for i in implementations for b in i.blocks}
        return self._blocks[procedure][label]

    def position(self, step: Step) -> Origin:
        """Where the thread of a step is."""
        block = self.block(step.procedure, step.label)
        rest = [s.origin for s in block.statements[step.index :]]
        return next((origin for origin in rest if origin.role is not Role.BOOKKEEPING), block.transfer.origin)


class _Narrator:
    def __init__(self, run: Run, program: Program, source_line: Callable[[Origin], str]) -> None:
        self.run = run
        self.lookup = _Lookup(program)
        self.source_line = source_line
        # What passes have added to keep track of threads.
        added = (*program.globals, *(d for p in program.procedures for d in p.params))
        self.bookkeeping = {d.name for d in added if d.origin.role is Role.BOOKKEEPING}
        self.last_call = NOWHERE
        self.states = States(run, program)
        self.steps: list[TraceStep] = []
        self.activations: list[Activation] = []
        self.stacks: dict[int, list[int]] = {}  # by thread, positions of activations
        self.choices: list[Choice] = []

    def narrate(self) -> None:
        """Go through the run."""
        entry = self.run.steps[0].procedure if self.run.steps else ""
        if entry:
            types = self.lookup.types(entry)
            for name, value in self.run.initial.items():
                if name in self.bookkeeping:
                    continue
                self._choose("initial", name, typed(value, types[name]), NOWHERE, 0)
        for step in self.run.steps:
            stack = self.stacks.setdefault(step.thread, [])
            if not stack:
                stack.append(self._activated(Activation(step.procedure)))
            self._note_choices(step)
            if (shown := self.narrated(step)) is not None:
                if self.steps and self.steps[-1].kind == shown.kind == Kind.SWITCH.value:
                    self.steps.pop()  # that thread did nothing worth showing
                self.steps.append(shown)
            self._advance(step, stack)

    def _activated(self, activation: Activation) -> int:
        self.activations.append(activation)
        return len(self.activations) - 1

    def _advance(self, step: Step, stack: list[int]) -> None:
        self.states.advance(step)
        if step.kind is Kind.CALL and step.statement is not None:
            at = step.statement.origin
            stack.append(self._activated(Activation(step.target, at.file, at.line, at.column, stack[-1])))
        elif step.kind is Kind.RETURN:
            stack.pop()

    # --- what was chosen -----------------------------------------------------------------------------------

    def _note_choices(self, step: Step) -> None:
        """Keep what the program leaves open at a step."""
        types = self.lookup.types(step.procedure)
        match step.kind, step.statement:
            case Kind.STATEMENT, Havoc(targets, origin=origin):
                for target in targets:
                    if target.name in step.values:
                        value = typed(step.values[target.name], target.type)
                        self._choose("havoc", target.name, value, origin, step.thread)
            case Kind.RETURN, _ if not step.label:  # of a procedure without a body
                for name, chosen in step.values.items():
                    self._choose("result", name, typed(chosen, types[name]), self.last_call, step.thread)
            case Kind.BRANCH, _ if not _explains(self.lookup.block(step.procedure, step.target)):
                transfer = self.lookup.block(step.procedure, step.label).transfer
                assert isinstance(transfer, Goto)
                self._choose("jump", "goto", TypedValue(step.target, "label"), transfer.origin, step.thread)
            case Kind.STATEMENT | Kind.FAIL, Assume(origin=origin) | Assert(origin=origin):
                for name, read in step.values.items():
                    if not self.states.knows(name):
                        self.states.learn(name, read)
                        self._choose("uninitialised", name, typed(read, types[name]), origin, step.thread)

    def _choose(self, kind: str, name: str, value: TypedValue, at: Origin, thread: int) -> None:
        self.choices.append(Choice(kind, name, value, at.file, at.line, at.column, thread, len(self.steps)))

    # --- steps ---------------------------------------------------------------------------------------------

    def narrated(self, step: Step) -> TraceStep | None:
        """The step as it is shown, or None if it is not."""
        match step.kind, step.statement:
            case Kind.FAIL, statement:
                return self._fail(step, statement)
            case Kind.CALL, statement if statement is not None:
                self.last_call = statement.origin
                return self._shown(step, statement.origin, statement_text(statement), owner=step.target)
            case Kind.THREAD, Call() as statement:
                return self._shown(step, statement.origin, self._started_text(statement), owner=step.target)
            case Kind.ITERATIONS, Assign(origin=origin):
                return self._shown(step, origin, iterations_text(step))
            case Kind.SWITCH, _:
                return self._shown(step, self.lookup.position(step), f"thread {step.thread} runs {step.procedure}")
            case _, statement if statement is not None and statement.origin.role is Role.BOOKKEEPING:
                return None
            case Kind.BRANCH, _:
                if self._transfer_origin(step).role is Role.BOOKKEEPING or _explains(
                    self.lookup.block(step.procedure, step.target)
                ):
                    return None
                return self._shown(step, self._transfer_origin(step), f"goto {step.target}")
            case Kind.RETURN, _:
                if not step.values and step is not self.run.steps[-1]:
                    return None
                return self._shown(step, self._transfer_origin(step), f"{step.procedure} returns")
            case _, Assume(condition, attributes, origin) if find_attribute(attributes, "partition"):
                return self._shown(step, origin, expr_text(condition), kind="branch")
            case _, Assert() | None:
                return None
            case _, statement:
                return self._shown(step, statement.origin, statement_text(statement))

    def _started_text(self, call: Call) -> str:
        """An asynchronous call as it was written."""
        args = tuple(a for a in call.args if not (isinstance(a, Var) and a.name in self.bookkeeping))
        attributes = tuple(a for a in call.attributes if a.name != SWITCH)
        return statement_text(replace(call, args=args, attributes=attributes))

    def _fail(self, step: Step, statement: Statement | None) -> TraceStep:
        outcome = self.run.outcome
        assert isinstance(outcome, Failed)
        what = outcome.what
        if isinstance(statement, Assert):
            return self._shown(step, statement.origin, failure_text(statement))
        shown = _message(what.attributes) or expr_text(what.condition)
        owner, contract = step.procedure, "contract"
        if isinstance(what, Clause):
            procedure, kind, _ = contract_of(self.lookup.program, what)
            owner, contract = procedure.name, CONTRACTS[kind]
        return self._shown(step, outcome.origin, f"{contract} of {owner} fails: {shown}", owner=owner)

    def _shown(self, step: Step, origin: Origin, text: str, *, kind: str = "", owner: str = "") -> TraceStep:
        types = self.lookup.types(owner or step.procedure)
        source = self.source_line(origin).strip()
        return TraceStep(
            file=origin.file,
            line=origin.line,
            column=origin.column,
            procedure=step.procedure,
            kind=kind or step.kind.value,
            values={n: typed(value, types[n]) for n, value in step.values.items() if n not in self.bookkeeping},
            depth=step.depth,
            text=text,
            source=source if len(source) <= LONGEST_LINE else "",
            thread=step.thread,
            context=step.context,
            before=self._before(step, types),
            activation=self.stacks[step.thread][-1],
        )

    def _before(self, step: Step, types: dict[str, Type]) -> dict[str, TypedValue]:
        """What the variables that a step sets had before it, as far as that is known."""
        match step.statement:
            case Assign(targets) | Havoc(targets):
                known = {target.name: self.states.value(target) for target in targets if target.name in step.values}
                return {name: typed(value, types[name]) for name, value in known.items() if value is not None}
            case _:
                return {}

    def _transfer_origin(self, step: Step) -> Origin:
        """Where a step jumps or returns; a procedure without a body returns where it was called."""
        return self.lookup.block(step.procedure, step.label).transfer.origin if step.label else self.last_call


def failure_text(failed: Assert) -> str:
    """The message when an assertion fails, or when a goal is reached."""
    if (goal := find_attribute(failed.attributes, "goal")) is not None:
        return f"{goal.params[0]} reached: {unescaped(str(goal.params[1]))}"
    what, message = str(failed.origin.provenance) or "assertion", _message(failed.attributes)
    if find_attribute(failed.attributes, "kind"):  # the message is ours
        message = unescaped(message)
        what += "" if what == "assertion" else " check"
    return f"{what} fails: {message or expr_text(failed.condition)}"


def _explains(block: Block) -> bool:
    """Whether a block opens with the condition under which it is chosen."""
    match block.statements:
        case (Assume(attributes=attributes), *_):
            return find_attribute(attributes, "partition") is not None
        case _:
            return False


def _message(attributes: Attributes) -> str:
    """The message of the user for when this fails: `{:msg "…"}`."""
    found = find_attribute(attributes, "msg")
    return found.params[0] if found and found.params and isinstance(found.params[0], str) else ""
