// tlsf: N operations with sizes that are not known keep the structures sound.
// source: mattconte/tlsf
// unwind: 34
// sizes: 2
#include <assert.h>
#include "tlsf.c"
extern unsigned char __VERIFIER_nondet_uchar(void);
static unsigned long long memory[1024];
int main(void) {
  tlsf_t t = tlsf_create_with_pool(memory, sizeof memory);
  void *held = 0;
  for (int i = 0; i < N; i++) {
    if (held && __VERIFIER_nondet_uchar() % 2) {
      tlsf_free(t, held);
      held = 0;
    } else {
      void *p = tlsf_malloc(t, __VERIFIER_nondet_uchar() % 64 + 1);
      assert(!p || p != held);
      held = p;
    }
  }
  return 0;
}
