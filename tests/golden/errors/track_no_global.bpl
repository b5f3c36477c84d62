// RUN: check --refine alg2 --track locked,lokced,main
var locked: bool;

procedure main()
{
  assert !locked;
}
