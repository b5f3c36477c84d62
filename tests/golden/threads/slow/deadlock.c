// RUN: check --checks deadlock --unwind 2
// RUN: check --checks deadlock --unwind 2 -D BUG
#include "../../../../examples/concurrent/deadlock.c"
