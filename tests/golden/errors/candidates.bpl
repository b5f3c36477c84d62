// RUN: check --houdini --candidates wrong.candidates
var s: int;

procedure main()
{
  assert s == 0;
}
