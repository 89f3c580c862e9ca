// Three look-ups, each with the value of the one before.
#include <assert.h>

unsigned char __VERIFIER_nondet_uchar(void);

static unsigned char step[256], back[256];

int main(void) {
  for (int i = 0; i < 256; ++i) {
    step[i] = (unsigned char)(i * 5 + 7);
    back[step[i]] = (unsigned char)i;
  }
  unsigned char c = __VERIFIER_nondet_uchar();
  unsigned char d = step[step[step[c]]];
  assert(back[back[back[d]]] == c);
}
