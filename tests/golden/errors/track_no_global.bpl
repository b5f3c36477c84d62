// RUN: check --refine alg2 --tune track=locked,lokced,main
var locked: bool;

procedure main()
{
  assert !locked;
}
