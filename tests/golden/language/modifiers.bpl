// RUN: transform --pass lower
function {:inline} id(x: int): int { x }
hideable axiom id(1) == 1;
revealed function two(): int { 2 } uses { axiom two() > 1; }
const c: int uses { axiom c > 0; }

pure procedure Lemma(x: int);
  ensures x + 1 > x;

procedure main()
{
  hide *;
  reveal two;
  push;
  pop;
  call Lemma(two());
  assert {:captureState "here"} c > 0;
  assume {:captureState "there"} true;
}
