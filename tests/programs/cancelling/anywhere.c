// expect: unknown
// Threads that are cancelled anywhere are refused by name.
#include <pthread.h>
static void *run(void *unused) {
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0);
  for (;;) {
  }
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  pthread_cancel(t);
  pthread_join(t, 0);
  return 0;
}
