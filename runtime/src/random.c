// Random numbers. rand and random return any value, every time: a program must not rely on a sequence, so every one is
// tried. What the standard does promise is that a sequence is a function of its seed. The drand48 family is a formula
// of POSIX; unseeded it is any value, too.
#define _GNU_SOURCE
#include <stdlib.h>

#include "primitives.h"

static uint32_t any(void) { return __whittle_nondet_u32() & RAND_MAX; }

int rand(void) { return (int)any(); }
long random(void) { return (long)any(); }

// For programs that could seed twice (src/frontend/model_choice.h). rand and random share one generator, as in glibc.
#define WHITTLE_REMEMBERED 64
static uint32_t current_seed = 1, drawn;  // numbers drawn since that seed was set
static struct {
  uint32_t seed, index, value;
} remembered[WHITTLE_REMEMBERED];
static uint32_t remembered_count;

static uint32_t draw(void) {
  uint32_t value = any();
  __whittle_atomic_begin();
  uint32_t i = 0;
  while (i < remembered_count && (remembered[i].seed != current_seed || remembered[i].index != drawn)) i++;
  if (i == WHITTLE_REMEMBERED) __whittle_unsupported("more than 64 random numbers in a program that seeds more than once");
  if (i == remembered_count) {
    remembered[i].seed = current_seed;
    remembered[i].index = drawn;
    remembered[i].value = value;
    remembered_count++;
  }
  value = remembered[i].value;
  drawn++;
  __whittle_atomic_end();
  return value;
}
int __whittle_rand_remembered(void) { return (int)draw(); }
long __whittle_random_remembered(void) { return (long)draw(); }

void srandom(unsigned seed) {
  __whittle_atomic_begin();
  current_seed = seed ? seed : 1;  // glibc takes 0 as 1
  drawn = 0;
  __whittle_atomic_end();
}
void srand(unsigned seed) { srandom(seed); }

int rand_r(unsigned* seed) {
  *seed += 1;
  return (int)any();
}

// X' = (a X + c) mod 2^48.
#define MASK48 ((UINT64_C(1) << 48) - 1)
static uint64_t state48, multiplier48 = 0x5deece66d, increment48 = 0xb;
static _Bool seeded48;

static uint64_t step(uint64_t x) { return (multiplier48 * x + increment48) & MASK48; }
static uint64_t next48(void) {
  __whittle_atomic_begin();
  _Bool seeded = seeded48;
  uint64_t value = 0;
  if (seeded) value = state48 = step(state48);
  __whittle_atomic_end();
  return seeded ? value : __whittle_nondet_u64() & MASK48;
}
static uint64_t pack(const unsigned short x[3]) { return (uint64_t)x[2] << 32 | (uint64_t)x[1] << 16 | x[0]; }
static void unpack(uint64_t value, unsigned short x[3]) {
  x[0] = (unsigned short)value;
  x[1] = (unsigned short)(value >> 16);
  x[2] = (unsigned short)(value >> 32);
}
static uint64_t own48(unsigned short x[3]) {
  uint64_t value = step(pack(x));
  unpack(value, x);
  return value;
}
static void seed(uint64_t value, uint64_t multiplier, uint64_t increment) {
  __whittle_atomic_begin();
  state48 = value & MASK48;
  multiplier48 = multiplier;
  increment48 = increment;
  seeded48 = 1;
  __whittle_atomic_end();
}

double drand48(void) { return (double)next48() * 0x1p-48; }
double erand48(unsigned short x[3]) { return (double)own48(x) * 0x1p-48; }
long lrand48(void) { return (long)(next48() >> 17); }
long nrand48(unsigned short x[3]) { return (long)(own48(x) >> 17); }
long mrand48(void) { return (long)(int32_t)(uint32_t)(next48() >> 16); }
long jrand48(unsigned short x[3]) { return (long)(int32_t)(uint32_t)(own48(x) >> 16); }
void srand48(long value) { seed((uint64_t)(uint32_t)value << 16 | 0x330e, 0x5deece66d, 0xb); }
unsigned short* seed48(unsigned short x[3]) {
  static unsigned short old[3];
  unpack(state48, old);
  seed(pack(x), 0x5deece66d, 0xb);
  return old;
}
void lcong48(unsigned short x[7]) { seed(pack(x), pack(x + 3), x[6]); }
