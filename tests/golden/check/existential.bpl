// RUN: check
// What is guarded is no assertion without Houdini either; what is not is one.
const {:existential true} b: bool;
var g: int;

procedure Step(x: int)
  modifies g;
  ensures b ==> g > old(g);
{
  g := g + x;
}

procedure main()
  modifies g;
{
  g := 0;
  call Step(1);
  call Step(0);
  assert g == 2;
}
