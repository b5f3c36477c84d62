// RUN: check
var s: int;

procedure {:template "mian"} T();
  ensures s == 0;

procedure {:template} U()
{
  assert s == 0;
}

procedure main()
{
  assert s == 0;
}
