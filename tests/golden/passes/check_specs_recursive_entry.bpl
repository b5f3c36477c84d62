// RUN: transform --pass check-specs
var g: int where g >= 0;

procedure main(n: int)
  requires n >= 0;
  modifies g;
{
  if (n > 0) {
    g := g - 1;
    call main(n - 1);
  }
}
