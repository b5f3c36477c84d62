// The sum of the numbers from 1 to n is 6 for n = 3.
// Expected: bug.

procedure main(n: int)
{
  var i, sum: int;

  i, sum := 0, 0;
  while (i < n)
  {
    i := i + 1;
    sum := sum + i;
  }
  assert sum != 6;
}
