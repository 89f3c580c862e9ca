// expect: unknown
#include <pthread.h>

static void* nothing(void* unused) { return unused; }

// Every pthread_t is kept, so that none may be given out again.
int main(void) {
  static pthread_t t[100];
  for (int i = 0; i < 100; i++) {
    pthread_create(&t[i], 0, nothing, 0);
    pthread_join(t[i], 0);
  }
  return 0;
}
