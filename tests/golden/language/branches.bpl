// RUN: transform --pass lower
procedure main(x: int) returns (r: int)
{
  if (x > 0) {
    r := 1;
  } else if (x == 0) {
    r := 0;
  } else {
    r := -1;
  }
  if (*) {
    r := r + 1;
  }
  if (x > 5) {
    return;
  }
  if (x > 3) {
  } else {
    r := 2;
  }
}
