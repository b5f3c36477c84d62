// RUN: summaries
// Boogie's convention: what is guarded is kept if it can be proved.
const {:existential true} b0, b1, b2, b3, b4, b5: bool;
var g: int;

procedure Add(x: int) returns (r: int)
  requires b0 ==> x >= 0;
  requires b1 ==> x > 0;
  modifies g;
  ensures b2 ==> g >= old(g);
  ensures b3 ==> g > old(g);
{
  g := g + x;
  r := g;
}

procedure main(n: int)
  modifies g;
{
  var i, r: int;
  i := 0;
  g := 0;
  while (i < n)
    invariant b4 ==> g >= 0;
    invariant b5 ==> i >= 0;
  {
    call r := Add(i);
    i := i + 1;
  }
  assert g >= 0;
}
