// RUN: summaries --houdini-timeout 0
procedure main()
{
}
