// expect: false(unreach-call) line 52
// property: unreach-call
// A stack without a lock: the slow thread has read the top and what follows it; meanwhile both are popped, the first is
// freed and malloc gives its place again. The exchange succeeds, and what was popped is on the stack again (ABA).
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
  int value;
  struct node* next;
};
static struct node* _Atomic top;
static sem_t loaded;

static void push(struct node* n) {
  n->next = atomic_load(&top);
  while (!atomic_compare_exchange_strong(&top, &n->next, n));
}

static struct node* pop(void) {
  struct node* t = atomic_load(&top);
  while (t && !atomic_compare_exchange_strong(&top, &t, t->next));
  return t;
}

static void* slow_pop(void* arg) {
  struct node* t = atomic_load(&top);
  struct node* n = t->next;
  sem_post(&loaded);
  atomic_compare_exchange_strong(&top, &t, n);
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
    if (second == b)
      assert(atomic_load(&top) != b);
  }
  return 0;
}
