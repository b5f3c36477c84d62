// RUN: transform --pass split-failures

var locked: bool;

procedure main()
  modifies locked;
{
  locked := false;
  call Serve(true);
  call Serve(false);
}

procedure Serve(twice: bool)
  modifies locked;
{
  call Acquire();
  if (twice) {
    call Acquire();
  }
  call Release();
}

procedure Acquire()
  modifies locked;
{
  assert !locked;
  locked := true;
}

procedure Release()
  modifies locked;
{
  locked := false;
}
