// RUN: check --entry strat
procedure start()
{
  assert true;
}
