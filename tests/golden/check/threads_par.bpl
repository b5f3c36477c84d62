// RUN: check --contexts 2
// The arms of a par run at the same time, and their results are there when all have ended.
var x: int;

procedure Next() returns (r: int)
  modifies x;
{
  x := x + 1;
  r := x;
}

procedure main()
  modifies x;
{
  var a, b: int;
  x := 0;
  par a := Next() | b := Next();
  assert x == 2;
  assert a != b;
}
