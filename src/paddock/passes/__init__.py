"""Transformations of programs, one file each; `registry.py` lists them by name.

Passes are functions of this module, too: `paddock.passes.facts(program)`. What is not asked for is not loaded.
"""

import sys
from importlib import import_module
from types import ModuleType

TYPE_CHECKING = False  # as in `typing`, which takes time to import
if TYPE_CHECKING:
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
    from paddock.passes.registry import PASSES, run_passes
    from paddock.passes.split_failures import split_failures
    from paddock.passes.switch_assertions import switch_assertions

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

# The modules of those names that are not the only one of a module of the same name.
_MODULES = {
    "PASSES": "registry",
    "Pass": "plan",
    "Plan": "plan",
    "parameterise_globals": "abstract_globals",
    "run_passes": "registry",
}


class _Room(ModuleType):
    """A pass stands for itself, not for the module of the same name, which Python would put in its place."""

    def __setattr__(self, name: str, value: object) -> None:
        if not (isinstance(value, ModuleType) and name in __all__):
            super().__setattr__(name, value)


def __getattr__(name: str) -> object:
    if name in __all__:
        return getattr(import_module(f"{__name__}.{_MODULES.get(name, name)}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


sys.modules[__name__].__class__ = _Room
