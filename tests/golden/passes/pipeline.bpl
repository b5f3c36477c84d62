// RUN: transform --pass merge-implementations,check-specs,extract-loops,error-bit,prune
var g: int;

procedure Increment()
  requires g >= 0;
  modifies g;
  ensures g == old(g) + 1;
{
  g := g + 1;
}

procedure main()
  modifies g;
{
  g := 0;
  while (g < 3)
    invariant g <= 3;
  {
    call Increment();
  }
  assert g == 3;
}
