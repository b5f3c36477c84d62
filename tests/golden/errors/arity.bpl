// RUN: check
function f(int, int): int;
procedure Two(x: int, y: int) returns (r: int);

procedure main()
{
  var r, s: int;
  call r := Two(1);
  call r, s := Two(1, 2);
  call Two(1, 2);
  r := f(1);
  r, s := 1;
}
