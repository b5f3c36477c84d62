// RUN: check --gamble --jobs 1 --tune gamble-facts=none --all-assertions
// RUN: check --gamble --jobs 1 --tune gamble-facts=none
// RUN: check --gamble --jobs 1
// RUN: check --gamble --jobs 1 --tune gamble-facts=keep
// The first holds in the inner loop, the second in the outer one, the third only because of what comes before.
procedure main(n: int)
{
  var i, j, x: int;
  x := 1;
  i := 0;
  while (i < n) {
    j := 0;
    while (*) {
      assert {:id "inner"} j * j >= 0;
      j := j + 1;
    }
    j := i;
    assert {:id "outer"} i < n && j == i;
    assert {:id "whole"} x == 1;
    i := i + 1;
  }
}
