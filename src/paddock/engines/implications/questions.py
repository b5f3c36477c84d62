"""IMPLIES(i, j) of the assertion-implications paper, §3.3: does one assertion locally imply another (Definition 2)?

The question is put to the solver with just those instructions between the two on which they depend. Calls and
iterations make many copies of one question: it is asked once. Assertions that say the same are no question at all.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain

from paddock.engines.implications.meaning import Meaning
from paddock.engines.implications.ussa import Step, Ussa
from paddock.engines.outcome import Budget
from paddock.frozen import fields, mutable
from paddock.ir.build import not_
from paddock.ir.expr import Expr, Lit, Scope, Var
from paddock.ir.program import Program, local_var
from paddock.ir.stmt import Assert, Assign, Assume
from paddock.ir.walk import rewrite, substitute, subterms
from paddock.solvers import sorts
from paddock.solvers.interface import Solver, Status, Term
from paddock.solvers.ops import Op

_Key = tuple[object, ...]

MOST_QUERIES = 20  # until what has been asked before is too much to carry along


@mutable
class Counts:
    """What finding implications took."""

    dependent: int = 0  # pairs of assertions
    duplicates: int = 0  # pairs that say the same
    repeated: int = 0  # questions that had been asked before
    queries: int = 0
    unknown: int = 0  # queries without an answer

    @staticmethod
    def sum(parts: Iterable[Counts]) -> Counts:
        """What several searches took together; each has counted all pairs for itself."""
        every = list(parts)
        added = {f.name: sum(getattr(part, f.name) for part in every) for f in fields(Counts)}
        return Counts(**added | {"dependent": max((part.dependent for part in every), default=0)})


class Questions:
    """The pairs of assertions in an unwound program, to be asked about."""

    def __init__(
        self, ussa: Ussa, solver: Solver, budget: Budget, query_timeout: float, *, with_equalities: bool
    ) -> None:
        """With equalities, a variable that is just another name of a value is that value, wherever it got it (§5)."""
        self.steps: list[Step | None] = list(_without_copies(ussa.steps) if with_equalities else ussa.steps)
        self.counts = Counts()
        self._solver = solver
        self._budget = budget
        self._query_timeout = query_timeout
        self._shapes = _Shapes()
        self._answers: dict[_Key, tuple[int, ...] | None] = {}
        self._is_assertion = set(ussa.assertions())
        self._session: _Session | None = None
        self._program = ussa.program
        self.variables = [() if s is None else self._variables(s) for s in self.steps]
        # What depends on each other: also what does so only by names that are just other names of values.
        self.dependent = self.variables
        if with_equalities:
            named = map(self._variables, ussa.steps)
            self.dependent = [tuple(dict.fromkeys(chain(*both))) for both in zip(self.variables, named, strict=True)]
        self._targets = [_target(step) for step in ussa.steps]
        self._assumptions_before = [0]
        for step in self.steps:
            is_assumption = step is not None and isinstance(step.instruction, Assume)
            self._assumptions_before.append(self._assumptions_before[-1] + is_assumption)

    def implies(self, premise: int, conclusion: int) -> bool:
        """Whether an assertion implies another; False also if the solver cannot tell.

        If the premise comes later, an execution on which the conclusion fails must get there: no assumption is between.
        """
        low, high = min(premise, conclusion), max(premise, conclusion)
        if premise > conclusion and self._assumptions_before[high] > self._assumptions_before[low + 1]:
            return False
        claimed, wanted = self._claim(premise), self._claim(conclusion)
        if claimed is wanted:
            self.counts.duplicates += 1
            return True
        return self._answer([claimed], wanted, self._between(low, high, ())) is not None

    def implied_by(self, premises: Sequence[int], conclusion: int) -> list[int] | None:
        """Those of some assertions, all in front of another and the nearest first, that imply it together; None if they
        do not, or if the solver cannot tell. If the instructions between suffice, the nearest counts."""
        wanted = self._claim(conclusion)
        same = next((p for p in premises if self._claim(p) is wanted), None)
        if same is not None:
            self.counts.duplicates += 1
            return [same]
        found = self._between(min(premises), conclusion, set(premises))
        used = [n for n in found if n in self._is_assertion]
        others = {n: step for n, step in found.items() if n not in self._is_assertion}
        needed = self._answer([self._claim(p) for p in used], wanted, others)
        return None if needed is None else [used[n] for n in needed] or [premises[0]]

    def _answer(self, claimed: Sequence[Expr], wanted: Expr, steps: Mapping[int, Step]) -> tuple[int, ...] | None:
        """Which of several claims are enough, with some instructions, for another; None if all are not."""
        between = list(steps.values())
        key = self._key([*claimed, wanted], between)
        if key in self._answers:
            self.counts.repeated += 1
        else:
            self._answers[key] = self._ask(claimed, wanted, between)
        return self._answers[key]

    def _claim(self, n: int) -> Expr:
        step = self.steps[n]
        assert step is not None
        return step.claim

    def _between(self, low: int, high: int, claimed: Collection[int]) -> dict[int, Step]:
        """The instructions between two assertions that have to do with them, backward: what gives their variables
        values, and what is assumed or, by some assertions, claimed of those. The first may be such an assertion."""
        needed = set(self.dependent[high])
        if low not in claimed:
            needed.update(self.dependent[low])
        found: dict[int, Step | None] = {}
        grows = True
        while grows:
            grows = False
            for n in range(high - 1, low if low not in claimed else low - 1, -1):
                if n in found:
                    continue
                step, target = self.steps[n], self._targets[n]
                if target is not None:
                    is_needed = target in needed
                else:
                    is_claimed = n in claimed or (step is not None and isinstance(step.instruction, Assume))
                    is_needed = is_claimed and not needed.isdisjoint(self.dependent[n])
                    grows |= is_needed  # what it is about may have been given a value later
                if is_needed:
                    found[n] = step
                    needed.update(self.dependent[n])
        return {n: step for n in sorted(found, reverse=True) if (step := found[n]) is not None}

    def _variables(self, step: Step) -> tuple[Var, ...]:
        """The variables of an instruction, its guard's among them."""
        return tuple(dict.fromkeys(v for e in _expressions(step) for v in self._shapes.variables(e)))

    def _key(self, claims: Sequence[Expr], steps: Sequence[Step]) -> _Key:
        """A key that is equal for questions that differ only in the names of variables."""
        numbers: dict[Var, int] = {}
        parts = [_expressions(step) for step in steps]
        # How many expressions each instruction has tells assignments from assumptions.
        key: list[object] = [len(claims), *map(len, parts)]
        for expr in chain(claims, *parts):
            key.append(self._shapes.of(expr))
            key.append(tuple(numbers.setdefault(v, len(numbers)) for v in self._shapes.variables(expr)))
        return tuple(key)

    def taken_counts(self) -> Counts:
        """What has been counted since the last time."""
        counts, self.counts = self.counts, Counts()
        return counts

    def _ask(self, claimed: Sequence[Expr], wanted: Expr, steps: Sequence[Step]) -> tuple[int, ...] | None:
        left = self._budget.remaining()
        if left == 0.0:
            return None
        self.counts.queries += 1
        if self._session is None or self._session.queries == MOST_QUERIES:
            self.close()
            self._session = _Session(self._program, self._solver.another())
        timeout = self._query_timeout if left is None else min(self._query_timeout, left)
        status, needed = self._session.ask(claimed, wanted, steps, timeout)
        if status is Status.UNKNOWN:
            self.counts.unknown += 1
        return needed

    def close(self) -> None:
        """Free what the solver holds."""
        if self._session is not None:
            self._session.solver.close()
            self._session = None


