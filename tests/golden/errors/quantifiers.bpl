// RUN: check
function f(int): int;
axiom (forall x: int :: f(x));
axiom (exists x: int, x: bool :: true);
axiom (lambda x: int :: f(x)) == 3;
axiom (forall x: int :: f(y) > (var x, y := 1; x));

procedure main()
{
}
