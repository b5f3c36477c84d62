// RUN: summaries --from-proofs --recursion-bound 3
// Within a bound, each activation of a recursive procedure has a summary of its own.
procedure M(n: int) returns (r: int)
{
  if (n > 100) { r := n - 10; } else { call r := M(n + 11); call r := M(r); }
}

procedure main(n: int)
{
  var r: int;
  assume n <= 101;
  call r := M(n);
  assert r == 91;
}