class _Session:
    """A solver for some questions. Each instruction and each claim is asserted once, behind a literal."""

    def __init__(self, program: Program, solver: Solver) -> None:
        self.solver = solver
        self.queries = 0
        self._meaning = Meaning(program, solver)
        self._literals: dict[tuple[Expr, ...], Term] = {}

    def ask(
        self, claimed: Sequence[Expr], wanted: Expr, steps: Sequence[Step], timeout: float
    ) -> tuple[Status, tuple[int, ...] | None]:
        """Whether the negation of `claimed ∧ π(steps) ⇒ wanted` can be satisfied; if not, which claims it takes."""
        self.queries += 1
        meaning = self._meaning
        literals = [self._literal((claim,), partial(meaning.term, claim)) for claim in claimed]
        others = [self._literal(_expressions(step), partial(meaning.of, step)) for step in steps]
        others.append(self._literal((not_(wanted),), partial(meaning.term, not_(wanted))))
        status = self.solver.check([*others, *literals], timeout).status
        if status is not Status.UNSAT:
            return status, None
        core = set(self.solver.unsat_core())
        return status, tuple(n for n, literal in enumerate(literals) if literal in core)

    def _literal(self, key: tuple[Expr, ...], meaning: Callable[[], Term | None]) -> Term:
        """What to assume for something to be asserted."""
        literal = self._literals.get(key)
        if literal is None:
            literal = self._literals[key] = self.solver.terms.fresh("asserted", sorts.BOOL)
            term = meaning()
            assert term is not None
            self.solver.assert_(self.solver.terms.app(Op.IMPLIES, (literal, term)))
        return literal


