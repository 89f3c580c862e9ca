// expect: true
#include <pthread.h>
#include <stdio.h>
static void *run(void *argument) {
  printf("thread %d\n", *(int *)argument);
  puts("done");
  return 0;
}
int main(void) {
  pthread_t a;
  int one = 1;
  pthread_create(&a, 0, run, &one);
  fprintf(stderr, "main %s\n", "waits");
  pthread_join(a, 0);
  return 0;
}
