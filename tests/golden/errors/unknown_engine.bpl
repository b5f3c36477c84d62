// RUN: check --engine stratifeid
procedure main()
{
}
