// RUN: check --checks assert --unwind 2
// RUN: check --checks assert --unwind 2 -D BUG
#include "../../../../examples/concurrent/driver.c"
