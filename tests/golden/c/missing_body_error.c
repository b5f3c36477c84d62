// RUN: check --missing-bodies error
int unknown(int x);
int main(void) { return unknown(1); }
