// expect: true
// proved-by: auto
// Vectors of more than 128 bits as parameters and results, also through a pointer; instructions on shorter ones.
#include <assert.h>
#include <emmintrin.h>
int __VERIFIER_nondet_int(void);
typedef int ints __attribute__((vector_size(32)));
static ints plus(ints a, int k) { return a + k; }
static int first_zero(__m128i bytes) {
  int mask = _mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_setzero_si128()));
  return mask ? __builtin_ctz((unsigned)mask) : 16;
}
int main(void) {
  int x = __VERIFIER_nondet_int();
  ints (*pointer)(ints, int) = plus;
  ints a = {x, 1, 2, 3, 4, 5, 6, 7};
  a = pointer(plus(a, 1), -1);
  assert(a[0] == x && a[7] == 7);
  char text[16] = "abc";
  assert(first_zero(_mm_loadu_si128((const __m128i *)text)) == 3);
  assert(_mm_extract_epi16(_mm_packs_epi32(_mm_set1_epi32(x), _mm_set1_epi32(70000)), 7) == 32767);
  return 0;
}
