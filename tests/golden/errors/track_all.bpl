// RUN: check --refine none --tune track=locked,
var locked: bool;

procedure main()
{
  assert !locked;
}
