// Threads give disk blocks to inodes, each under its lock. With few inodes some threads share one.
#include <assert.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 8
#endif
#ifndef INODES
#define INODES 4
#endif
#define BLOCKS 13

pthread_mutex_t lock_inode[INODES], lock_block[BLOCKS];
int inode[INODES], busy[BLOCKS];

static void *allocate(void *number) {
  int i = (int)(long)number % INODES;
  pthread_mutex_lock(&lock_inode[i]);
  if (inode[i] == 0) {
    for (int b = (i * 2) % BLOCKS;; b = (b + 1) % BLOCKS) {
      pthread_mutex_lock(&lock_block[b]);
      if (!busy[b]) {
        busy[b] = 1;
        inode[i] = b + 1;
        pthread_mutex_unlock(&lock_block[b]);
        break;
      }
      pthread_mutex_unlock(&lock_block[b]);
    }
  }
  assert(inode[i] == (i * 2) % BLOCKS + 1);
  pthread_mutex_unlock(&lock_inode[i]);
  return 0;
}

int main(void) {
  pthread_t threads[THREADS];
  for (long t = 0; t < THREADS; t++) pthread_create(&threads[t], 0, allocate, (void *)t);
  for (int t = 0; t < THREADS; t++) pthread_join(threads[t], 0);
  return 0;
}
