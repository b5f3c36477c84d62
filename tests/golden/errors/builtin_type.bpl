// RUN: check
// Sequences of other things than characters are refused by name.
type {:builtin "Seq"} Seq _;
type {:builtin "(Seq Int)"} Ints;

procedure main(s: Seq int)
{
}
