// Code that is loaded at run time: there is none, so dlopen fails, as it may.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>

#include "primitives.h"

static _Bool failed;  // since dlerror was asked

void* dlopen(const char* file, int mode) {
  (void)mode;
  if (!file) __whittle_unsupported("dlopen of the program itself");
  (void)strlen(file);
  __whittle_atomic_begin();
  failed = 1;
  __whittle_atomic_end();
  return 0;
}
char* dlerror(void) {
  __whittle_atomic_begin();
  _Bool now = failed;
  failed = 0;
  __whittle_atomic_end();
  return now ? (char*)"cannot open shared object file" : 0;
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
