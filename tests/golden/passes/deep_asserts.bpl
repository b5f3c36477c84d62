// RUN: transform --pass deep-asserts
// Fig. 1 of the deep-asserts paper for n = 2, and what its Fig. 2 makes of main.

var s, g: int;

procedure main()
  modifies s, g;
{
  s := 0;
  g := 1;
  call P1();
}

procedure P1()
  modifies s;
{
  call P2();
  call P2();
}

procedure P2()
  modifies s;
{
  while (*) {
    if (g == 1) {
      call Open();
    }
    call Close();
  }
}

procedure Open()
  modifies s;
{
  s := 1;
}

procedure Close()
  modifies s;
{
  assert s > 0;
  s := 0;
}
