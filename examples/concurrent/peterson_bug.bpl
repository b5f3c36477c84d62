// Peterson's algorithm: two threads exclude each other by a flag each and whose turn it is. Here they are
// polite before they say that they want to enter: both get in.
// Expected: bug.
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
  turn := 1 - me;
  flag[me] := true;
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
