// expect: unknown
#include <assert.h>
#include <pthread.h>
#include <signal.h>
static volatile int seen;
static void handler(int number) { seen = number; }
static void *run(void *unused) {
  raise(SIGUSR1);
  assert(seen);
  return unused;
}
int main(void) {
  sigset_t set;
  signal(SIGUSR1, handler);
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, 0);
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
  return 0;
}
