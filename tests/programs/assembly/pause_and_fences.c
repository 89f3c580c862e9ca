// Functions of the compiler's headers that are one instruction.
// expect: true
// proved-by: dash merge explicit
#include <assert.h>
#include <x86intrin.h>

int main(void) {
  int x = 1;
  _mm_pause();
  _mm_lfence();
  _mm_sfence();
  _mm_mfence();
  _mm_clflush(&x);
  assert(x == 1);
  return 0;
}
