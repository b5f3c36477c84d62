// RUN: check
procedure main();
