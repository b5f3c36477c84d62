/* The environment of floats as a whole, of which the rounding mode is all that can be told. */

int fegetround(void);
int fesetround(int mode);

int fegetenv(int *environment) {
  *environment = fegetround();
  return 0;
}

int feholdexcept(int *environment) {
  *environment = fegetround();
  return 0;
}

int fesetenv(const int *environment) {
  if (environment == (const int *)-1) return fesetround(0); /* FE_DFL_ENV */
  return fesetround(*environment);
}

int feupdateenv(const int *environment) {
  if (environment == (const int *)-1) return fesetround(0);
  return fesetround(*environment);
}
