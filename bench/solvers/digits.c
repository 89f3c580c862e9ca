// A number is read from text, written again, and is the same text.
#include <assert.h>

char __VERIFIER_nondet_char(void);

#define N 4

int main(void) {
  char text[N], again[N];
  unsigned value = 0;
  for (int i = 0; i < N; ++i) {
    text[i] = __VERIFIER_nondet_char();
    if (text[i] < '0' || text[i] > '9') return 0;
    value = value * 10 + (unsigned)(text[i] - '0');
  }
  for (int i = N; i-- > 0; value /= 10) again[i] = (char)('0' + value % 10);
  for (int i = 0; i < N; ++i) assert(text[i] == again[i]);
}
