// RUN: transform --pass extract-loops,bound-loops
procedure main(n: int)
{
  var i, j, k: int;

  i := 0;
  while (i < 27) {
    j := 10;
    while (j > 0) {
      j := j - 2;
    }
    i := i + 1;
  }
  while (k < n) {
    k := k + 1;
  }
}
