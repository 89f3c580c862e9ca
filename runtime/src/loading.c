// Code that is loaded at run time: there is none, so dlopen fails, as it may.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>

#include "primitives.h"

static _Bool failed;  // since dlerror was asked
static char missing[256];

void* dlopen(const char* file, int mode) {
  (void)mode;
  if (!file) __whittle_unsupported("dlopen of the program itself");
  size_t length = strlen(file);
  if (length >= sizeof missing) __whittle_unsupported("dlopen of a name of 256 or more characters");
  __whittle_atomic_begin();
  failed = 1;
  for (size_t i = 0; i <= length; i++) missing[i] = file[i];
  __whittle_atomic_end();
  return 0;
}
char* dlerror(void) {
  __whittle_atomic_begin();
  static char text[sizeof missing + 64];
  _Bool now = failed;
  failed = 0;
  strcpy(strcpy(text, missing) + strlen(missing), ": cannot open shared object file: No such file or directory");
  __whittle_atomic_end();
  return now ? text : 0;
}
// What dlopen gave is null, or the program's own.
void* dlsym(void* restrict handle, const char* restrict name) {
  (void)handle, (void)name;
  __whittle_unsupported("dlsym");
}
int dlclose(void* handle) {
  (void)handle;
  __whittle_unsupported("dlclose");
}
