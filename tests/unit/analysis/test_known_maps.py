"""Maps of which some elements are known agree with dictionaries, whatever is stored in which order."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from paddock.analysis.known_maps import KnownMap

stores = st.lists(st.tuples(st.integers(0, 5), st.one_of(st.none(), st.integers(0, 2))), max_size=40)


def made(default: int | None, pairs: list[tuple[int, int | None]]) -> KnownMap:
    map_ = KnownMap(default)
    for index, value in pairs:
        map_ = map_.stored((index,), value)
    return map_


@settings(max_examples=100)
@given(default=st.one_of(st.none(), st.just(1)), pairs=stores, others=stores)
def test_elements(
    default: int | None, pairs: list[tuple[int, int | None]], others: list[tuple[int, int | None]]
) -> None:
    one, two = made(default, pairs), made(1, others)
    both = one.common(two)
    for index in range(7):
        expected, other = dict(pairs).get(index, default), dict(others).get(index, 1)
        assert one.element((index,)) == expected
        assert both.element((index,)) == (expected if expected == other else None)


def test_a_store_leaves_the_map_before_as_it_is() -> None:
    before = made(0, [(1, 5), (2, 6)])
    assert before.stored((1,), 7).element((1,)) == 7
    assert before.element((1,)) == 5


def test_a_long_row_of_stores() -> None:
    map_ = made(None, [(n, n) for n in range(10_000)])
    assert [map_.element((n,)) for n in (0, 9_999, 10_000)] == [0, 9_999, None]
