// What a proof rests on: `paddock check --explain` names the summary, the procedure without a body and the assumption.
// Expected: proved. `Next` need not be looked into: what it ensures suffices.

var count: int;

procedure Read() returns (x: int);
  ensures x >= 0;

procedure Next(x: int) returns (r: int)
  free ensures r > x;
{
  r := x + 1;
}

procedure {:entrypoint} main(limit: int)
{
  var x, y: int;
  assume limit > 0;
  call x := Read();
  call y := Next(x);
  assert y > 0;
}
