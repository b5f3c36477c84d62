// RUN: check --recursion-bound 2
procedure main(n: int)
{
  var i, k: int;
  i := 0;
  while (i < 5) {
    i := i + 1;
  }
  k := 0;
  while (k < n) {
    k := k + 1;
  }
  assert k + i != 50;
}
