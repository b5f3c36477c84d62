// RUN: transform --pass explicit-yields,resumable:contexts=2
// A block starts at each yield, and at each call in which there is one. Threads stay.
var x: int;

procedure Quiet() returns (r: int)
{
  r := 1;
}

procedure Worker(n: int)
  modifies x;
{
  var r: int;
  call r := Quiet();
  x := r;
  yield;
  x := n;
}

procedure {:entrypoint} main()
  modifies x;
{
  x := 0;
  async call Worker(x + 1);
  x := x + 1;
  call Worker(3);
  assert x >= 0;
}
