// Axioms and uninterpreted functions that all executions share.
type Ref;
const null: Ref;
function succ(Ref): Ref;
function rank(Ref): int;
axiom (forall r: Ref :: {succ(r)} rank(succ(r)) == rank(r) + 1);
axiom rank(null) == 0;

procedure {:verdict "proved"} by_instances()
{
  assert rank(succ(succ(null))) == 2;
  assert succ(null) != null;
}

procedure {:verdict "proved"} no_cycle(r: Ref)
{
  assert succ(succ(r)) != r;
}
