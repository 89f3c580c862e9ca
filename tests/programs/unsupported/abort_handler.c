// expect: unknown
// abort() calls the handler first.
#include <signal.h>
#include <stdlib.h>
static void handler(int number) { (void)number; }
int main(void) {
  signal(SIGABRT, handler);
  abort();
}
