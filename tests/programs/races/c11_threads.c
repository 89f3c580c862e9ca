// expect: false(no-data-race)
// property: no-data-race
#include <threads.h>
int x;
static int a(void *p) {
  x = 1;
  return 0;
}
int main(void) {
  thrd_t t;
  thrd_create(&t, a, 0);
  x = 2;
  thrd_join(t, 0);
  return 0;
}
