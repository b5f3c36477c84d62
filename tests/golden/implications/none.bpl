// RUN: implications
procedure main(x: int) {
  var y: int;
  y := x;
}
