// RUN: summaries
procedure main()
{
  assert true;
}