class _Shapes:
    """Expressions up to the names of their variables."""

    def __init__(self) -> None:
        self._variables: dict[Expr, tuple[Var, ...]] = {}
        self._shapes: dict[Expr, Expr] = {}

    def variables(self, expr: Expr) -> tuple[Var, ...]:
        """The variables of an expression, always in the same order."""
        found = self._variables.get(expr)
        if found is None:
            found = tuple(e for e in subterms([expr]) if isinstance(e, Var) and e.scope is Scope.LOCAL)
            self._variables[expr] = found
        return found

    def of(self, expr: Expr) -> Expr:
        """The expression with standard names for its variables, in that order."""
        shape = self._shapes.get(expr)
        if shape is None:
            renaming = {v: local_var(f"{n}", v.type) for n, v in enumerate(self.variables(expr))}
            shape = self._shapes[expr] = substitute(expr, renaming)
        return shape


def _target(step: Step) -> Var | None:
    """What an instruction gives a value."""
    match step.instruction:
        case Assign(targets=(target,)):
            return target
        case _:
            return None


def _expressions(step: Step) -> tuple[Expr, ...]:
    match step.instruction:
        case Assign((target,), (value,)):
            return step.guard, target, value
        case Assume(condition) | Assert(condition):
            return step.guard, condition
        case _:
            return (step.guard,)


def _without_copies(steps: Sequence[Step]) -> Iterator[Step | None]:
    """The instructions without those that only give a value another name; None in their places.

    Where such an instruction is not executed, nothing reads the variable, so it may have that value all the same.
    """
    same: dict[Expr, Expr] = {}
    done: dict[Expr, Expr] = {}  # what a variable is the same as is known before it is read

    def resolved(expr: Expr) -> Expr:
        return rewrite(expr, lambda e: same.get(e, e), done)

    for step in steps:
        guard = resolved(step.guard)
        match step.instruction:
            case Assign((target,), (value,), _, origin):
                new = resolved(value)
                if isinstance(new, Var | Lit):
                    same[target] = new
                    yield None
                else:
                    yield Step(guard, Assign((target,), (new,), origin=origin))
            case Assume(condition, attributes, origin):
                yield Step(guard, Assume(resolved(condition), attributes, origin))
            case Assert(condition, attributes, origin):
                yield Step(guard, Assert(resolved(condition), attributes, origin))
            case _:
                yield Step(guard, step.instruction)
