// RUN: check --recursion-bound 3 --require-proof
procedure main(n: int)
{
  if (n > 0) {
    call main(n - 1);
  }
  assert n < 10;
}
