// A lock must be acquired and released in turns. Here every path through `Serve` does so.
// Expected: proved. The loop ends after three requests, so the default bound cuts nothing off.

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
    call Release();
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
