// RUN: transform --pass prune
var used, unused: int;
const c: int;

procedure Used()
  modifies used;
{
  used := used + 1;
  return;
  used := 0;
}

procedure Unused()
  modifies unused;
{
  unused := c;
}

procedure main()
  modifies used, unused;
{
  start:
    call Used();
    goto end;
  island:
    used := 7;
    goto island, end;
  end:
    return;
}
