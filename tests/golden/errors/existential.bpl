// RUN: check --houdini
const {:existential true} b: bool;
const {:existential true} n: int;
var s: int;

procedure main()
  ensures s == 0 && b;
{
  if (b) {
    assert b ==> s == 0;
  }
}
