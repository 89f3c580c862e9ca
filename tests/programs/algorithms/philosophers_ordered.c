// expect: true
#include <pthread.h>
#define COUNT 3
static pthread_mutex_t forks[COUNT];
static void *dine(void *argument) {
  int me = *(int *)argument, other = (me + 1) % COUNT;
  int low = me < other ? me : other, high = me < other ? other : me;
  pthread_mutex_lock(&forks[low]);
  pthread_mutex_lock(&forks[high]);
  pthread_mutex_unlock(&forks[high]);
  pthread_mutex_unlock(&forks[low]);
  return 0;
}
int main(void) {
  pthread_t t[COUNT];
  int who[COUNT];
  for (int i = 0; i < COUNT; i++) pthread_mutex_init(&forks[i], 0);
  for (int i = 0; i < COUNT; i++) {
    who[i] = i;
    pthread_create(&t[i], 0, dine, &who[i]);
  }
  for (int i = 0; i < COUNT; i++) pthread_join(t[i], 0);
  return 0;
}
