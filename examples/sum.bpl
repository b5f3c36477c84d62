// The sum of the numbers from 1 to n is at least n. The loop may run any number of times, but its invariants suffice for a proof.
// Expected: bounded. With --gamble it is proved.

procedure main(n: int)
{
  var i, sum: int;

  i, sum := 0, 0;
  while (i < n)
    invariant i >= 0;
    invariant sum >= i;
  {
    i := i + 1;
    sum := sum + i;
  }
  assert n <= 0 || sum >= n;
}
