// RUN: transform --pass lower
procedure main(x: int, r: real)
{
  assert 12345678901234567890123456789 > 0;
  assert 1.5 + 0.25 == 1.75;
  assert 1e3 == 1000.0;
  assert 12.5e-2 == 0.125;
  assert real(x) / 2.0 < r;
  assert x / 2 == real(x) / 2.0;
  assert int(r) <= x;
  assert 2.0 ** 3.0 ** 2.0 == 512.0;
  assert x div 3 * 3 + x mod 3 == x;
}
