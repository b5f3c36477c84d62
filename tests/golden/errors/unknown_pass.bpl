// RUN: transform --pass lower,extract-lops
procedure main()
{
}
