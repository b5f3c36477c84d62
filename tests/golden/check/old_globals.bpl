// RUN: check
var g: int;

procedure Add(n: int)
  modifies g;
  ensures g == old(g) + n;
{
  g := g + n;
}

procedure main()
  modifies g;
{
  call Add(1);
  call Add(2);
  assert g == old(g) + 3;
}
