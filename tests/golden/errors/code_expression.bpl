// RUN: check
procedure main()
{
  assert |{ start: return true; }|;
}
