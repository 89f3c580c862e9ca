// Instructions on vectors, by the functions of the compiler's headers; long vectors as parameters and results.
#include <emmintrin.h>
#include <stdint.h>
#include <stdio.h>

static const uint32_t words[] = {0, 1, 0x7f, 0x80, 0xff, 0x7fff8000, 0x80007fff, 0xffffffff, 0x00ff0100, 0x12345678, 0x8080807f, 0xfffe0002};
#define COUNT (sizeof words / sizeof *words)

static void show(const char *name, __m128i x) {
  uint64_t out[2];
  _mm_storeu_si128((__m128i *)out, x);
  printf("%s %016llx%016llx\n", name, (unsigned long long)out[1], (unsigned long long)out[0]);
}
#define BINARY(NAME) show(#NAME, _mm_##NAME(a, b))

static void all(__m128i a, __m128i b) {
  BINARY(packs_epi16), BINARY(packs_epi32), BINARY(packus_epi16), BINARY(mulhi_epi16), BINARY(mulhi_epu16), BINARY(madd_epi16);
  BINARY(avg_epu8), BINARY(avg_epu16), BINARY(sad_epu8), BINARY(adds_epi8), BINARY(adds_epu16), BINARY(subs_epi16), BINARY(subs_epu8);
  BINARY(min_epu8), BINARY(max_epi16), BINARY(mul_epu32), BINARY(unpackhi_epi8), BINARY(cmpgt_epi32);
  BINARY(sll_epi16), BINARY(srl_epi32), BINARY(sra_epi16), BINARY(sll_epi64);
  show("slli", _mm_slli_epi16(a, 5)), show("srli", _mm_srli_epi64(a, 33)), show("srai", _mm_srai_epi32(a, 31));
  show("slli_si128", _mm_slli_si128(a, 3));
  for (int n = 0; n < 70; n += 23) show("counted", _mm_sra_epi32(_mm_srli_epi16(a, n), _mm_cvtsi32_si128(n)));
  printf("masks %x %x %x\n", (unsigned)_mm_movemask_epi8(a), (unsigned)_mm_movemask_ps(_mm_castsi128_ps(a)), (unsigned)_mm_movemask_pd(_mm_castsi128_pd(b)));
}

// As fast string functions look for a byte.
static int find(const char *text, char c) {
  __m128i wanted = _mm_set1_epi8(c);
  int mask = _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)text), wanted));
  return mask ? __builtin_ctz((unsigned)mask) : -1;
}

typedef int ints __attribute__((vector_size(32)));
typedef double doubles __attribute__((vector_size(64)));
static ints plus(ints a, int k) { return a + k; }
static doubles scale(int count, doubles a, ints b) { return count == 0 ? a : scale(count - 1, a * (double)b[count], plus(b, count)); }

int main(void) {
  for (unsigned i = 0; i < COUNT; i++)
    for (unsigned j = 0; j < COUNT; j++)
      all(_mm_set_epi32((int)words[i], (int)words[j], (int)words[(i + j) % COUNT], 7), _mm_set_epi32((int)words[j], (int)i, (int)words[i], (int)words[(i * j) % COUNT]));
  printf("find %d %d\n", find("abcdefghijklmnop", 'k'), find("abcdefghijklmnop", 'z'));
  ints (*volatile pointer)(ints, int) = plus;
  ints v = pointer((ints){1, 2, 3, 4, 5, 6, 7, 8}, 10);
  doubles d = scale(3, (doubles){1, 2, 3, 4, 5, 6, 7, 0.5}, v);
  for (int i = 0; i < 8; i++) printf("%d %g\n", v[i], d[i]);
  return 0;
}
