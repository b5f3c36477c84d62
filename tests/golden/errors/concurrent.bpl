// RUN: check
// A program with threads is refused for what it is, not searched as if it were sequential.
var g: int;

procedure Worker();
  modifies g;

implementation Worker()
{
  g := 1;
}

procedure main()
  modifies g;
{
  g := 0;
  async call Worker();
  yield;
  assert g == 0;
}
