// Control flow: loops, breaks out of several, gotos, irreducible loops, what is not reached.
var g: int;

procedure {:verdict "proved"} break_of_two_levels()
{
  var i, j: int;
  i := 0;
  outer: while (true) {
    j := 0;
    while (true) {
      if (i + j == 3) { break outer; }
      if (j == 2) { break; }
      j := j + 1;
    }
    i := i + 1;
  }
  assert i == 1 && j == 2;
}

procedure {:verdict "bug"} break_of_two_levels_may_fail(n: int)
{
  var i, j: int;
  i := 0;
  outer: while (i < 3) {
    j := 0;
    while (j < 3) {
      if (i * 3 + j == n) { break outer; }
      j := j + 1;
    }
    i := i + 1;
  }
  assert i != 2 || j != 1;
}

procedure {:verdict "bug"} irreducible(b: bool)
{
  var x: int;
  start: x := 0; goto left, right;
  left: assume b; x := x + 1; goto right, end;
  right: x := x + 2; goto left, end;
  end: assert x != 5; return;
}

procedure {:verdict "proved"} irreducible_but_right(b: bool)
{
  var x: int;
  start: x := 0; goto left, right;
  left: assume x < 6; x := x + 2; goto right, end;
  right: assume x < 6; x := x + 2; goto left, end;
  end: assert x mod 2 == 0 && x <= 6; return;
}

procedure {:verdict "proved"} unreachable()
{
  if (false) { assert false; }
  return;
  assert false;
}

procedure {:verdict "proved"} contradictory_assumptions(x: int)
{
  assume x > 0;
  assume x < 0;
  assert false;
}

procedure {:verdict "proved"} endless_loop(x: int)
{
  while (true) { }
  assert false;
}

procedure {:verdict "proved"} dead_end()
{
  start: goto left, right;
  left: assume false; goto right;
  right: assert true; goto left;
}

procedure {:verdict "bug"} before_the_end(x: int)
{
  assert x != 3;
  assume false;
}

procedure {:verdict "bug"} loop_with_a_condition_of_its_own()
{
  var i: int;
  i := 0;
  while (*) { i := i + 1; }
  assert i != 4;
}

procedure {:verdict "proved"} loop_in_a_loop()
{
  var i, j, n: int;
  i, n := 0, 0;
  while (i < 3) {
    j := 0;
    while (j < i) { n := n + 1; j := j + 1; }
    i := i + 1;
  }
  assert n == 3;
}

procedure {:verdict "bug"} invariant_fails()
{
  var i: int;
  i := 0;
  while (i < 5)
    invariant i != 3;
  { i := i + 1; }
}

procedure {:verdict "proved"} free_invariant()
{
  var i: int;
  i := 0;
  while (i < 5)
    free invariant i != 3;
  { i := i + 1; }
  assert false;
}

procedure {:verdict "proved"} if_else_chain(x: int)
{
  var y: int;
  if (x < 0) { y := -1; } else if (x == 0) { y := 0; } else { y := 1; }
  assert x * y >= 0 && (y == 0 <==> x == 0);
}

procedure {:verdict "bug"} choice()
{
  var y: int;
  if (*) { y := 1; } else { y := 2; }
  assert y == 1;
}

procedure {:verdict "proved"} goto_out_of_a_loop(n: int)
{
  var i: int;
  i := 0;
  while (i < 4) {
    if (i == n) { goto found; }
    i := i + 1;
  }
  assert n < 0 || n > 3;
  return;
  found: assert i == n;
}
