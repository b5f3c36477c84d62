// RUN: transform --pass extract-loops
procedure main(n: int)
{
  var i, j: int;

  i := 0;
  while (i < n) {
    j := 0;
    while (j < i) {
      j := j + 1;
    }
    assert j <= n;
    i := i + 1;
  }
}
