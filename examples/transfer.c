// A deadlock that tests rarely hit: two transfers lock the same two accounts in opposite order.
//
//   whittle check examples/transfer.c
//
// The report names where each thread waits. Locking the account with the smaller number first cures it.
//
// expect: false(no-deadlock)
#include <pthread.h>

struct account {
  pthread_mutex_t mutex;
  int number, balance;
};

static struct account alice = {PTHREAD_MUTEX_INITIALIZER, 1, 100};
static struct account bob = {PTHREAD_MUTEX_INITIALIZER, 2, 100};

static void transfer(struct account *from, struct account *to, int amount) {
  pthread_mutex_lock(&from->mutex);
  pthread_mutex_lock(&to->mutex);
  from->balance -= amount;
  to->balance += amount;
  pthread_mutex_unlock(&to->mutex);
  pthread_mutex_unlock(&from->mutex);
}

static void *alice_pays(void *unused) {
  transfer(&alice, &bob, 10);
  return unused;
}
static void *bob_pays(void *unused) {
  transfer(&bob, &alice, 20);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, alice_pays, 0);
  pthread_create(&b, 0, bob_pays, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
