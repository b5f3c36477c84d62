"""Boogie as a judge, where it is installed: of verdicts on programs with specifications, and of what is a program."""

from __future__ import annotations

from collections import Counter

import pytest

import paddock
from paddock.driver import pipeline
from tests.property.boogie_oracle import BATCH, disagreements, refusal_disagreement, refusal_text
from tests.property.boogie_tool import BOOGIE, judged
from tests.property.contract_programs import contract_program

pytestmark = pytest.mark.skipif(BOOGIE is None, reason="boogie is not installed")


def test_verdicts() -> None:
    assert list(disagreements(range(BATCH), Counter())) == []


@pytest.mark.slow
@pytest.mark.parametrize("start", range(BATCH, 1000, BATCH))
def test_more_verdicts(start: int) -> None:
    assert list(disagreements(range(start, start + BATCH), Counter())) == []


@pytest.mark.parametrize("seed", range(8))
def test_what_is_refused(seed: int) -> None:
    reason = refusal_disagreement(seed, Counter())
    assert not reason, f"{reason}\n{refusal_text(seed)}"


@pytest.mark.slow
@pytest.mark.parametrize("start", range(8, 408, 20))
def test_more_of_what_is_refused(start: int) -> None:
    for seed in range(start, start + 20):
        reason = refusal_disagreement(seed, Counter())
        assert not reason, f"seed {seed}: {reason}\n{refusal_text(seed)}"


@pytest.mark.parametrize("passes", [[], ["check-specs"], ["check-specs", "extract-loops", "prune"]])
def test_what_is_printed_is_accepted(passes: list[str]) -> None:
    """Also where the program had no `modifies` clauses, and says nothing else than what it did."""
    texts = [contract_program(seed).text for seed in range(BATCH)]
    without = "\n".join(line for text in texts for line in text.split("\n") if "modifies" not in line)
    assert "modifies" in judged(without, verify=False).refused
    program = pipeline.transform(paddock.load(without), passes, entry="main_0")
    assert judged(paddock.program_text(program), verify=False).refused == ""
