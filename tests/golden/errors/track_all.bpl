// RUN: check --refine none --track locked,
var locked: bool;

procedure main()
{
  assert !locked;
}
