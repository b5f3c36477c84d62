"""Boogie as a judge, where it is installed: of verdicts on programs with specifications, and of what is a program."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.property.boogie_oracle import BATCH, disagreements, refusal_disagreement, refusal_text
from tests.property.boogie_tool import BOOGIE

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
