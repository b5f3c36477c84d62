// The program of Fig. 2 of the DAG-inlining paper with N = 3, as examples/fig2.py writes it. There are 2^N paths
// to the assertion, but P1, P2, ... are each entered at most once on a path, so DAG inlining needs one copy of each.
// Expected: proved.

var g: int;

procedure main()
  modifies g;
{
  g := 0;
  call P0();
}

procedure P0()
  modifies g;
{
  if (*) {
    call Left0();
  } else {
    call Right0();
  }
}

procedure Left0()
  modifies g;
{
  g := g + 1;
  call P1();
}

procedure Right0()
  modifies g;
{
  g := g + 1;
  call P1();
}

procedure P1()
  modifies g;
{
  if (*) {
    call Left1();
  } else {
    call Right1();
  }
}

procedure Left1()
  modifies g;
{
  g := g + 1;
  call P2();
}

procedure Right1()
  modifies g;
{
  g := g + 1;
  call P2();
}

procedure P2()
  modifies g;
{
  if (*) {
    call Left2();
  } else {
    call Right2();
  }
}

procedure Left2()
  modifies g;
{
  g := g + 1;
  call P3();
}

procedure Right2()
  modifies g;
{
  g := g + 1;
  call P3();
}

procedure P3()
  modifies g;
{
  assert g == 3;
}
