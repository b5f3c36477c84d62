"""Transformations of programs, one file each; `registry.py` lists them by name.

The registry loads every pass, which takes time, so it is loaded when it is first asked for.
"""

from importlib import import_module

from paddock.passes.abstract_globals import abstract_globals, parameterise_globals
from paddock.passes.bound_loops import bound_loops
from paddock.passes.check_specs import check_specs
from paddock.passes.deep_asserts import deep_asserts
from paddock.passes.error_bit import error_bit
from paddock.passes.extract_loops import extract_loops
from paddock.passes.facts import facts
from paddock.passes.infer_modifies import infer_modifies
from paddock.passes.lower import lower
from paddock.passes.merge_implementations import merge_implementations
from paddock.passes.offer_candidates import offer_candidates
from paddock.passes.plan import Pass, Plan
from paddock.passes.prune import prune
from paddock.passes.split_failures import split_failures
from paddock.passes.switch_assertions import switch_assertions

TYPE_CHECKING = False  # as in `typing`, which takes time to import
if TYPE_CHECKING:
    from paddock.passes.registry import PASSES, run_passes

__all__ = [
    "PASSES",
    "Pass",
    "Plan",
    "abstract_globals",
    "bound_loops",
    "check_specs",
    "deep_asserts",
    "error_bit",
    "extract_loops",
    "facts",
    "infer_modifies",
    "lower",
    "merge_implementations",
    "offer_candidates",
    "parameterise_globals",
    "prune",
    "run_passes",
    "split_failures",
    "switch_assertions",
]


def __getattr__(name: str) -> object:
    if name in ("PASSES", "run_passes"):
        return getattr(import_module("paddock.passes.registry"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
