// RUN: transform --pass extract-loops
var g: int;

procedure main()
  modifies g;
{
  while (*) {
    assert g >= old(g);
    g := g + 1;
  }
}
