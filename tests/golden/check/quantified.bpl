// RUN: check
function f(int): int;
axiom (forall x: int :: {f(x)} f(x) > x);

procedure main(n: int)
{
  assert f(f(n)) > n + 1;
}
