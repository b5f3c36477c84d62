// RUN: transform --pass deep-asserts

procedure main()
{
  async call P();
}

procedure P()
{
  assert true;
}
