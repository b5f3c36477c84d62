// RUN: transform --pass explicit-yields
// Whether Touch is called inside an atomic section is known only when it is.
var g: int;
procedure corral_atomic_begin();
procedure corral_atomic_end();

procedure Touch()
  modifies g;
{
  g := g + 1;
}

procedure {:entrypoint} main()
  modifies g;
{
  async call Touch();
  call Touch();
  call corral_atomic_begin();
  call Touch();
  call corral_atomic_end();
}
