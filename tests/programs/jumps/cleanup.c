// expect: true
// proved-by: auto
// Handlers run last first when the thread ends inside, and when they are taken off with an argument that is not 0.
#include <assert.h>
#include <pthread.h>
static int order[4], count;
static void note(void *number) { order[count++] = *(int *)number; }
static int one = 1, two = 2, three = 3;
static void leave(void) { pthread_exit(&two); }
static void *run(void *unused) {
  (void)unused;
  pthread_cleanup_push(note, &three);
  pthread_cleanup_pop(1);
  pthread_cleanup_push(note, &one);
  pthread_cleanup_push(note, &two);
  leave();
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(0);
  assert(0);
  return 0;
}
int main(void) {
  pthread_t t;
  void *result;
  pthread_create(&t, 0, run, 0);
  pthread_join(t, &result);
  assert(result == &two && count == 3);
  assert(order[0] == 3 && order[1] == 2 && order[2] == 1);
  return 0;
}
