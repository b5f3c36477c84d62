// RUN: transform --pass lower
function f(int): int;
function p(int, int): bool;

axiom (forall x: int :: f(x) > x);
axiom (forall x: int, y: int :: {p(x, y)} {f(x), f(y)} p(x, y) ==> f(x) <= f(y));
axiom (forall {:note "bound"} x: int :: {:weight 2} {:nopats f(x)} {f(f(x))} f(x) != 0);
axiom (exists x, y: int :: p(x, y) && !p(y, x));
axiom (forall x: int :: (exists y: int :: (forall x: bool :: x || f(y) > 0) && y > x));

var m: [int]int;
var b: [int, int]bool;

procedure main()
  modifies m, b;
{
  var x: int;
  m := (lambda i: int :: i * 2);
  b := (lambda i, j: int :: {:note "order"} i < j);
  assert m[3] == 6 && b[1, 2];
  assert (var y := x + 1; y > x);
  assert (var y, z := x, x + 1; {:note "let"} (var y := z; y > x));
}
