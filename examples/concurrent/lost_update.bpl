// Two threads add to a balance, each in one step that no other thread comes between.
// Expected: bounded.
var balance: int;

procedure corral_atomic_begin();
procedure corral_atomic_end();
procedure corral_thread_join_all();

procedure Deposit(amount: int)
  modifies balance;
{
  var before: int;
  call corral_atomic_begin();
  before := balance;
  balance := before + amount;
  call corral_atomic_end();
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
