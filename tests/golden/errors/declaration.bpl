// RUN: check
procdure other();

procedure main()
{
  assert true;
}

main2();

procedure ();
