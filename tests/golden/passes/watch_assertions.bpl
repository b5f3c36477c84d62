// RUN: transform --pass watch-assertions
// What is checked is not assumed anywhere else, but for the entry's own preconditions, which are assumptions.
var g: int;

procedure P(x: int) returns (y: int)
  requires x > 0;
  free requires x > 1;
  modifies g;
  ensures y > x;
  free ensures g > 0;
{
  y := x + g;
  while (*)
    invariant y > 0;
  {
    assert y != 5;
  }
}

procedure Q(x: int);
  requires x > 2;
  modifies g;
  ensures g == x;

procedure main(n: int)
  requires n > 3;
  modifies g;
{
  var y: int;
  call y := P(n);
  free call y := P(y);
  call Q(y);
  if (*) { call main(n - 1); }
}
