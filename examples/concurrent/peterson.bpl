// Peterson's algorithm: two threads exclude each other by a flag each and whose turn it is.
// Expected: bounded.
var flag: [int]bool;
var turn, inside: int;

procedure Critical()
  modifies inside;
{
  inside := inside + 1;
  assert inside == 1;
  inside := inside - 1;
}

procedure Enter(me: int)
  modifies flag, turn, inside;
{
  flag[me] := true;
  turn := 1 - me;
  assume !flag[1 - me] || turn == me; // waits
  call Critical();
  flag[me] := false;
}

procedure {:entrypoint} main()
  modifies flag, turn, inside;
{
  flag[0], turn, inside := false, 0, 0;
  flag[1] := false;
  async call Enter(0);
  async call Enter(1);
}
