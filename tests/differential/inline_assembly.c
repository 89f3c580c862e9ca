// The instructions of inline assembly, with values at the edges: flags through setcc, widths, registers by name.
#include <stdint.h>
#include <stdio.h>

static const uint64_t values[] = {0, 1, 2, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0x12345678, 0x7fffffff, 0x80000000, 0xffffffff, 0x123456789abcdef0, 0x8000000000000000, ~0ull};
#define COUNT (sizeof values / sizeof *values)

#define ARITHMETIC(NAME, TYPE, FORMAT)                                                                                          \
  static void NAME##_##TYPE(uint64_t x, uint64_t y) {                                                                           \
    TYPE a = (TYPE)x, b = (TYPE)y;                                                                                              \
    unsigned char c, z, s, o, l, g, be;                                                                                         \
    __asm__(#NAME " %8,%0; setc %1; setz %2; sets %3; seto %4; setl %5; setg %6; setbe %7"                                      \
            : "+q"(a), "=&q"(c), "=m"(z), "=m"(s), "=m"(o), "=m"(l), "=m"(g), "=m"(be)                                          \
            : "q"(b)                                                                                                            \
            : "cc");                                                                                                            \
    printf(#NAME " " #TYPE " %llx %d%d%d%d%d%d%d\n", (unsigned long long)a, c, z, s, o, l, g, be);                              \
  }
#define ALL_WIDTHS(NAME) ARITHMETIC(NAME, uint8_t, ) ARITHMETIC(NAME, uint16_t, ) ARITHMETIC(NAME, uint32_t, ) ARITHMETIC(NAME, uint64_t, )
ALL_WIDTHS(add)
ALL_WIDTHS(sub)
ALL_WIDTHS(cmp)
ALL_WIDTHS(and)
ALL_WIDTHS(or)
ALL_WIDTHS(xor)
ALL_WIDTHS(test)

