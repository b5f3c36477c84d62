// Strings and regular expressions through builtins.
function {:builtin "str.++"} concat(string, string): string;
function {:builtin "str.len"} length(string): int;
function {:builtin "str.at"} at(string, int): string;
function {:builtin "str.substr"} substring(string, int, int): string;
function {:builtin "str.prefixof"} isPrefix(string, string): bool;
function {:builtin "str.contains"} contains(string, string): bool;
function {:builtin "str.indexof"} indexOf(string, string, int): int;
function {:builtin "str.replace"} replaced(string, string, string): string;
function {:builtin "str.to_int"} number(string): int;
function {:builtin "str.from_int"} digits(int): string;
function {:builtin "str.<"} before(string, string): bool;
function {:builtin "str.to_re"} literal(string): regex;
function {:builtin "re.*"} star(regex): regex;
function {:builtin "str.in_re"} matches(string, regex): bool;

procedure {:verdict "proved"} lengths(s: string, t: string)
{
  assert length(concat(s, t)) == length(s) + length(t);
  assert isPrefix(s, concat(s, t));
}

procedure {:verdict "bug"} concatenation_does_not_commute(s: string, t: string)
{
  assert concat(s, t) == concat(t, s);
}

procedure {:verdict "bug"} a_string_of_three(s: string)
{
  assume length(s) == 3 && at(s, 0) == at(s, 2);
  assert at(s, 1) == at(s, 0);
}

procedure {:verdict "bug"} containment(s: string, t: string)
{
  assume contains(s, t) && length(t) == 2 && indexOf(s, t, 0) == 1;
  assert isPrefix(t, s);
}

procedure {:verdict "bug"} numbers(s: string)
{
  assert number(s) != 42;
}

procedure {:verdict "proved"} digits_of_numbers()
{
  assert number(digits(17)) == 17;
  assert number(digits(-1)) == -1;
}

procedure {:verdict "bug"} replacement(s: string, t: string)
{
  assume length(s) == 2 && length(t) == 1;
  assert length(replaced(s, t, concat(t, t))) == 2;
}

procedure {:verdict "bug"} order(s: string, t: string)
{
  assume length(s) > length(t);
  assert before(t, s);
}

procedure {:verdict "proved"} regular_expressions(s: string)
{
  assume matches(s, star(literal("ab")));
  assert length(s) != 3;
}

// The name that a built-in type has anyway.
type {:builtin "String"} string;

procedure {:verdict "proved"} a_name_that_is_there(s: string)
{
  assert s == s;
}
