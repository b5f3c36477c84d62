from paddock.ir.names import FreshNames


def test_fresh_names() -> None:
    fresh = FreshNames(["x", "x#2"])
    assert [fresh("x"), fresh("x"), fresh("y"), fresh("y"), fresh("x#1")] == ["x#1", "x#3", "y", "y#1", "x#1#1"]


def test_names_that_are_numbered_from_one() -> None:
    fresh = FreshNames(["x"], separator=".", first=2)
    assert [fresh("x"), fresh("y.1"), fresh("y.1"), fresh("y.1"), fresh("y")] == ["x.2", "y.1", "y.2", "y.3", "y"]
