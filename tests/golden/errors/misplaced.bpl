// RUN: check
var g: int;
const c: int;

procedure main(p: int) returns (r: int)
  requires old(g) > 0;
  requires r > 0;
{
  p := 1;
  c := 2;
  havoc c;
  r := 3;
  call r, r := Two();
  r, r := 1, 2;
}

procedure Two() returns (a: int, b: int);

function f(x: int): int { g + x }
axiom g > 0;
