// Two threads take two locks in the same order.
// Expected: bounded.
var owner: [int]int; // of each lock, 0 if nobody has it
var wants: [int]int; // of each thread, the lock that it waits for

procedure corral_atomic_begin();
procedure corral_atomic_end();

procedure Take(me: int, lock: int)
  modifies owner, wants;
{
  wants[me] := lock;
  call corral_atomic_begin();
  assume owner[lock] == 0;
  owner[lock], wants[me] := me, 0;
  call corral_atomic_end();
}

procedure Work(me: int, first: int, second: int)
  modifies owner, wants;
{
  call Take(me, first);
  call Take(me, second);
  owner[second] := 0;
  owner[first] := 0;
}

procedure {:entrypoint} main()
  modifies owner, wants;
{
  owner[1], wants[1] := 0, 0;
  owner[2], wants[2] := 0, 0;
  async call Work(1, 1, 2);
  async call Work(2, 1, 2);
  // Neither waits for a lock that the other one has while that waits for one of its own.
  assert wants[1] == 0 || wants[2] == 0 || owner[wants[1]] != 2 || owner[wants[2]] != 1;
}
