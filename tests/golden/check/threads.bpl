// RUN: check
// Threads are switched at yield, and the failure is replayed with its schedule.
var g: int;

procedure Worker();
  modifies g;

implementation Worker()
{
  g := 1;
}

procedure main()
  modifies g;
{
  g := 0;
  async call Worker();
  yield;
  assert g == 0;
}
