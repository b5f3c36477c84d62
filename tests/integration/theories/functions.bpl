// Functions with bodies: plain, inlined, defined, recursive, of several kinds together.
function double(x: int): int { x + x }
function {:inline} triple(x: int): int { x + double(x) }
function {:define} square(x: int): int { x * x }
function abs(x: int): int { if x < 0 then -x else x }
function sum(n: int): int { if n <= 0 then 0 else n + sum(n - 1) }
function {:inline} isEven(n: int): bool { n mod 2 == 0 }
function even(n: int): bool { if n == 0 then true else odd(n - 1) }
function odd(n: int): bool { if n == 0 then false else even(n - 1) }
function constant(): int { 7 }
function between(lo: int, x: int, hi: int): bool { lo <= x && x < hi }
function max(m: [int]int, i: int, j: int): int { if m[i] > m[j] then m[i] else m[j] }

procedure {:verdict "proved"} bodies(x: int)
{
  assert double(x) == 2 * x && triple(x) == 3 * x;
  assert square(3) == 9 && abs(-3) == 3 && abs(x) >= 0;
  assert constant() == 7;
}

procedure {:verdict "bug"} bodies_may_fail(x: int)
{
  assume between(0, x, 100);
  assert square(x) != double(x) + 63;
}

procedure {:verdict "proved"} recursion()
{
  assert sum(3) == 6;
  assert even(4) && odd(3);
}

procedure {:verdict "bug"} {:not "cvc5"} recursion_may_fail(n: int)
{
  assume 0 <= n && n <= 3;
  assert sum(n) != 6;
}

procedure {:verdict "bug"} inlined_predicate(n: int)
{
  assume between(10, n, 20) && isEven(n);
  assert n == 10;
}

procedure {:verdict "bug"} function_of_a_map(m: [int]int)
{
  assume max(m, 0, 1) == 5;
  assert m[0] == 5;
}

procedure {:verdict "bug"} plain_function_may_fail(x: int)
{
  assert abs(x) == x;
}
