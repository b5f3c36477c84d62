"""A frozen class is what `dataclass(frozen=True, slots=True)` makes of it: both are asked the same."""

from __future__ import annotations

import copy
import inspect
import math
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, dataclass, field, fields, is_dataclass, replace
from typing import Any, ClassVar

import pytest

from paddock.frozen import frozen

MAKERS: list[Callable[[type], Any]] = [dataclass(frozen=True, slots=True), frozen]
makers = pytest.mark.parametrize("maker", MAKERS, ids=["dataclass", "frozen"])


def point(maker: Callable[[type], Any]) -> Any:
    @maker
    class Point:
        """A point."""

        kind: ClassVar[str] = "point"
        x: float
        y: float = 0
        names: list[str] = field(default_factory=list, compare=False)
        place: str = field(default="", repr=False)

    return Point


@frozen
class Pair:
    left: object
    right: object = None


@frozen
class Checked:
    number: int
    square: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "square", self.number**2)


@frozen(eq=False)
class Node:
    label: str


@makers
def test_construction_and_text(maker: Callable[[type], Any]) -> None:
    kind = point(maker)
    assert repr(kind(1)).endswith("Point(x=1, y=0, names=[])")
    assert repr(kind(1, place="a", y=2)).endswith("Point(x=1, y=2, names=[])")
    assert kind(1).names is not kind(1).names
    assert not hasattr(kind(1), "__dict__")
    for arguments in [(), (1, 2, [], "", 5)]:
        with pytest.raises(TypeError):
            kind(*arguments)
    with pytest.raises(TypeError):
        kind(1, z=2)
    assert list(inspect.signature(kind).parameters) == ["x", "y", "names", "place"]


@makers
def test_equality_and_hashes(maker: Callable[[type], Any]) -> None:
    kind = point(maker)
    assert kind(1, names=["a"]) == kind(1.0, names=["b"])
    assert hash(kind(1)) == hash(kind(1.0))
    assert kind(1) != kind(2)
    assert kind(1) != (1, 0, [], "")
    assert kind(math.nan) != kind(float("nan"))
    assert point(maker)(1) != kind(1), "of another class"


@makers
def test_a_value_that_is_not_equal_to_itself(maker: Callable[[type], Any]) -> None:
    @maker
    class One:
        value: float

    nan = math.nan
    assert One(nan) == One(nan)
    assert One(nan) in {One(nan)}


@makers
def test_nothing_can_be_changed(maker: Callable[[type], Any]) -> None:
    made = point(maker)(1)
    with pytest.raises(FrozenInstanceError):
        made.x = 2
    with pytest.raises(FrozenInstanceError):
        del made.x
    assert replace(made, y=3) == point(maker)(1, 3) or replace(made, y=3).y == 3
    assert made.y == 0


@makers
def test_what_dataclasses_and_patterns_see(maker: Callable[[type], Any]) -> None:
    kind = point(maker)
    assert is_dataclass(kind)
    assert [f.name for f in fields(kind)] == ["x", "y", "names", "place"]
    match kind(1, 2):
        case kind(x, y):
            assert (x, y) == (1, 2)

    @dataclass(frozen=True)
    class Above(kind):  # type: ignore[misc]
        z: int = 0

    assert (Above(1, z=4).x, Above(1, z=4).z) == (1, 4)


@makers
def test_inheritance(maker: Callable[[type], Any]) -> None:
    @maker
    class Below(point(maker)):  # type: ignore[misc]
        z: int = 5

    assert Below(1).z == 5
    assert [f.name for f in fields(Below)] == ["x", "y", "names", "place", "z"]
    assert Below(1, z=6) != Below(1)
    assert "z=5" in repr(Below(1))


@makers
def test_methods_of_its_own_stay(maker: Callable[[type], Any]) -> None:
    @maker
    class Word:
        text: str

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Word) and self.text.lower() == other.text.lower()

        def __hash__(self) -> int:
            return 7

        def __repr__(self) -> str:
            return self.text

    assert Word("A") == Word("a")
    assert (hash(Word("A")), repr(Word("A"))) == (7, "A")


@pytest.mark.parametrize("made", [Pair(1, (2, 3)), Pair(Pair(1)), Checked(3)])
def test_copies(made: object) -> None:
    for other in (pickle.loads(pickle.dumps(made)), copy.copy(made), copy.deepcopy(made)):
        assert (other, type(other)) == (made, type(made))


def test_what_is_set_after_construction() -> None:
    assert Checked(3).square == 9
    assert replace(Checked(3), number=4).square == 16


def test_identity_instead_of_equality() -> None:
    node = Node("a")
    assert node == node
    assert node != Node("a")
    assert len({node, node, Node("a")}) == 2
