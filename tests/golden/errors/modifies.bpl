// RUN: check --check-modifies
// RUN: check -v
var g, h: int;

procedure Set()
  modifies g;
{
  g := 1;
}

procedure main()
  modifies h;
{
  h := 2;
  g := 3;
  havoc g;
  call Set();
}
