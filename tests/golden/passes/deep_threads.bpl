// RUN: transform --pass explicit-yields,deep-threads
// Fig. 5 of the deep-asserts paper: the thread that fails is run by the new entry.
var g: int;

procedure Worker(n: int)
  modifies g;
{
  g := g + n;
  yield;
  assert g > 0;
}

procedure {:entrypoint} main()
  modifies g;
{
  g := 1;
  async call Worker(g);
  yield;
  assert g != 3;
}
