"""What a user may ask of a check, as one frozen record that is valid once it exists.

The fields are the options of the command line under the same names. What an option does is decided in
`pipeline.py`; this module only knows which values make sense.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from types import NoneType, UnionType
from typing import get_args, get_origin, get_type_hints

from paddock.engines.inlining.engines import ENGINES, Engine, with_merge
from paddock.engines.inlining.merging import MERGES, Merge
from paddock.ir.origin import Diagnostic, InputError

CHOICES = ("trace", "core", "both")
ORDERS = ("forward", "backward", "auto")
GOALS = ("assertion", "return")
REFINEMENTS = ("alg2", "alg1", "storm", "core", "none")
DATA_MODELS = ("lp64", "ilp32")
INTEGERS = ("bits", "math")
MISSING_BODIES = ("havoc", "error")
UNSUPPORTED = ("error", "havoc")
CHECKS = (
    *("assert", "unreach", "bounds", "pointer", "overflow", "unsigned-overflow", "conversion", "div-by-zero"),
    *("shift", "bit-count", "leak", "all"),
)

EXECUTORS = ("local", "ray")
GAMBLE_FACTS = ("where", "ranges", "kept", "proved", "houdini")


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a check. Raises `InputError` for values that make no sense.

    `unwind`, if given, takes the place of `recursion_bound` for loops: N complete iterations. Otherwise, with
    `constant_loops`, loops with a constant number of iterations run to their end. A `goal` of None asks for assertions
    and falls back to `return` where a program has none but marks its end as a goal. With `all_assertions`, each
    assertion gets a verdict of its own instead of the first bug ending the search; if they are `independent`, as if the
    others were not there, else on executions on which those before it hold. With `houdini`, summaries are inferred
    first, for `houdini_timeout` seconds at most, also from `candidates` in a file. With `gamble`, assertions are tried
    in regions first, `jobs` of them at a time, each for `gamble_timeout` seconds at most. With `implications`,
    assertions are checked one by one in an `order`, but for those that others imply. Implications are looked for
    between assertions with no more than `threshold` instructions between, for `query_timeout` seconds each; `extended`
    says whether beyond the assertion-implications paper's Definition 2. `refine` says how to find the globals to track,
    if not all are; `track` names those that are from the start.
    """

    entry: str | None = None
    engine: str | Engine = "dag"
    merge: str | Merge = "first"
    data_disjointness: bool = False
    share_early: bool = True
    choose: str | None = None  # None: core in C programs, else both if assertions are lifted, else trace
    traces: int | None = None  # None: two if traces alone say what to inline, else one
    recursion_bound: int = 8
    unwind: int | None = None
    constant_loops: bool = True
    contexts: int = 2  # of each thread of a concurrent program, at most
    preemptive: bool | None = None  # None: if the program has no `yield`
    unwinding_assertions: bool = False
    facts: bool | None = None  # None: unless the program comes with summaries
    goal: str | None = None
    all_assertions: bool = False
    independent: bool = False
    timeout: float | None = None  # seconds
    memory: int | None = None  # megabytes
    jobs: int | None = None  # as many as there are processors; for implications, one
    gamble: bool = False
    gamble_timeout: float | None = 60.0  # seconds, for one region
    gamble_facts: tuple[str, ...] = GAMBLE_FACTS
    backend: str = "paddock"
    executor: str = "local"
    ray_address: str | None = None
    refine: str = "none"
    track: tuple[str, ...] = ()
    houdini: bool = False
    houdini_timeout: float | None = 60.0  # seconds
    candidates: str | None = None  # a file
    deep_asserts: bool | None = None  # None: unless assertions must stay where they are
    implications: bool = False
    order: str = "auto"
    threshold: int = 100
    query_timeout: float = 1.0  # seconds
    extended: bool | None = None  # None: only where the implications themselves are asked for
    solver: str = "z3"
    seed: int = 0
    dump_smt: str | None = None  # a folder
    verbose: bool = False
    # Of Boogie programs:
    check_modifies: bool = False
    # Of C programs:
    include_folders: tuple[str, ...] = ()
    definitions: tuple[str, ...] = ()  # NAME or NAME=VALUE
    included_files: tuple[str, ...] = ()
    std: str = "gnu11"
    compile_commands: str | None = None  # a file
    data_model: str = "lp64"
    checks: tuple[str, ...] = ("assert",)
    integers: str = "bits"
    missing_bodies: str = "havoc"
    unsupported: str = "error"
    malloc_may_fail: bool = False
    harness: str | None = None  # a file to write

    def __post_init__(self) -> None:
        problems = [Diagnostic(message, hint=hint) for message, hint in self._problems()]
        if problems:
            raise InputError(problems)

    @property
    def search_engine(self) -> Engine:
        """The engine, with the merging strategy if it takes one."""
        if not isinstance(self.engine, str):
            return self.engine
        return with_merge(ENGINES[self.engine], MERGES[self.merge] if isinstance(self.merge, str) else self.merge)

    def lifts(self, goal: str) -> bool:
        """Whether assertions are lifted to the entry. Alternating search goes up from where they are by itself, and
        implications are looked for where they are."""
        by_default = self.search_engine.lifts_assertions and not self.implications
        return goal == "assertion" and (by_default if self.deep_asserts is None else self.deep_asserts)

    def choice(self, goal: str, suits: str | None = None) -> str:
        """What to inline next. Paths to lifted assertions pass many calls that have nothing to do with them. `suits` is
        what suits the language of the program, if anything does."""
        if self.choose is None and suits is not None and (suits != "core" or self.traces in (None, 1)):
            return suits
        return self.choose or ("both" if self.lifts(goal) else "trace")

    def traces_at_a_time(self, goal: str, suits: str | None = None) -> int:
        """How many traces say what to inline next. Two save rounds; where other things have a say, too, one will do."""
        return self.traces or (2 if self.choice(goal, suits) == "trace" else 1)

    @property
    def completes_constant_loops(self) -> bool:
        """Whether loops with a constant number of iterations run to their end, whatever the bound for others."""
        return self.constant_loops and self.unwind is None and not self.unwinding_assertions

    @property
    def iterations(self) -> int:
        """How many iterations of a loop may be completed."""
        return self.loop_bound - 1

    @property
    def loop_bound(self) -> int:
        """How many activations of one loop may be on the stack: one more than its complete iterations."""
        return self.recursion_bound if self.unwind is None else self.unwind + 1

    def _problems(self) -> Iterator[tuple[str, str]]:
        """What is wrong, each with a hint (perhaps empty)."""
        wrong = [(name, type_) for name, type_ in _types().items() if not _is_of(getattr(self, name), type_)]
        for name, type_ in wrong:
            yield f"{flag(name)} must be {_described(type_)}, not {getattr(self, name)!r}", ""
        if not wrong:
            yield from self._senseless()

    def _senseless(self) -> Iterator[tuple[str, str]]:
        """Values of the right types that make no sense."""
        choices = (
            ("engine", tuple(ENGINES)),
            ("merge", tuple(MERGES)),
            ("choose", (None, *CHOICES)),
            ("goal", (None, *GOALS)),
            ("refine", REFINEMENTS),
            ("order", ORDERS),
            ("data_model", DATA_MODELS),
            ("integers", INTEGERS),
            ("missing_bodies", MISSING_BODIES),
            ("unsupported", UNSUPPORTED),
            ("executor", EXECUTORS),
        )
        unknown = [(name, allowed) for name, allowed in choices if self._is_unknown(name, allowed)]
        for name, allowed in unknown:
            value, known = getattr(self, name), [str(a) for a in allowed if a is not None]
            yield f"{flag(name)} {value} is unknown: choose from {', '.join(known)}", did_you_mean(value, known)
        for check in self.checks:
            if check not in CHECKS:
                yield f"--checks {check} is unknown: choose from {', '.join(CHECKS)}", did_you_mean(check, list(CHECKS))
        for fact in self.gamble_facts:
            if fact not in GAMBLE_FACTS:
                known = list(GAMBLE_FACTS)
                yield f"--gamble-facts {fact} is unknown: choose from {', '.join(known)}", did_you_mean(fact, known)
        if self.recursion_bound < 1:
            yield f"--recursion-bound must be at least 1, not {self.recursion_bound}", ""
        if self.traces is not None and self.traces < 1:
            yield f"--traces must be at least 1, not {self.traces}", ""
        elif self.traces is not None and self.traces > 1 and self.choose == "core":
            yield f"--traces {self.traces} makes no sense: --choose core asks for no trace", ""
        if self.contexts < 1:
            yield f"--contexts must be at least 1, not {self.contexts}", ""
        if self.unwind is not None and self.unwind < 0:
            yield f"--unwind must be at least 0, not {self.unwind}", ""
        if self.timeout is not None and not 0 < self.timeout < math.inf:
            yield f"--timeout must be a number of seconds above 0, not {self.timeout:g}", ""
        if self.houdini_timeout is not None and not 0 < self.houdini_timeout < math.inf:
            yield f"--houdini-timeout must be a number of seconds above 0, not {self.houdini_timeout:g}", ""
        if not unknown:
            yield from self._senseless_with_implications()
        if self.threshold < 1:
            yield f"--threshold must be at least 1, not {self.threshold}", ""
        if not 0 < self.query_timeout < math.inf:
            yield f"--query-timeout must be a number of seconds above 0, not {self.query_timeout:g}", ""
        if self.candidates is not None and not self.houdini:
            yield "--candidates is for summaries, which only --houdini infers", ""
        if self.memory is not None and self.memory < 1:
            yield f"--memory must be at least 1 megabyte, not {self.memory}", ""
        if self.gamble_timeout is not None and not 0 < self.gamble_timeout < math.inf:
            yield f"--gamble-timeout must be a number of seconds above 0, not {self.gamble_timeout:g}", ""
        if self.jobs is not None and self.jobs < 1:
            yield f"--jobs must be at least 1, not {self.jobs}", ""
        elif self.jobs is not None and self.jobs > 1 and not (self.gamble or self.implications):
            yield f"--jobs {self.jobs} is for regions and implications, with --gamble or --implications", ""
        if self.seed < 0:
            yield f"--seed must be at least 0, not {self.seed}", ""
        if self.executor != "local" and not self.gamble:
            yield f"--executor {self.executor} is for regions, which only --gamble tries", ""
        if self.ray_address is not None and self.executor != "ray":
            yield "--ray-address is for --executor ray", ""
        if not self.backend.strip():
            yield "--backend must name a verifier or a command", ""
        elif self.backend != "paddock" and not self.gamble:
            yield f"--backend {self.backend} is for regions, which only --gamble tries", ""
        if not self.solver.strip():
            yield "--solver must name a solver or a command", ""
        if self.all_assertions and self.goal == "return":
            yield "--all-assertions asks about assertions, not about --goal return", ""
        if self.independent and not self.all_assertions:
            yield "--independent is about the verdicts of single assertions: say --all-assertions, too", ""
        if self.independent and self.harness is not None:
            yield "--harness stops at the first assertion that fails, but --independent goes on behind it", ""
        if not all(self.track):
            yield "--track must name globals, separated by commas", ""
        if self.track and self.refine == "none":
            yield "--track says where refinement starts, but --refine none tracks all globals", ""
        if self.entry == "":
            yield "--entry must name a procedure", ""

    def _is_unknown(self, name: str, allowed: Sequence[object]) -> bool:
        """Whether a field names something that there is not. Engines and merging strategies may be objects."""
        value = getattr(self, name)
        return isinstance(value, str | None) and value not in allowed

    def _senseless_with_implications(self) -> Iterator[tuple[str, str]]:
        """What does not go together with checking assertions one by one, or is only for that."""
        if not self.implications:
            for name in ("order", "threshold", "query_timeout", "extended"):
                if getattr(self, name) != _default(name):
                    yield f"{flag(name)} is for implications: say --implications, too", ""
            return
        if not self.all_assertions:
            yield "--implications is for many assertions: say --all-assertions, too", ""
        if not self.search_engine.needs_error_bit:
            name = self.search_engine.name
            yield f"--implications asks one search of one assertion after the other, but --engine {name} cannot", ""
        if self.dump_smt is not None and self.jobs is not None and self.jobs > 1:
            yield f"--dump-smt numbers the queries of one process, not those of --jobs {self.jobs}", ""
        for name, is_set in (
            ("--refine", self.refine != "none"),
            ("--deep-asserts", self.deep_asserts),
            ("--gamble", self.gamble),
        ):
            if is_set:
                yield f"--implications and {name} cannot be combined", ""


