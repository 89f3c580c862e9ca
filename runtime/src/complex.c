// complex.h: what is exact, and the multiplication and division that the compiler calls (C17, annex G).
#define _GNU_SOURCE
#include <complex.h>
#include <math.h>

#define COMPLEX(suffix, type)                                                                           \
  type creal##suffix(type _Complex z) { return __real__ z; }                                            \
  type cimag##suffix(type _Complex z) { return __imag__ z; }                                            \
  type _Complex conj##suffix(type _Complex z) { return __builtin_complex(__real__ z, -__imag__ z); }    \
  type cabs##suffix(type _Complex z) { return hypot##suffix(__real__ z, __imag__ z); }                  \
  type carg##suffix(type _Complex z) { return atan2##suffix(__imag__ z, __real__ z); }                  \
  type _Complex cproj##suffix(type _Complex z) {                                                        \
    if (!isinf(__real__ z) && !isinf(__imag__ z)) return z;                                             \
    return __builtin_complex((type)HUGE_VAL, copysign##suffix(0, __imag__ z));                          \
  }
COMPLEX(, double)
COMPLEX(f, float)
COMPLEX(l, long double)

// An operand that is infinite has parts of 1 or 0, a part that is no number counts as 0.
#define UNIT(x, copysign) copysign(isinf(x) ? 1 : 0, x)
#define QUIET(x, copysign) (isnan(x) ? copysign(0, x) : (x))
#define MULTIPLY(name, type, copysign)                                                         \
  type _Complex name(type a, type b, type c, type d) {                                         \
    type ac = a * c, bd = b * d, ad = a * d, bc = b * c, real = ac - bd, imaginary = ad + bc;  \
    if (!isnan(real) || !isnan(imaginary)) return __builtin_complex(real, imaginary);          \
    _Bool again = 0;                                                                           \
    if (isinf(a) || isinf(b)) {                                                                \
      a = UNIT(a, copysign), b = UNIT(b, copysign);                                            \
      c = QUIET(c, copysign), d = QUIET(d, copysign);                                          \
      again = 1;                                                                               \
    }                                                                                          \
    if (isinf(c) || isinf(d)) {                                                                \
      c = UNIT(c, copysign), d = UNIT(d, copysign);                                            \
      a = QUIET(a, copysign), b = QUIET(b, copysign);                                          \
      again = 1;                                                                               \
    }                                                                                          \
    if (!again && (isinf(ac) || isinf(bd) || isinf(ad) || isinf(bc))) {                        \
      a = QUIET(a, copysign), b = QUIET(b, copysign);                                          \
      c = QUIET(c, copysign), d = QUIET(d, copysign);                                          \
      again = 1;                                                                               \
    }                                                                                          \
    if (!again) return __builtin_complex(real, imaginary);                                     \
    return __builtin_complex((type)HUGE_VAL * (a * c - b * d), (type)HUGE_VAL * (a * d + b * c)); \
  }
MULTIPLY(__muldc3, double, copysign)
MULTIPLY(__mulsc3, float, copysignf)
MULTIPLY(__mulxc3, long double, copysignl)

#define DIVIDE(name, type, suffix)                                                                             \
  type _Complex name(type a, type b, type c, type d) {                                                         \
    type largest = fmax##suffix(fabs##suffix(c), fabs##suffix(d));                                             \
    type logarithm = (type)logb(largest);                                                                      \
    int scale = 0;                                                                                             \
    if (isfinite(logarithm)) {                                                                                 \
      scale = (int)logarithm;                                                                                  \
      c = scalbn##suffix(c, -scale), d = scalbn##suffix(d, -scale);                                            \
    }                                                                                                          \
    type square = c * c + d * d;                                                                               \
    type real = scalbn##suffix((a * c + b * d) / square, -scale);                                              \
    type imaginary = scalbn##suffix((b * c - a * d) / square, -scale);                                         \
    if (isnan(real) && isnan(imaginary)) {                                                                     \
      if (square == 0 && (!isnan(a) || !isnan(b))) {                                                           \
        real = copysign##suffix((type)HUGE_VAL, c) * a;                                                        \
        imaginary = copysign##suffix((type)HUGE_VAL, c) * b;                                                   \
      } else if ((isinf(a) || isinf(b)) && isfinite(c) && isfinite(d)) {                                       \
        a = UNIT(a, copysign##suffix), b = UNIT(b, copysign##suffix);                                          \
        real = (type)HUGE_VAL * (a * c + b * d);                                                               \
        imaginary = (type)HUGE_VAL * (b * c - a * d);                                                          \
      } else if (isinf(logarithm) && logarithm > 0 && isfinite(a) && isfinite(b)) {                            \
        c = UNIT(c, copysign##suffix), d = UNIT(d, copysign##suffix);                                          \
        real = 0 * (a * c + b * d);                                                                            \
        imaginary = 0 * (b * c - a * d);                                                                       \
      }                                                                                                        \
    }                                                                                                          \
    return __builtin_complex(real, imaginary);                                                                 \
  }
DIVIDE(__divdc3, double, )
DIVIDE(__divsc3, float, f)
DIVIDE(__divxc3, long double, l)
