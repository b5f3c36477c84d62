// RUN: check --refine alg2
procedure main()
{
}
