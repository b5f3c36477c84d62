// RUN: transform --pass deep-asserts
// Recursion that leads to a failure: through one procedure, and through two with several ways in.

procedure main(n: int)
{
  var r: int;

  call r := Down(n);
  call Even(r);
  call Odd(r);
}

procedure Down(n: int) returns (r: int)
{
  assert n != 7;
  if (n > 0) {
    call r := Down(n - 1);
    r := r + 1;
  }
}

procedure Even(n: int)
{
  assert n >= 0;
  if (n > 0) {
    call Odd(n - 1);
  }
}

procedure Odd(n: int)
{
  if (n > 0) {
    call Even(n - 1);
  }
}
