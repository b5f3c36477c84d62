// RUN: check
procedure main(i: int, j: int)
{
  var m: [int][int]int;
  assume i != j;
  m[i][j] := 1;
  m[j][i] := 2;
  m[i][i] := 3;
  assert m[i][j] == 1 && m[j][i] == 2;
}
