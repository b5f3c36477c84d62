// Integer arithmetic: Euclidean `div` and `mod`, which leave division by zero open, and linear and other terms.

procedure {:verdict "proved"} division_of_negatives()
{
  assert 7 div 2 == 3 && 7 mod 2 == 1;
  assert -7 div 2 == -4 && -7 mod 2 == 1;
  assert 7 div -2 == -3 && 7 mod -2 == 1;
  assert -7 div -2 == 4 && -7 mod -2 == 1;
}

procedure {:verdict "proved"} remainder_is_never_negative(x: int, y: int)
{
  assume y != 0;
  assert 0 <= x mod y;
}

procedure {:verdict "proved"} division_is_euclidean(x: int)
{
  assert x == -3 * (x div -3) + x mod -3;
  assert 0 <= x mod -3 && x mod -3 < 3;
}

procedure {:verdict "bug"} division_does_not_round_to_zero(x: int)
{
  assume -9 <= x && x <= 9;
  assert x < 0 ==> x div 4 == -(-x div 4);
}

procedure {:verdict "bug"} by_zero_is_anything(x: int)
{
  assert x div 0 == 0;
}

procedure {:verdict "bug"} remainder_by_zero_is_anything(x: int)
{
  assert x mod 0 == x;
}

procedure {:verdict "bug"} both_by_zero(x: int, y: int)
{
  assume x != 0;
  assert x div y != 17 || x mod y != 23;
}

procedure {:verdict "proved"} by_zero_is_a_function(x: int, y: int)
{
  var z: int;
  z := 0;
  assume x == y;
  assert x div z == y div z && x mod z == y mod z;
}

procedure {:verdict "bug"} by_zero_depends_on_the_dividend(x: int, y: int)
{
  assume x != y;
  assert x div 0 == y div 0;
}

procedure {:verdict "proved"} large_numbers()
{
  assert 123456789012345678901234567890 * 10 == 1234567890123456789012345678900;
  assert 1000000000000000000000 div 7 == 142857142857142857142;
}

procedure {:verdict "bug"} large_counterexample(x: int)
{
  assume x > 100000000000000000000;
  assert x mod 1000000007 != 5;
}

procedure {:verdict "bug"} factors(x: int, y: int)
{
  assume 1 < x && x < y;
  assert x * y != 91;
}

procedure {:verdict "proved"} comparisons(x: int, y: int)
{
  assert x < y <==> !(x >= y);
  assert x <= y <==> y >= x;
  assert x != y <==> x < y || x > y;
  assert -(-x) == x && x - y == x + -y;
  assert (if x < y then x else y) <= x;
}

procedure {:verdict "bug"} comparisons_are_not_total(x: int, y: int)
{
  assert x < y || x > y;
}
