// RUN: transform --pass lower
procedure main(n: int)
{
  var i, j: int;

  i := 0;
  while (i < n)
    invariant 0 <= i;
    invariant {:note "upper"} i <= n || n < 0;
    free invariant i != -1;
  {
    i := i + 1;
  }

  outer:
  while (*) {
    j := 0;
    while (j < i) {
      j := j + 1;
      if (j == 3) {
        break;
      }
      if (j == 4) {
        break outer;
      }
    }
    i := i - 1;
  }

  while (true) {
    if (*) {
      return;
    }
  }
}
