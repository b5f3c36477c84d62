// RUN: check --engin dag
procedure main()
{
}