def _default(name: str) -> object:
    return Options.__dataclass_fields__[name].default


@cache
def _types() -> dict[str, object]:
    return get_type_hints(Options)


def _is_of(value: object, type_: object) -> bool:
    """Whether a value is of an option's type: a class, a tuple of texts, or one of several types."""
    if isinstance(type_, UnionType):
        return any(_is_of(value, one) for one in get_args(type_))
    if get_origin(type_) is tuple:
        return isinstance(value, tuple) and all(isinstance(v, str) for v in value)
    if type_ is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    return isinstance(value, type_) and (type_ is bool or not isinstance(value, bool))  # type: ignore[arg-type]


def _described(type_: object) -> str:
    one = next(t for t in get_args(type_) if t is not NoneType) if isinstance(type_, UnionType) else type_
    words: dict[object, str] = {int: "a whole number", float: "a number", str: "a text", bool: "True or False"}
    return words.get(one, "a tuple of texts")


def flag(field: str) -> str:
    """How the command line spells a field."""
    return "--" + field.replace("_", "-")


def did_you_mean(word: str, known: list[str]) -> str:
    """A hint that names the known word nearest to a misspelt one; empty if none is near."""
    near = get_close_matches(word, known, n=1)
    return f"did you mean {near[0]}?" if near else ""
