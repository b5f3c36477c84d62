// RUN: check
type T;
const a: T extends b complete;
const b: T;

procedure main()
{
  assert a <: b;
}
