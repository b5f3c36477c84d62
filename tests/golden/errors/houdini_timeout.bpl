// RUN: summaries --tune houdini-timeout=0
procedure main()
{
}
