// RUN: check --tune missing-bodies=error
int unknown(int x);
int main(void) { return unknown(1); }
