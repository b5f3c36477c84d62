// RUN: check --all-assertions --engine stratified --no-deep-asserts
// The assertion in front of the loop cannot fail at any bound, whatever the loop does.
procedure main(n: int)
{
  var i: int;

  i := 0;
  assert {:id "before"} i == 0;
  while (i < n) {
    i := i + 1;
    assert {:id "inside"} i <= n;
  }
  assert {:id "after"} i >= 0;
}
