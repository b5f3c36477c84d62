// RUN: check --all-assertions --goal return
procedure main() { }
