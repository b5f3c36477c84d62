// RUN: check
procedure start()
{
  assert true;
}

procedure stop();
