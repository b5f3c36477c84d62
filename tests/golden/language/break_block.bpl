// RUN: transform --pass lower
procedure main(b: bool)
{
  var x: int;
  x := 0;
  skip:
  if (b) {
    x := 1;
    if (x > 0) {
      break skip;
    }
    x := 2;
  }
  assert x <= 1;
}
