static inline int half(int x) {
  int r = x / 2;
  return r;
}
