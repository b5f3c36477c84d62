// RUN: transform --pass coverage-goals:criterion=line
// A line has one goal, wherever executions come to it.
var g: int;

procedure P(x: int) returns (y: int)
  requires x > 0;
  modifies g;
  ensures y > x;
{
  y := x + g;
  while (*)
    invariant y > 0;
  {
    assert y != 5;
  }
  if (g > 0) {
    g := 0;
  }
}
