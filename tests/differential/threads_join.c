#include <pthread.h>
#include <stdio.h>
static long results[4];
static void *run(void *argument) {
  long n = (long)argument, sum = 0;
  for (long i = 0; i <= n * 10; i++) sum += i;
  results[n] = sum;
  return (void *)(sum * 2);
}
int main(void) {
  pthread_t t[4];
  for (long i = 0; i < 4; i++) pthread_create(&t[i], 0, run, (void *)i);
  for (int i = 0; i < 4; i++) {
    void *result;
    pthread_join(t[i], &result);
    printf("%d %ld %ld\n", i, results[i], (long)result);
  }
  return 0;
}
