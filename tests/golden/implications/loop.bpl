// RUN: implications --unwind 3
// RUN: implications --unwind 3 --format dot
var n: int;

procedure main(x: int) modifies n; {
  var i: int;
  assume x > 3;
  n := x;
  i := 0;
  while (i < n) {
    assert n > 2;
    assert n > 1;
    i := i + 1;
  }
  assert n >= 2;
  assert i == 0 ==> n <= 0;
  assert i >= 0;
}
