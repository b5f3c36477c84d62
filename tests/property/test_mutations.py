"""Whatever is done to a program, a verdict or a message comes out of it, never a traceback."""

from __future__ import annotations

import pytest

from tests.property.mutation_fuzz import tried_seeds


@pytest.mark.parametrize("language", ["boogie"])
def test_mutated_programs(language: str) -> None:
    found = tried_seeds(range(150), language)
    assert not [(seed, detail) for seed, _, detail in found if detail]
    kinds = {kind for _, kind, _ in found}
    # Some edits must pass the front end, and some must not: else nothing has been tried.
    assert {"refused", "proved"} <= kinds
