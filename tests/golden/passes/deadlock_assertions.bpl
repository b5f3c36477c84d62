// RUN: transform --pass mark-entry --pass deadlock-assertions
var lock: bool;

procedure corral_atomic_begin();
procedure corral_atomic_end();
procedure corral_thread_join(t: int);

procedure Work()
  modifies lock;
{
  call corral_atomic_begin();
  assume !lock;
  lock := true;
  call corral_atomic_end();
  lock := false;
}

procedure {:entrypoint} main(t: int)
  modifies lock;
{
  lock := false;
  async call Work();
  call corral_thread_join(t);
}
