// Quantifiers in assertions and assumptions, with and without triggers.
function f(int): int;
function p(int): bool;
function q(int, int): bool;

procedure {:verdict "proved"} instance(k: int)
{
  assume (forall x: int :: {f(x)} f(x) > x);
  assert f(k) > k && f(f(k)) > k + 1;
}

procedure {:verdict "proved"} instance_without_trigger(k: int)
{
  assume (forall x: int :: f(x) > x);
  assert f(k) > k;
}

procedure {:verdict "proved"} two_variables(a: int, b: int, c: int)
{
  assume (forall x, y, z: int :: {q(x, y), q(y, z)} q(x, y) && q(y, z) ==> q(x, z));
  assume q(a, b) && q(b, c);
  assert q(a, c);
}

procedure {:verdict "proved"} nested(a: int)
{
  assume (forall x: int :: {p(x)} p(x) ==> (forall y: int :: {q(x, y)} q(x, y)));
  assume p(a);
  assert q(a, 7);
}

procedure {:verdict "proved"} existence(k: int)
{
  assume (exists x: int :: p(x) && x > k);
  assume (forall x: int :: {p(x)} p(x) ==> x < 10);
  assert k < 10;
}

procedure {:verdict "proved"} existence_of_a_witness(m: [int]int)
{
  assume m[3] == 4;
  assert (exists i: int :: {m[i]} m[i] == 4);
}

procedure {:verdict "bug"} bounded_range(m: [int]int)
{
  assert (forall i: int :: {m[i]} 0 <= i && i < 5 ==> m[i] == 0);
}

procedure {:verdict "bug"} assumed_range(m: [int]int, k: int)
{
  assume (forall i: int :: {m[i]} 0 <= i && i < 5 ==> m[i] == 0);
  assert m[k] == 0;
}

procedure {:verdict "proved"} no_patterns(k: int)
{
  assume (forall x: int :: {:nopats p(x)} p(f(x)) ==> p(x));
  assume p(f(k));
  assert p(k);
}

procedure {:verdict "proved"} over_booleans(m: [bool]int)
{
  assume (forall b: bool :: {m[b]} m[b] > 0);
  assert m[true] + m[false] > 1;
}

procedure {:verdict "bug"} over_booleans_may_fail(m: [bool]int)
{
  assume (forall b: bool :: {m[b]} m[b] > 0);
  assert m[true] + m[false] > 2;
}

procedure {:verdict "proved"} shadowed(k: int)
{
  assume (forall k: int :: {p(k)} p(k));
  assert p(k + 1);
}

procedure {:verdict "bug"} a_quantifier_that_fails(m: [int]int)
{
  assume m[2] > 3;
  assert (forall i: int :: {m[i]} 0 <= i && i < 3 ==> m[i] <= 3);
}

procedure {:verdict "bug"} no_witness(m: [bool]bool)
{
  assert (exists b: bool :: m[b]);
}
