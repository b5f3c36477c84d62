// RUN: check
var counter: int;

procedure main()
{
  conter := 1;
  assert counter == value;
  call Mian();
}