#define SHIFT(NAME, TYPE)                                                  \
  static void NAME##_##TYPE(uint64_t x, unsigned n) {                      \
    TYPE a = (TYPE)x;                                                      \
    __asm__(#NAME " %%cl,%0" : "+q"(a) : "c"(n) : "cc");                   \
    printf(#NAME " " #TYPE " %u %llx\n", n, (unsigned long long)a);        \
  }
#define ALL_SHIFTS(NAME) SHIFT(NAME, uint8_t) SHIFT(NAME, uint16_t) SHIFT(NAME, uint32_t) SHIFT(NAME, uint64_t)
ALL_SHIFTS(shl)
ALL_SHIFTS(shr)
ALL_SHIFTS(sar)
ALL_SHIFTS(rol)
ALL_SHIFTS(ror)

static void products(uint64_t x, uint64_t y) {
  uint64_t low, high;
  __asm__("mulq %3" : "=a"(low), "=d"(high) : "a"(x), "rm"(y) : "cc");
  printf("mulq %llx %llx\n", (unsigned long long)low, (unsigned long long)high);
  __asm__("imulq %3" : "=a"(low), "=d"(high) : "0"(x), "r"(y) : "cc");
  printf("imulq %llx %llx\n", (unsigned long long)low, (unsigned long long)high);
  uint32_t low32 = (uint32_t)x, high32;
  __asm__("mull %2" : "+a"(low32), "=d"(high32) : "r"((uint32_t)y) : "cc");
  printf("mull %x %x\n", low32, high32);
  int product = (int)x, three;
  __asm__("imul %1,%0" : "+r"(product) : "r"((int)y) : "cc");
  __asm__("imull $-7,%1,%0" : "=r"(three) : "r"((int)x) : "cc");
  printf("imul %d %d\n", product, three);
}

static void carried(uint64_t x, uint64_t y) {
  uint64_t low = x, high = y, less = x, lesser = y;
  __asm__("addq %2,%0; adcq %3,%1" : "+&r"(low), "+&r"(high) : "r"(y), "r"(x) : "cc");
  __asm__("subq %2,%0; sbbq $3,%1" : "+&r"(less), "+&r"(lesser) : "r"(y) : "cc");
  printf("carried %llx %llx %llx %llx\n", (unsigned long long)low, (unsigned long long)high, (unsigned long long)less, (unsigned long long)lesser);
  unsigned char out = 0;
  uint32_t kept = (uint32_t)x;
  __asm__("addl %2,%0; incl %0; adcb $0,%1" : "+&r"(kept), "+&q"(out) : "r"((uint32_t)y) : "cc");
  __asm__("negl %0; setc %1" : "+&r"(kept), "=q"(out) : : "cc");
  printf("kept %x %d\n", kept, out);
}

static void moves(uint64_t x, uint64_t y) {
  uint64_t wide, chosen = x;
  __asm__("movzbl %b1,%k0" : "=r"(wide) : "q"(x));
  printf("movzbl %llx\n", (unsigned long long)wide);
  __asm__("movsbq %b1,%0" : "=r"(wide) : "q"(x));
  printf("movsbq %llx\n", (unsigned long long)wide);
  __asm__("movslq %k1,%0" : "=r"(wide) : "r"(x));
  printf("movslq %llx\n", (unsigned long long)wide);
  __asm__("movw %w1,%w0" : "+r"(chosen) : "r"(y));
  printf("movw %llx\n", (unsigned long long)chosen);
  __asm__("cmpq %2,%1; cmovl %2,%0" : "+&r"(chosen) : "r"(x), "r"(y) : "cc");
  printf("cmovl %llx\n", (unsigned long long)chosen);
  uint64_t memory[4] = {x, y, 3, 4};
  __asm__("movq 8(%1),%%rsi; leaq 5(%%rsi,%2,4),%%rsi; movq %%rsi,16(%1,%3,8); movq %%rsi,%0" : "=r"(wide) : "r"(memory), "r"(x), "r"(1l) : "rsi", "memory");
  printf("memory %llx %llx\n", (unsigned long long)wide, (unsigned long long)memory[3]);
  int low = (int)x, high;
  __asm__("cltd" : "+a"(low), "=d"(high));
  printf("cltd %d %d\n", low, high);
}

static void counted(uint64_t x) {
  uint64_t at = 0;
  if (x) {
    __asm__("bsfq %1,%0" : "=r"(at) : "r"(x) : "cc");
    printf("bsfq %llu\n", (unsigned long long)at);
    __asm__("bsrq %1,%0" : "=r"(at) : "r"(x) : "cc");
    printf("bsrq %llu\n", (unsigned long long)at);
  }
  uint32_t swapped = (uint32_t)x;
  __asm__("bswap %0" : "+r"(swapped));
  unsigned char bit;
  __asm__("btl $7,%1; setc %0" : "=q"(bit) : "r"((uint32_t)x) : "cc");
  printf("bswap %x bt %d\n", swapped, bit);
}

static void exchanged(uint64_t x, uint64_t y) {
  uint64_t memory = x, old, other = y;
  __asm__ volatile("lock; cmpxchgq %2,%1" : "=a"(old), "+m"(memory) : "r"(y), "a"(x & y) : "cc", "memory");
  printf("cmpxchg %llx %llx\n", (unsigned long long)old, (unsigned long long)memory);
  __asm__ volatile("lock xaddq %0,%1" : "+r"(other), "+m"(memory) : : "cc", "memory");
  __asm__ volatile("xchgq %0,%1" : "+r"(other), "+m"(memory) : : "memory");
  printf("xadd xchg %llx %llx\n", (unsigned long long)other, (unsigned long long)memory);
  unsigned __int128 pair = ((unsigned __int128)y << 64) | x;
  __attribute__((aligned(16))) unsigned __int128 cell = pair;
  uint64_t low = x, high = y;
  unsigned char same;
  __asm__ volatile("lock cmpxchg16b %1; setz %0" : "=q"(same), "+m"(cell), "+a"(low), "+d"(high) : "b"(y), "c"(x) : "cc", "memory");
  printf("pair %d %llx %llx %llx\n", same, (unsigned long long)cell, (unsigned long long)(cell >> 64), (unsigned long long)low);
}

static void filled(void) {
  uint64_t words[4] = {1, 2, 3, 4};
  long left, end;
  __asm__ volatile("cld; rep; stosq" : "=c"(left), "=D"(end) : "a"(9), "0"(3), "1"(words) : "memory");
  printf("stosq %ld %d %d %d %d %d\n", left, (int)((char *)end - (char *)words), (int)words[0], (int)words[1], (int)words[2], (int)words[3]);
}

int main(void) {
  for (unsigned i = 0; i < COUNT; i++) {
    for (unsigned j = 0; j < COUNT; j++) {
      uint64_t x = values[i], y = values[j];
#define RUN(NAME) NAME##_uint8_t(x, y), NAME##_uint16_t(x, y), NAME##_uint32_t(x, y), NAME##_uint64_t(x, y)
      RUN(add), RUN(sub), RUN(cmp), RUN(and), RUN(or), RUN(xor), RUN(test);
      products(x, y), carried(x, y), moves(x, y), exchanged(x, y);
    }
    static const unsigned counts[] = {0, 1, 7, 8, 15, 16, 31, 32, 40, 63, 64, 255};
    for (unsigned j = 0; j < sizeof counts / sizeof *counts; j++) {
      uint64_t x = values[i];
      unsigned y = counts[j];
      RUN(shl), RUN(shr), RUN(sar), RUN(rol), RUN(ror);
    }
    counted(values[i]);
  }
  filled();
  return 0;
}
