// RUN: check
procedure other() { }
procedure main<T>(x: T) { assert x == x; }
