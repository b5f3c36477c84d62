// A bounded buffer with a lock and a condition variable: consumers wait while it is empty.
// Expected: bounded.
var locked: bool;
var count, waiting, signals: int;

procedure corral_atomic_begin();
procedure corral_atomic_end();

procedure Lock()
  modifies locked;
{
  call corral_atomic_begin();
  assume !locked;
  locked := true;
  call corral_atomic_end();
}

procedure Wait()
  modifies locked, waiting, signals;
{
  call corral_atomic_begin();
  locked, waiting := false, waiting + 1;
  call corral_atomic_end();
  call corral_atomic_begin();
  assume signals > 0 && !locked;
  locked, signals := true, signals - 1;
  call corral_atomic_end();
}

procedure Signal()
  modifies waiting, signals;
{
  call corral_atomic_begin();
  if (waiting > 0)
  {
    waiting, signals := waiting - 1, signals + 1;
  }
  call corral_atomic_end();
}

procedure Produce()
  modifies locked, count, waiting, signals;
{
  call Lock();
  count := count + 1;
  call Signal();
  locked := false;
}

procedure Consume()
  modifies locked, count, waiting, signals;
{
  call Lock();
  while (count == 0)
  {
    call Wait();
  }
  count := count - 1;
  assert count >= 0;
  locked := false;
}

procedure {:entrypoint} main()
  modifies locked, count, waiting, signals;
{
  locked, count, waiting, signals := false, 0, 0, 0;
  async call Consume();
  async call Produce();
  async call Consume();
}
