// RUN: check --all-assertions
// SMT-LIB's names for sequences, used for strings; a type marked built in is another name for one of Boogie's.
type {:builtin "String"} Text;
function {:builtin "seq.++"} append(a: Text, b: Text): Text;
function {:builtin "seq.len"} length(a: Text): int;
function {:builtin "seq.extract"} part(a: Text, i: int, n: int): Text;
function {:builtin "seq.contains"} contains(a: Text, b: Text): bool;

procedure main(a: Text, b: Text)
{
  assert length(append(a, b)) == length(a) + length(b);
  assert part(append(a, b), 0, length(a)) == a;
  assert contains(append(a, "x"), "x");
  assert contains(a, "y");
}
