// Nothing can be loaded: dlopen fails, and dlerror tells so once.
// expect: true
#include <assert.h>
#include <dlfcn.h>
#include <string.h>
int main(void) {
  assert(dlerror() == 0);
  void *plugin = dlopen("plugin.so", RTLD_NOW);
  if (plugin) {
    void (*start)(void) = (void (*)(void))dlsym(plugin, "start");
    start();
    dlclose(plugin);
  }
  const char *why = dlerror();
  assert(why && strlen(why) > 0);
  assert(dlerror() == 0);
  return 0;
}
