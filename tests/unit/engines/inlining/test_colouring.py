"""Colourings are right, and the fewest colours are used where a graph is small."""

from __future__ import annotations

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from paddock.engines.inlining.colouring import EXACT_UP_TO, bits_of, colour


@st.composite
def graphs(draw: st.DrawFn, most: int) -> list[int]:
    count = draw(st.integers(0, most))
    pairs = [(a, b) for a in range(count) for b in range(a)]
    chosen = draw(st.lists(st.sampled_from(pairs), max_size=3 * count)) if pairs else []
    neighbours = [0] * count
    for a, b in chosen:
        neighbours[a] |= 1 << b
        neighbours[b] |= 1 << a
    return neighbours


def _is_right(neighbours: list[int], colours: list[int] | tuple[int, ...]) -> bool:
    return all(colours[a] != colours[b] for a, bits in enumerate(neighbours) for b in bits_of(bits))


@settings(max_examples=60)
@given(graphs(EXACT_UP_TO + 20))
def test_neighbours_differ(neighbours: list[int]) -> None:
    colours = colour(neighbours)
    assert len(colours) == len(neighbours)
    assert _is_right(neighbours, colours)
    assert set(colours) == set(range(len(set(colours))))


@settings(max_examples=60)
@given(graphs(6))
def test_no_colouring_has_fewer_colours(neighbours: list[int]) -> None:
    fewer = len(set(colour(neighbours))) - 1
    assert not any(
        _is_right(neighbours, other) for other in product(range(fewer), repeat=len(neighbours)) if neighbours
    )


def test_the_graph_of_the_paper() -> None:
    """Fig. 5: A and B can share, and so can C and D; B and C could, too, but that would leave A and D apart."""
    a_to_d = [0b1100, 0b1000, 0b0001, 0b0011]
    colours = colour(a_to_d)
    assert len(set(colours)) == 2


def test_a_large_graph_of_two_colours() -> None:
    left = (1 << 300) - 1
    neighbours = [left << 300] * 300 + [left] * 300
    assert colour(neighbours) == [0] * 300 + [1] * 300
