// RUN: check
procedure main()
{
  assert {:msg "this never ends} true;
}
