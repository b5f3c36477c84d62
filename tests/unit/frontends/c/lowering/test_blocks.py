"""Blocks while they are made, and marks that take them apart again."""

from __future__ import annotations

from paddock.frontends.c.lowering.blocks import Blocks, finished, started_with
from paddock.frontends.c.lowering.locals import Locals, numbered_names
from paddock.frontends.c.lowering.marks import Marks
from paddock.ir.build import TRUE, int_lit
from paddock.ir.expr import App, Op, Scope, Var
from paddock.ir.printer import statement_text
from paddock.ir.stmt import Assign, Call, Goto, Return
from paddock.ir.types import BOOL, INT

GLOBAL = Var("g", INT, Scope.GLOBAL)


def made() -> tuple[Blocks, Marks]:
    blocks = Blocks(Locals(["taken"]))
    blocks.open("start")
    return blocks, Marks(blocks)


def text(blocks: Blocks) -> list[str]:
    return [statement_text(s).strip() for block in blocks.made for s in block.statements]


def test_names_are_told_apart_by_numbers() -> None:
    names = numbered_names(["x"])
    assert [names("x"), names("x"), names("y"), names("t.1"), names("t.1")] == ["x.2", "x.3", "y", "t.1", "t.2"]


def test_locals_avoid_what_is_taken() -> None:
    locals_ = Locals(["taken"])
    assert locals_.declare("taken", INT).name == "taken.2"
    assert list(locals_.declared) == ["taken.2"]


def test_the_result_of_a_call_goes_directly_where_it_belongs() -> None:
    blocks, _ = made()
    result = blocks.result(INT)
    blocks.emit(Call("f", (), (result,)))
    blocks.assign(GLOBAL, result)
    assert text(blocks) == ["call g := f();"]
    assert not blocks.locals.declared
    blocks.assign(GLOBAL, result)  # used once already: an assignment as any other
    assert text(blocks)[1:] == ["g := result.1;"]


def test_a_value_that_is_changed_later_is_saved_where_it_was() -> None:
    blocks, marks = made()
    mark = marks.mark()
    blocks.assign(GLOBAL, int_lit(2))
    kept, _ = marks.kept(GLOBAL, mark)
    assert text(blocks) == ["t.1 := g;", "g := 2;"]
    assert kept is not GLOBAL


def test_a_value_that_nothing_changes_is_not_saved() -> None:
    blocks, marks = made()
    local = blocks.locals.declare("x", INT)
    mark = marks.mark()
    blocks.assign(GLOBAL, int_lit(2))
    assert marks.kept(local, mark) == (local, mark)
    assert marks.lasting(local) is local
    assert marks.lasting(App(Op.ADD, (GLOBAL, local), INT)) is not GLOBAL  # whatever is written to globals later
    assert text(blocks) == ["g := 2;", "t.1 := g + x;"]


def test_a_call_may_change_globals() -> None:
    blocks, marks = made()
    mark = marks.mark()
    assert marks.unchanged(mark)
    blocks.emit(Call("f", ()))
    assert not marks.unchanged(mark)
    assert marks.may_differ(GLOBAL, mark)


def test_what_was_emitted_becomes_a_block_of_its_own() -> None:
    blocks, marks = made()
    blocks.put(GLOBAL, int_lit(1))
    mark = marks.mark()
    blocks.put(GLOBAL, int_lit(2))
    marks.split(mark, "later", closed_by=Goto(("later",)))
    assert [(b.label, len(b.statements)) for b in blocks.made] == [("start", 1), ("later", 1)]
    assert marks.insert(mark, Assign((GLOBAL,), (int_lit(3),))).statement == mark.statement + 1
    assert text(blocks) == ["g := 1;", "g := 3;", "g := 2;"]


def test_only_blocks_that_are_reached_and_do_something_are_left() -> None:
    blocks, _ = made()
    condition = Var("c", BOOL, Scope.LOCAL)
    blocks.fork(condition, "then", "else")
    blocks.enter("then", condition)
    blocks.goto("end")
    blocks.open("else")  # does nothing
    blocks.goto("end")
    blocks.open("end")
    blocks.close(Return())
    blocks.put(GLOBAL, int_lit(1))  # in a block that nothing leads to
    blocks.close(Return())
    done = finished(blocks.made)
    assert [block.label for block in done] == ["start", "then", "end"]
    assert done[0].transfer == Goto(("then", "end"), origin=done[0].transfer.origin)
    assert started_with("end", blocks.made)[0].label == "end"


def test_a_condition_that_is_known_costs_no_branch() -> None:
    blocks, _ = made()
    blocks.fork(TRUE, "then", "else")
    assert blocks.made[-1].transfer == Goto(("then",), origin=blocks.origin)
