// RUN: transform --pass extract-loops
var g: int;

procedure main(n: int) returns (sum: int)
  modifies g;
{
  var i: int;

  i := 0;
  sum := 0;
  while (i < n) {
    sum := sum + i;
    g := g + 1;
    i := i + 1;
  }
  assert sum >= 0;
}
