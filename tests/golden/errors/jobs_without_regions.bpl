// RUN: check --jobs 2
procedure main()
{
}
