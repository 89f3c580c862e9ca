// fenv.h. Numbers are rounded to nearest; another mode is refused by name. Which exceptions were raised is not kept track
// of, so asking for them is refused, and clearing them is nothing.
#include <fenv.h>

#include "primitives.h"

int fegetround(void) { return FE_TONEAREST; }
int fesetround(int mode) {
  if (mode == FE_TONEAREST) return 0;
  if (mode == FE_DOWNWARD || mode == FE_UPWARD || mode == FE_TOWARDZERO)
    __whittle_unsupported("rounding mode other than to nearest");
  return 1;
}
int feclearexcept(int exceptions) {
  (void)exceptions;
  return 0;
}
int fegetenv(fenv_t* environment) {
  __builtin_memset(environment, 0, sizeof *environment);
  return 0;
}
int feholdexcept(fenv_t* environment) { return fegetenv(environment); }
int fesetenv(const fenv_t* environment) {
  if (environment != FE_DFL_ENV) (void)*(volatile const char*)environment;
  return 0;
}
