// RUN: summaries --from-proofs --all-assertions
// An assertion that can fail leaves no summaries, and the others are not kept from it.
var g: int;
procedure Inc() modifies g; { g := g + 1; }
procedure main() modifies g;
{
  g := 0;
  call Inc();
  assert {:id "fails"} g == 2;
  call Inc();
  assert {:id "holds"} g > 0;
}
