// McCarthy's function: whatever it does with an argument of at most 101, the result is 91.
// Expected: proved. Arguments from 97 up need at most five activations at once, fewer than the default bound.

procedure M(n: int) returns (r: int)
{
  if (n > 100) {
    r := n - 10;
  } else {
    call r := M(n + 11);
    call r := M(r);
  }
}

procedure main(n: int)
{
  var r: int;

  assume 97 <= n && n <= 101;
  call r := M(n);
  assert r == 91;
}
