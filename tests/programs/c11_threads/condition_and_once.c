// expect: true
#include <assert.h>
#include <threads.h>
static mtx_t mutex;
static cnd_t cond;
static once_flag flag = ONCE_FLAG_INIT;
static tss_t key;
static int ready, prepared;
static void prepare(void) { prepared++; }
static int run(void *argument) {
  call_once(&flag, prepare);
  tss_set(key, argument);
  assert(tss_get(key) == argument);
  mtx_lock(&mutex);
  ready = 1;
  cnd_signal(&cond);
  mtx_unlock(&mutex);
  thrd_exit(5);
}
int main(void) {
  thrd_t t;
  int result;
  mtx_init(&mutex, mtx_recursive);
  cnd_init(&cond);
  tss_create(&key, 0);
  thrd_create(&t, run, &result);
  call_once(&flag, prepare);
  mtx_lock(&mutex);
  while (!ready) cnd_wait(&cond, &mutex);
  mtx_unlock(&mutex);
  thrd_join(t, &result);
  assert(result == 5 && prepared == 1 && tss_get(key) == 0);
  return 0;
}
