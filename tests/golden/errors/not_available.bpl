// RUN: check --houdini --refine alg2
procedure main()
{
}
