// RUN: check --all-assertions
// Counterexamples with regular expressions are replayed, also where these are in variables.
function {:builtin "str.to_re"} lit(s: string): regex;
function {:builtin "re.*"} star(r: regex): regex;
function {:builtin "re.++"} cat(r: regex, q: regex): regex;
function {:builtin "re.range"} range(a: string, b: string): regex;
function {:builtin "(_ re.^ 3)"} thrice(r: regex): regex;
function {:builtin "str.in_re"} matches(s: string, r: regex): bool;
function {:builtin "str.len"} len(s: string): int;

procedure main(s: string)
{
  var r: regex;
  r := cat(lit("a"), star(range("b", "d")));
  assume matches(s, r);
  assert len(s) >= 1;
  assert !matches(s, thrice(range("a", "c")));
  assert len(s) < 3;
}
