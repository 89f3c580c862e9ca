// What dlopen gave is used although it may be null.
// expect: unknown
#include <dlfcn.h>
int main(void) {
  void *plugin = dlopen("plugin.so", RTLD_NOW);
  int *limit = (int *)dlsym(plugin, "limit");
  return *limit;
}
