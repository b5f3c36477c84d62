// RUN: check --recursion-bound 0 --unwind -1 --timeout 0
procedure main()
{
}
