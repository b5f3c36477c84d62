// RUN: check
datatype List { Nil(), Cons(head: int, tail: List) }

procedure main(list: List)
{
  assume list is Cons && list->head == 1 && list->tail == Cons(2, Nil());
  assert list->head >= list->tail->head;
}
