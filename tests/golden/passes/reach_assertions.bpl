// RUN: transform --pass reach-assertions
// The conditions of assertions go; contracts stay.
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
  assert g > 0;
}
