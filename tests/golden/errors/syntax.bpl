// RUN: check
var x int;

procedure main()
{
  x := 1
  assert x == 1;
  if x > 0 { x := 2; }
  while (x > 0) invariant x > 0 { x := x - 1; }
}

function f(x: int): int
  x + 1
