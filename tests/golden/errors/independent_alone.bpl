// RUN: check --independent
procedure main() { }
