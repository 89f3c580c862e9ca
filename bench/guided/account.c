// Money comes and goes, each under the lock; the check expects the wrong sum.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x = 1, y = 2, z = 4, balance = 1;
int deposited, withdrawn;

static void *deposit(void *unused) {
  pthread_mutex_lock(&m);
  balance = balance + y;
  deposited = 1;
  pthread_mutex_unlock(&m);
  return unused;
}

static void *withdraw(void *unused) {
  pthread_mutex_lock(&m);
  balance = balance - z;
  withdrawn = 1;
  pthread_mutex_unlock(&m);
  return unused;
}

static void *check(void *unused) {
  pthread_mutex_lock(&m);
  if (deposited && withdrawn) assert(balance == x - y - z);
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], 0, check, 0);
  pthread_create(&threads[1], 0, deposit, 0);
  pthread_create(&threads[2], 0, withdraw, 0);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
  return 0;
}
