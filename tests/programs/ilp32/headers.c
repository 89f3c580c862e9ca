// expect: true
// options: --data-model ILP32
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>
int main(void) {
  errno = 0;
  assert(strtol("99999999999", 0, 10) == LONG_MAX && errno == ERANGE);
  assert(sqrt(16.0) == 4.0 && isdigit('7') && sizeof(time_t) == 4);
  return 0;
}
