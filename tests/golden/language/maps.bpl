// RUN: transform --pass lower
type Ref;
var m: [int]int;
var two: [int, bool]Ref;
var nested: [int][Ref]int;

procedure main(r: Ref)
  modifies m, two, nested;
{
  var i: int;
  m[0] := m[1];
  m[m[0]] := m[i := 3][i];
  two[1, true] := r;
  two := two[2, false := r][3, true := two[1, true]];
  nested[4][r] := nested[5][r] + 1;
  nested[m[0]] := nested[1][r := 2];
  m[i], i := i, m[i];
  assert two[1, true] == r && nested[4] == nested[4][r := nested[4][r]];
}
