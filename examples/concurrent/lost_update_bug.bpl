// Two threads add to a balance. Reading it and writing it are two steps: both may read before either of them writes,
// and one deposit is lost.
// Expected: bug.
var balance: int;

procedure corral_thread_join_all();

procedure Deposit(amount: int)
  modifies balance;
{
  var before: int;
  before := balance;
  balance := before + amount;
}

procedure {:entrypoint} main()
  modifies balance;
{
  balance := 0;
  async call Deposit(1);
  async call Deposit(2);
  call corral_thread_join_all();
  assert balance == 3;
}
