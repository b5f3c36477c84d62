// RUN: check
procedure main()
{
  /* this never ends
  assert true;
}
