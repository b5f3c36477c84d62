// RUN: check
procedure main()
{
  var i, j: int;
  i := 0;
  outer:
  while (i < 3) {
    j := 0;
    while (j < 3) {
      if (i + j == 3) {
        break outer;
      }
      j := j + 1;
    }
    i := i + 1;
  }
  assert i == 1 && j == 2;
}
