#include <stdio.h>
#include <threads.h>
static mtx_t mutex;
static once_flag flag = ONCE_FLAG_INIT;
static int total, prepared;
static _Thread_local int mine = 3;
static void prepare(void) { prepared++; }
static int run(void *argument) {
  call_once(&flag, prepare);
  mine *= *(int *)argument;
  mtx_lock(&mutex);
  total += mine;
  mtx_unlock(&mutex);
  return mine;
}
int main(void) {
  thrd_t t[3];
  int factors[3] = {2, 3, 4}, result;
  mtx_init(&mutex, mtx_plain);
  for (int i = 0; i < 3; i++) thrd_create(&t[i], run, &factors[i]);
  for (int i = 0; i < 3; i++) thrd_join(t[i], &result), printf("%d\n", result);
  printf("%d %d %d\n", total, prepared, mine);
  return 0;
}
