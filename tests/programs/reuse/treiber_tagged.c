// expect: true
// proved-by: explicit
// property: unreach-call
// The same with a number that each exchange increases: an old top is never taken for a new one.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
  int value;
  struct node* next;
};
struct tagged {
  struct node* node;
  unsigned long tag;
};
static _Atomic struct tagged top;
static sem_t loaded;

static void push(struct node* n) {
  struct tagged t = atomic_load(&top), new;
  do {
    n->next = t.node;
    new = (struct tagged){n, t.tag + 1};
  } while (!atomic_compare_exchange_strong(&top, &t, new));
}

static struct node* pop(void) {
  struct tagged t = atomic_load(&top), new;
  do {
    if (!t.node) return 0;
    new = (struct tagged){t.node->next, t.tag + 1};
  } while (!atomic_compare_exchange_strong(&top, &t, new));
  return t.node;
}

static void* slow_pop(void* arg) {
  struct tagged t = atomic_load(&top), new = {t.node->next, t.tag + 1};
  sem_post(&loaded);
  atomic_compare_exchange_strong(&top, &t, new);
  return arg;
}

int main(void) {
  struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b);
  push(b);
  push(a);
  sem_init(&loaded, 0, 0);
  pthread_t slow;
  pthread_create(&slow, 0, slow_pop, 0);
  sem_wait(&loaded);
  struct node* first = pop();
  if (first == a) {
    struct node* second = pop();
    free(first);
    push(malloc(sizeof(struct node)));
    pthread_join(slow, 0);
    if (second == b) {
      struct tagged t = atomic_load(&top);
      assert(t.node != b);
    }
  }
  return 0;
}
