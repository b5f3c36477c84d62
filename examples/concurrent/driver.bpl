// A driver that counts requests in flight, so that it is not stopped while one is being served (after the Bluetooth driver
// of Qadeer and Wu, PLDI 2004).
// Expected: bounded.
var pending: int;
var stopping, drained, stopped: bool;

procedure corral_atomic_begin();
procedure corral_atomic_end();

procedure Decrement()
  modifies pending, drained;
{
  var left: int;
  call corral_atomic_begin();
  pending := pending - 1;
  left := pending;
  call corral_atomic_end();
  if (left == 0)
  {
    drained := true;
  }
}

procedure Request()
  modifies pending, drained;
{
  pending := pending + 1;
  if (stopping)
  {
    call Decrement();
    return;
  }
  assert !stopped; // serves the request
  call Decrement();
}

procedure Stop()
  modifies pending, drained, stopping, stopped;
{
  stopping := true;
  call Decrement();
  assume drained; // waits
  stopped := true;
}

procedure {:entrypoint} main()
  modifies pending, drained, stopping, stopped;
{
  pending, stopping, drained, stopped := 1, false, false, false;
  async call Stop();
  call Request();
}
