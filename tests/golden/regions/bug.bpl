// RUN: check --gamble --jobs 1 --tune gamble-facts=none --all-assertions
// A violation in a region is only a miss, one in the whole program is a bug.
procedure main(n: int)
{
  var i: int;
  i := 0;
  while (i < n) {
    assert {:id "miss"} i >= 0;
    assert {:id "bug"} i < 3;
    assert {:id "hit"} i < n;
    i := i + 1;
  }
}
