// expect: false(unreach-call)
// The new thread runs before pthread_create has stored its number, and finds another value there when it looks again.
#include <pthread.h>
extern void reach_error(void);
pthread_t thread;
void *look(void *unused) {
  pthread_t first = thread;
  pthread_t second = thread;
  if (first != second) reach_error();
  return 0;
}
int main(void) {
  pthread_create(&thread, 0, look, 0);
  return 0;
}
