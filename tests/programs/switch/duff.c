// expect: true
#include <assert.h>
static void copy(char *to, const char *from, int count) {
  int rounds = (count + 3) / 4;
  switch (count % 4) {
    case 0: do { *to++ = *from++;
    case 3: *to++ = *from++;
    case 2: *to++ = *from++;
    case 1: *to++ = *from++;
            } while (--rounds > 0);
  }
}
int main(void) {
  const char from[] = "0123456789";
  for (int n = 1; n <= 10; n++) {
    char to[11] = "..........";
    copy(to, from, n);
    for (int i = 0; i < 10; i++) assert(to[i] == (i < n ? from[i] : '.'));
  }
  return 0;
}
