// RUN: summaries
procedure P()
{
}

procedure main()
{
  async call P();
}
