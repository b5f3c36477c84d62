// RUN: transform --pass lower
/* A comment /* with a comment inside */ ends here. */
var #strange$name.with'odd^chars?: int;
var \assert: int;
var ~x~, _y, `z: bool;

procedure {:attr} $main.1($p: int) returns (\old: int)
{
  \old := $p; // the rest of the line
}

procedure main(x: int, y: int)
{
  assert x ≤ y ⇔ ¬(x > y);
  assert (∀ i: int • i ≥ 0 ∨ i ≠ 0 ⇒ true) ∧ (∃ j: int :: j == x);
}
