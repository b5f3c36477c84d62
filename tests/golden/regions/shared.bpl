// RUN: check --gamble --jobs 1 --tune gamble-facts=none --all-assertions
// P is fine in the loop, but not where else it is called; Q is fine for the loops that call it, each for itself.
var g: int;
procedure main()
  modifies g;
{
  while (*) { havoc g; assume g > 0; call P(); call Q(); }
  while (*) { havoc g; assume g > 1; call Q(); }
  g := 0;
  call P();
}
procedure P()
{
  assert {:id "P"} g > 0;
}
procedure Q()
{
  assert {:id "Q"} g > 0;
}
