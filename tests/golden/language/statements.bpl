// RUN: transform --pass lower
var g: int;
var m: [int]int;

procedure main(n: int) returns (r: int)
  modifies g, m;
{
  var x, y: int;
  var flag: bool;

  x, y := y, x;
  havoc x, g;
  assume {:partition} x > 0;
  assert {:id "first"} {:msg "x is positive"} x >= 1;
  x, m[x], y := y, x + 1, m[y];
  m[x] := 0;
  assume flag == (old(g) == g);
  r := old(m)[n] + old(m[n] + g);
  return;
  assert false;
}
