// RUN: check --deep-asserts --contexts 2
// The thread that fails is run by the entry, but the run that is shown is one of the program as it is written.
var g: int;

procedure Worker(n: int)
  modifies g;
{
  g := g - n;
  yield;
  assert g > 0;
}

procedure {:entrypoint} main()
  modifies g;
{
  g := 2;
  async call Worker(1);
  async call Worker(1);
  yield;
  assert g < 3;
}
