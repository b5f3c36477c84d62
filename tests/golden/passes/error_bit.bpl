// RUN: transform --pass error-bit
var g: int;

procedure Check(x: int)
{
  assert x > 0;
}

procedure Harmless()
  modifies g;
{
  g := g + 1;
}

procedure Middle(x: int) returns (r: int)
  modifies g;
  free ensures r == x;
{
  call Harmless();
  call Check(x);
  r := x;
}

procedure main()
  modifies g;
{
  var r: int;
  call r := Middle(g);
  assert r == g;
}
