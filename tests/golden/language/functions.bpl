// RUN: transform --pass lower
type Ref;
function f(int) returns (int);
function g(x: int, y: int) returns (result: bool);
function h(x, y: int): int;
function anonymous(int, bool): Ref;
function {:inline} double(x: int): int { x + x }
function {:inline true} positive(x: int) returns (bool) { x > 0 }
function {:define} twice(x: int): int { 2 * x }
function abs(x: int): int { if x < 0 then -x else x }
function {:bvbuiltin "bvadd"} add32(bv32, bv32): bv32;
function {:builtin "mod"} modulo(int, int) returns (int);
function recursive(n: int): int { if n <= 0 then 0 else recursive(n - 1) + 1 }
function {:weight 5} attributed({:note "first"} x: int): int;
revealed function open(x: int): int { x }

procedure main(r: Ref)
{
  assert double(2) == twice(2) && positive(abs(-3));
  assert add32(1bv32, 2bv32) == 3bv32;
  assert g(h(1, 2), f(3)) ==> anonymous(1, true) == r;
  assert attributed(open(1)) == modulo(7, recursive(2));
}
