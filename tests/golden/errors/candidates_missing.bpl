// RUN: check --houdini --candidates missing.candidates
var s: int;

procedure main()
{
  assert s == 0;
}
