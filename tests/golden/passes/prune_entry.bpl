// RUN: transform --pass prune --entry Other
procedure main()
{
  call Helper();
}

procedure Helper()
{
}

procedure Other()
{
  assert true;
}
