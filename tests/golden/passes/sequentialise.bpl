// RUN: transform --pass explicit-yields,sequentialise:contexts=2
// A copy of x for each round; procedures without a body give new values of x as results.
var x: int;
var {:thread_local} own: int;

procedure Any() returns (r: int);
  modifies x;
  ensures x > old(x) && r == x;

procedure Worker(n: int)
  requires n >= x;
  modifies x, own;
  ensures x >= old(x);
{
  own := n;
  havoc x;
  yield;
  call own := Any();
}

procedure {:entrypoint} main()
  modifies x, own;
{
  x := 0;
  async call Worker(x + 1);
  yield;
  assert x >= 0;
}
