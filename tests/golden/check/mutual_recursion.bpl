// RUN: check
procedure Even(n: int) returns (r: bool)
{
  r := true;
  if (n > 0) {
    call r := Odd(n - 1);
  }
}

procedure Odd(n: int) returns (r: bool)
{
  r := false;
  if (n > 0) {
    call r := Even(n - 1);
  }
}

procedure main(n: int)
{
  var r: bool;
  assume 0 <= n && n < 6;
  call r := Even(n);
  assert r == (n mod 2 == 0);
}
