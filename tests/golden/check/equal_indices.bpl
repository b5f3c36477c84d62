// RUN: check
procedure main(i: int, j: int)
{
  var m: [int]int;
  assume i == 7;
  m := (lambda k: int :: 0);
  m[i] := 1;
  m[j] := 2;
  assert m[i] == 1;
}
