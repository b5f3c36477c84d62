// Fig. 1 of the deep-asserts paper with n = 4: the only assertion lies at the end of a chain of procedures that each
// call their successor twice, inside a loop. It cannot fail, because `Open` always runs before `Close`.
// Expected: proved. With --tune facts=no it is bounded: the loop of P4 may run for ever, so the recursion bound cuts it off.

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
  call P3();
  call P3();
}

procedure P3()
  modifies s;
{
  call P4();
  call P4();
}

procedure P4()
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
