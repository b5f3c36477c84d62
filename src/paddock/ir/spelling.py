"""Hints for words that are not known: the known one that is spelled nearly the same."""

from __future__ import annotations

from collections.abc import Iterable

NEAR = 0.6  # how much of two words has to agree


def did_you_mean(word: str, known: Iterable[str], quote: str = "", near: float = NEAR) -> str:
    """A hint that names the known word nearest to a misspelt one, in quotes; empty if none is near.

    >>> did_you_mean("prnue", ["prune", "lower"], "`")
    'did you mean `prune`?'
    """
    from difflib import get_close_matches  # which takes time to import

    close = get_close_matches(word, list(known), n=1, cutoff=near)
    return f"did you mean {quote}{close[0]}{quote}?" if close else ""
