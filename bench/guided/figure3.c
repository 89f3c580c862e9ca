// K pieces of work that have nothing to do with each other: 2^K runs, of which K + 1 are needed.
#include <assert.h>
#include <pthread.h>

#ifndef K
#define K 3
#endif

int cells[K];

static void *writer(void *cell) {
  *(int *)cell = 10;
  return 0;
}

#define PIECE(i)                                      \
  if (i < K) {                                        \
    pthread_create(&thread, 0, writer, &cells[i % K]); \
    int a = cells[i % K];                             \
    pthread_join(thread, 0);                          \
    assert(a > 0);                                    \
  }

int main(void) {
  pthread_t thread;
  for (int i = 0; i < K; i++) cells[i] = 1;
  PIECE(0) PIECE(1) PIECE(2) PIECE(3) PIECE(4) PIECE(5) PIECE(6) PIECE(7) PIECE(8) PIECE(9) PIECE(10) PIECE(11)
  return 0;
}
