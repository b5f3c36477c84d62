// RUN: check --jobs 2 --store folder
procedure main()
{
}
