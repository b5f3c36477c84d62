// Dekker's algorithm: a thread that finds the other one interested steps back if it is not its turn.
// Expected: bounded.
var interested: [int]bool;
var turn, inside: int;

procedure Critical()
  modifies inside;
{
  inside := inside + 1;
  assert inside == 1;
  inside := inside - 1;
}

procedure Enter(me: int)
  modifies interested, turn, inside;
{
  interested[me] := true;
  while (interested[1 - me])
  {
    if (turn != me)
    {
      interested[me] := false;
      assume turn == me; // waits
      interested[me] := true;
    }
  }
  call Critical();
  turn := 1 - me;
  interested[me] := false;
}

procedure {:entrypoint} main()
  modifies interested, turn, inside;
{
  interested[0], turn, inside := false, 0, 0;
  interested[1] := false;
  async call Enter(0);
  async call Enter(1);
}
