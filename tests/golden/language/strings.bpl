// RUN: transform --pass lower
function {:builtin "str.++"} concat(string, string): string;
function {:builtin "str.len"} length(string): int;
function {:builtin "str.to_re"} literal(string): regex;
function {:builtin "str.in_re"} matches(string, regex): bool;

procedure main(s: string)
{
  assert {:msg "a \"quoted\" word"} length(concat(s, s)) == 2 * length(s);
  assert matches(s, literal(s));
}
