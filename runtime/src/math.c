// math.h. What is exact in IEEE 754 is done by the machine's own operations or on the bits; the rest asks the host's
// libm, on concrete values only. Compiled with -fno-math-errno, so that the builtins here do not call themselves.
#define _GNU_SOURCE
#include <math.h>

#include "decimal.h"

static uint64_t bits_of(double x) {
  uint64_t bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits;
}
static double from_bits(uint64_t bits) {
  double x;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}
static uint32_t bits_of_float(float x) {
  uint32_t bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits;
}
static float float_from_bits(uint32_t bits) {
  float x;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}
#define SIGN (UINT64_C(1) << 63)

// Every function of one argument in its three types. A long double that is followed at all is a double: what is exact for
// those is exact.
#define EXACT(name)                                         \
  double name(double x) { return __builtin_##name(x); }     \
  float name##f(float x) { return __builtin_##name##f(x); } \
  long double name##l(long double x) { return __builtin_##name((double)x); }
EXACT(fabs)
double sqrt(double x) { return __builtin_sqrt(x); }
float sqrtf(float x) { return __builtin_sqrtf(x); }
long double sqrtl(long double x) {
  long double root = __builtin_sqrt((double)x);
  if (root - root == 0 && root * root != x) __whittle_unsupported("sqrtl of a number whose root is not exact");
  return root;
}
EXACT(floor)
EXACT(ceil)
EXACT(trunc)
EXACT(rint)
EXACT(nearbyint)

double fmod(double x, double y) { return __builtin_fmod(x, y); }
float fmodf(float x, float y) { return __builtin_fmodf(x, y); }
long double fmodl(long double x, long double y) { return __builtin_fmod(x, y); }

double copysign(double x, double y) { return from_bits((bits_of(x) & ~SIGN) | (bits_of(y) & SIGN)); }
float copysignf(float x, float y) {
  return float_from_bits((bits_of_float(x) & 0x7fffffff) | (bits_of_float(y) & 0x80000000));
}
long double copysignl(long double x, long double y) { return copysign(x, y); }

// Half away from zero. x - trunc(x) is exact.
double round(double x) {
  double whole = __builtin_trunc(x);
  if (__builtin_fabs(x - whole) >= 0.5) whole += copysign(1.0, x);
  return copysign(whole, x);
}
float roundf(float x) { return (float)round(x); }
long double roundl(long double x) { return round(x); }
double roundeven(double x) { return __builtin_rint(x); }

#define TO_INTEGER(name, type, through)                      \
  type name(double x) { return (type)through(x); }           \
  type name##f(float x) { return (type)through((double)x); } \
  type name##l(long double x) { return (type)through((double)x); }
TO_INTEGER(lround, long, round)
TO_INTEGER(llround, long long, round)
TO_INTEGER(lrint, long, __builtin_rint)
TO_INTEGER(llrint, long long, __builtin_rint)

#define BINARY(name, body)                         \
  double name(double x, double y) { return body; } \
  float name##f(float x, float y) { return body; } \
  long double name##l(long double x, long double y) { return body; }
BINARY(fmin, x != x ? y : y != y ? x : x < y ? x : y)
BINARY(fmax, x != x ? y : y != y ? x : x > y ? x : y)
BINARY(fdim, x != x || y != y ? x + y : x > y ? x - y : 0)

// Any of the classifying functions behind the macros of math.h.
#define CLASSIFY(suffix, type)                                                                    \
  int __isnan##suffix(type x) { return x != x; }                                                  \
  int __isinf##suffix(type x) { return x == (type)HUGE_VAL ? 1 : x == -(type)HUGE_VAL ? -1 : 0; } \
  int __finite##suffix(type x) { return x - x == 0; }                                             \
  int __signbit##suffix(type x) { return bits_of((double)x) >> 63 ? 1 : 0; }
CLASSIFY(, double)
CLASSIFY(f, float)
CLASSIFY(l, long double)
#undef isnan
#undef isinf
#undef finite
int isnan(double x) { return x != x; }
int isnanf(float x) { return x != x; }
int isinf(double x) { return x == HUGE_VAL ? 1 : x == -HUGE_VAL ? -1 : 0; }
int isnanl(long double x) { return x != x; }
int isinfl(long double x) { return isinf((double)x); }
int finitel(long double x) { return x - x == 0; }
int isinff(float x) { return isinf((double)x); }
int finite(double x) { return x - x == 0; }
int finitef(float x) { return x - x == 0; }
int __fpclassify(double x) {
  uint64_t bits = bits_of(x) & ~SIGN;
  if (bits == 0) return FP_ZERO;
  if (bits >> 52 == 0) return FP_SUBNORMAL;
  if (bits >> 52 < 0x7ff) return FP_NORMAL;
  return bits << 12 ? FP_NAN : FP_INFINITE;
}
int __fpclassifyl(long double x) {
  int kind = __fpclassify((double)x);
  return kind == FP_SUBNORMAL ? FP_NORMAL : kind;
}
int __fpclassifyf(float x) {
  uint32_t bits = bits_of_float(x) & 0x7fffffff;
  if (bits == 0) return FP_ZERO;
  if (bits >> 23 == 0) return FP_SUBNORMAL;
  if (bits >> 23 < 0xff) return FP_NORMAL;
  return bits << 9 ? FP_NAN : FP_INFINITE;
}

double modf(double x, double* whole) {
  *whole = __builtin_trunc(x);
  return copysign(__isinf(x) ? 0 : x - *whole, x);
}
float modff(float x, float* whole) {
  *whole = __builtin_truncf(x);
  return copysignf(__isinff(x) ? 0 : x - *whole, x);
}
long double modfl(long double x, long double* whole) {
  double part, rest = modf((double)x, &part);
  *whole = part;
  return rest;
}

double frexp(double x, int* exponent) {
  *exponent = 0;
  if (x == 0 || x - x != 0) return x;
  if (__fpclassify(x) == FP_SUBNORMAL) {
    x *= 0x1p54;
    *exponent = -54;
  }
  *exponent += (int)(bits_of(x) >> 52 & 0x7ff) - 1022;
  return from_bits((bits_of(x) & ~(UINT64_C(0x7ff) << 52)) | UINT64_C(1022) << 52);
}
float frexpf(float x, int* exponent) { return (float)frexp(x, exponent); }
long double frexpl(long double x, int* exponent) { return frexp(x, exponent); }
double ldexp(double x, int exponent) {
  if (x == 0 || x - x != 0) return x;
  int own;
  double fraction = frexp(x, &own);
  if (exponent > 3000) exponent = 3000;
  if (exponent < -3000) exponent = -3000;
  uint64_t mantissa = (bits_of(fraction) & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
  _Bool out_of_range;
  return copysign(__whittle_scale(mantissa, own + exponent - 53, 0, &out_of_range), x);
}
float ldexpf(float x, int exponent) { return (float)ldexp(x, exponent); }
long double ldexpl(long double x, int exponent) {
  double result = ldexp((double)x, exponent);
  if (x != 0 && x - x == 0 && __fpclassify(result) != FP_NORMAL) __whittle_unsupported("ldexpl beyond the range of double");
  return result;
}
double scalbn(double x, int exponent) { return ldexp(x, exponent); }
float scalbnf(float x, int exponent) { return (float)ldexp(x, exponent); }
double scalbln(double x, long exponent) {
  return ldexp(x, exponent > 3000 ? 3000 : exponent < -3000 ? -3000 : (int)exponent);
}
int ilogb(double x) {
  int exponent;
  if (x == 0) return FP_ILOGB0;
  if (x - x != 0) return x != x ? FP_ILOGBNAN : __INT_MAX__;
  frexp(x, &exponent);
  return exponent - 1;
}
double logb(double x) {
  if (x == 0) return -HUGE_VAL;
  return x - x != 0 ? x * x : ilogb(x);
}
double nextafter(double x, double y) {
  if (x != x || y != y) return x + y;
  if (x == y) return y;
  if (x == 0) return copysign(from_bits(1), y);
  return from_bits((x < y) == (x > 0) ? bits_of(x) + 1 : bits_of(x) - 1);
}
float nextafterf(float x, float y) {
  if (x != x || y != y) return x + y;
  if (x == y) return y;
  if (x == 0) return copysignf(float_from_bits(1), y);
  return float_from_bits((x < y) == (x > 0) ? bits_of_float(x) + 1 : bits_of_float(x) - 1);
}
int ilogbf(float x) { return ilogb(x); }
int ilogbl(long double x) { return ilogb(x); }
float logbf(float x) { return (float)logb(x); }
long double logbl(long double x) { return logb(x); }
long double scalbnl(long double x, int exponent) { return ldexpl(x, exponent); }
float scalblnf(float x, long exponent) { return (float)scalbln(x, exponent); }
long double scalblnl(long double x, long exponent) {
  return ldexpl(x, exponent > 3000 ? 3000 : exponent < -3000 ? -3000 : (int)exponent);
}
long double nextafterl(long double x, long double y) {
  if (x != y) __whittle_unsupported("nextafterl");
  return y;
}
double nexttoward(double x, long double y) { return nextafter(x, y); }
void sincos(double x, double* sine, double* cosine) {
  *sine = sin(x);
  *cosine = cos(x);
}
void sincosf(float x, float* sine, float* cosine) {
  *sine = sinf(x);
  *cosine = cosf(x);
}
double nan(const char* tag) {
  (void)tag;
  return __builtin_nan("");
}
float nanf(const char* tag) {
  (void)tag;
  return __builtin_nanf("");
}
double fma(double x, double y, double z) { return __builtin_fma(x, y, z); }
float fmaf(float x, float y, float z) { return __builtin_fmaf(x, y, z); }

#define HOST1(name)                                                 \
  double name(double x) { return __whittle_math1(#name, x); }       \
  float name##f(float x) { return __whittle_math1f(#name "f", x); } \
  long double name##l(long double x) {                              \
    (void)x;                                                        \
    __whittle_unsupported(#name "l");                               \
  }
#define HOST2(name)                                                             \
  double name(double x, double y) { return __whittle_math2(#name, x, y); }      \
  float name##f(float x, float y) { return __whittle_math2f(#name "f", x, y); } \
  long double name##l(long double x, long double y) {                           \
    (void)x, (void)y;                                                           \
    __whittle_unsupported(#name "l");                                           \
  }
HOST1(sin)
HOST1(cos)
HOST1(tan)
HOST1(asin)
HOST1(acos)
HOST1(atan)
HOST1(sinh)
HOST1(cosh)
HOST1(tanh)
HOST1(asinh)
HOST1(acosh)
HOST1(atanh)
HOST1(exp)
HOST1(exp2)
HOST1(exp10)
HOST1(expm1)
HOST1(log)
HOST1(log2)
HOST1(log10)
HOST1(log1p)
HOST1(cbrt)
HOST1(erf)
HOST1(erfc)
HOST1(tgamma)
HOST1(lgamma)
HOST2(pow)
HOST2(atan2)
HOST2(hypot)
HOST2(remainder)
