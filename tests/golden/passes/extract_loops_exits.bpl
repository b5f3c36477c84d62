// RUN: transform --pass extract-loops
procedure main(n: int) returns (r: int)
{
  var i: int;

  i := 0;
  r := 0;
  outer:
  while (true) {
    while (*) {
      i := i + 1;
      if (i == 3) {
        break outer;
      }
      if (i == 4) {
        r := 7;
        return;
      }
    }
    if (i > n) {
      break;
    }
  }
  assert i > n || i == 3;
}
