// RUN: check --houdini --candidates ../summaries/twice.candidates
// That one global is twice the other is nothing that the program suggests.
var g, h: int;

procedure Step()
  modifies g, h;
{
  g := g + 1;
  h := h + 2;
}

procedure main()
  modifies g, h;
{
  g, h := 0, 0;
  while (*) {
    call Step();
  }
  assert h == 2 * g;
}
