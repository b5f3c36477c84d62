// A lock must be acquired and released in turns. `Serve` forgets to release it for a negative request.
// Expected: bug. The second request fails in `Acquire`; the trace shows a first request below zero.

var locked: bool;

procedure Acquire()
  modifies locked;
{
  assert !locked;
  locked := true;
}

procedure Release()
  modifies locked;
{
  assert locked;
  locked := false;
}

procedure Serve(request: int)
  modifies locked;
{
  call Acquire();
  if (request < 0) {
    return;
  }
  call Release();
}

procedure main()
  modifies locked;
{
  var i: int;
  var request: int;

  locked := false;
  i := 0;
  while (i < 3) {
    havoc request;
    call Serve(request);
    i := i + 1;
  }
}
