// RUN: check --houdini
// The loop may run for ever: only a summary of it proves this at every bound.
var mode: int;

procedure Use()
{
  assert mode != 1;
}

procedure Switch()
  modifies mode;
{
  if (mode == 0) {
    mode := 2;
  } else {
    mode := 0;
  }
}

procedure main()
  modifies mode;
{
  mode := 0;
  while (*) {
    if (*) {
      call Switch();
    }
    call Use();
  }
}
