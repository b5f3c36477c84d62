// RUN: check --all-assertions --tune order=forward --tune extended=no
procedure main()
{
}
