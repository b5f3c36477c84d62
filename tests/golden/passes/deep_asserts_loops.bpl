// RUN: transform --pass deep-asserts
// Assertions in nested loops: only the last iteration of each may fail.

procedure main(n: int)
{
  var i, j: int;

  i := 0;
  while (i < n)
    invariant i <= n;
  {
    j := 0;
    while (j < i) {
      assert j < n;
      j := j + 1;
    }
    i := i + 1;
  }
  assert i == n;
}
