// `old`: the state at the entry of the procedure it stands in, also in loops, calls, and contracts.
var g: int;
var h: int;

procedure Increase(by: int)
  modifies g;
  ensures g == old(g) + by;
{
  g := g + by;
  assert old(g) == g - by;
}

procedure Twice()
  modifies g;
  ensures g == old(g) + 3;
{
  call Increase(1);
  assert old(g) == g - 1;
  call Increase(2);
}

procedure Wrong()
  modifies g;
  ensures g == old(g) + 1;
{
  call Increase(1);
  call Increase(1);
}

procedure {:verdict "proved"} nested_calls()
  modifies g;
{
  var before: int;
  before := g;
  call Twice();
  call Twice();
  assert g == before + 6 && before == old(g);
}

procedure {:verdict "bug"} wrong_postcondition()
  modifies g;
{
  call Wrong();
}

procedure {:verdict "proved"} in_a_loop()
  modifies g;
{
  var i: int;
  i := 0;
  while (i < 3)
    invariant g == old(g) + i;
  {
    g := g + 1;
    i := i + 1;
  }
  assert g == old(g) + 3;
}

procedure {:verdict "bug"} in_a_loop_may_fail()
  modifies g, h;
{
  var i: int;
  i := 0;
  h := 1;
  while (i < 2) {
    assert g == old(g) || h != 1;
    g := g + h;
    i := i + 1;
  }
}

procedure {:verdict "proved"} of_an_expression()
  modifies g, h;
{
  g, h := h, g;
  assert old(g + h) == g + h && old(g) == h && old(old(g)) == h;
}

procedure {:verdict "bug"} of_what_was_there()
  modifies g;
{
  g := g + 1;
  call Increase(1);
  assert old(g) + 2 != 7;
}

procedure Count(n: int)
  modifies g;
  ensures n >= 0 ==> g == old(g) + n;
{
  if (n > 0) {
    g := g + 1;
    call Count(n - 1);
    assert g == old(g) + n;
  }
}

procedure {:verdict "proved"} in_recursion()
  modifies g;
{
  call Count(4);
  assert g == old(g) + 4;
}

procedure {:verdict "proved"} of_a_local(x: int)
  modifies g;
{
  var y: int;
  y := x;
  g := 0;
  y := y + 1;
  assert old(y) == x + 1;
}

procedure {:verdict "bug"} in_a_loop_at_the_start()
  modifies g;
{
  head: g := g + 1; goto head, next;
  next: assert g != old(g) + 3; goto head;
}
