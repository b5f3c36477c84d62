// bug: --checks pointer
int main(int argc, char **argv) {
  return argv[1][0];
}
