// A ticket lock: whoever draws the number that is served has the lock.
#include <assert.h>
#include <pthread.h>

unsigned next, served;
int owner;

static void *work(void *me) {
  unsigned mine = __atomic_fetch_add(&next, 1, __ATOMIC_SEQ_CST);
  while (__atomic_load_n(&served, __ATOMIC_SEQ_CST) != mine)
    ;
  owner = (int)(long)me;
  assert(owner == (int)(long)me);
  __atomic_store_n(&served, served + 1, __ATOMIC_SEQ_CST);
  return 0;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, work, (void *)1L);
  pthread_create(&two, 0, work, (void *)2L);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 0;
}
