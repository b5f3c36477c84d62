// RUN: check
procedure main()
{
  goto nowhere;
  break;
  here:
  while (true) {
    break there;
  }
}
