// RUN: check
procedure {:entrypoint} first()
{
}

procedure {:entrypoint} second()
{
}
