// RUN: check --all-assertions --order forward --no-extended
procedure main()
{
}
