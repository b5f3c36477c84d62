// Reals: exact fractions, division that is open at zero, conversions that round down, and powers.

procedure {:verdict "proved"} fractions_are_exact()
{
  assert 1.0 / 3.0 + 1.0 / 3.0 + 1.0 / 3.0 == 1.0;
  assert 0.1 + 0.2 == 0.3;
  assert 12.5e-1 == 5.0 / 4.0;
}

procedure {:verdict "bug"} between_any_two(x: real, y: real)
{
  var z: real;
  assume x < y;
  z := (x + y) / 2.0;
  assert !(x < z && z < y && z * 3.0 == 1.0);
}

procedure {:verdict "proved"} conversion_rounds_down(r: real)
{
  assert real(int(r)) <= r && r < real(int(r) + 1);
  assert int(-0.5) == -1 && int(1.5) == 1 && int(-2.0) == -2;
}

procedure {:verdict "bug"} conversion_loses(r: real)
{
  assert real(int(r)) == r;
}

procedure {:verdict "proved"} conversion_back(x: int)
{
  assert int(real(x)) == x;
}

procedure {:verdict "proved"} division_of_integers_is_real(x: int)
{
  assert 7 / 2 == 3.5;
  assert x / 2 == real(x) / 2.0;
}

procedure {:verdict "bug"} by_zero_is_anything(r: real)
{
  assert r / 0.0 == 0.0;
}

procedure {:verdict "bug"} by_zero_depends_on_the_dividend(r: real, s: real)
{
  assume r != s;
  assert r / 0.0 == s / 0.0;
}

procedure {:verdict "proved"} by_zero_is_a_function(r: real, s: real)
{
  assume r == s;
  assert r / 0.0 == s / 0.0;
}

procedure {:verdict "proved"} powers()
{
  assert 2.0 ** 3.0 == 8.0;
  assert 2.0 ** 3.0 ** 2.0 == 512.0;
  assert 0.5 ** 2.0 == 0.25;
}

procedure {:verdict "proved"} {:not "cvc5"} negative_powers()
{
  assert 2.0 ** -1.0 == 0.5;
}

procedure {:verdict "bug"} {:not "cvc5"} power_of_a_chosen_base(x: real)
{
  assume 0.0 < x && x < 10.0;
  assert x ** 2.0 != 2.25;
}

procedure {:verdict "proved"} arithmetic(x: real, y: real)
{
  assume 0.0 < x && x < y;
  assert -y < -x && x - y < 0.0 && x * 2.0 < y * 2.0;
  assert x / 2.0 < x;
}
