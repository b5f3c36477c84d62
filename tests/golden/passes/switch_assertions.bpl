// RUN: transform --pass extract-loops,switch-assertions
var g: int;

procedure Add(x: int)
  requires x > 0;
  modifies g;
  ensures g > old(g);
{
  g := g + x;
}

procedure main()
  modifies g;
{
  while (*)
    invariant g >= 0;
  {
    call Add(1);
  }
  call Add(g);
  assert {:id "at the end"} g > 0;
}
