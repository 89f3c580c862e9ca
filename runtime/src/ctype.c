// ctype.h in the "C" locale: functions, and the tables behind glibc's macros.
#define _GNU_SOURCE
#include <ctype.h>

#include "primitives.h"

#undef isalnum
#undef isalpha
#undef isblank
#undef iscntrl
#undef isdigit
#undef isgraph
#undef islower
#undef isprint
#undef ispunct
#undef isspace
#undef isupper
#undef isxdigit
#undef isascii
#undef toascii
#undef tolower
#undef toupper

// Index c + 128 for c from -128 to 255; above 127 nothing is set.
#define CLASS(from, to) [128 + (from)... 128 + (to)]
enum {
  kLetter = _ISalpha | _ISprint | _ISgraph | _ISalnum,
  kDigit = _ISdigit | _ISxdigit | _ISprint | _ISgraph | _ISalnum,
  kPunctuation = _ISpunct | _ISprint | _ISgraph,
};
static const unsigned short classes[384] = {
    CLASS(0, 8) = _IScntrl,
    CLASS('\t', '\t') = _IScntrl | _ISspace | _ISblank,
    CLASS('\n', '\r') = _IScntrl | _ISspace,
    CLASS(14, 31) = _IScntrl,
    CLASS(' ', ' ') = _ISspace | _ISblank | _ISprint,
    CLASS('!', '/') = kPunctuation,
    CLASS('0', '9') = kDigit,
    CLASS(':', '@') = kPunctuation,
    CLASS('A', 'F') = kLetter | _ISupper | _ISxdigit,
    CLASS('G', 'Z') = kLetter | _ISupper,
    CLASS('[', '`') = kPunctuation,
    CLASS('a', 'f') = kLetter | _ISlower | _ISxdigit,
    CLASS('g', 'z') = kLetter | _ISlower,
    CLASS('{', '~') = kPunctuation,
    CLASS(127, 127) = _IScntrl,
};
static const unsigned short* const class_table = classes + 128;
const unsigned short** __ctype_b_loc(void) { return (const unsigned short**)&class_table; }

#define ROW(f, c) f(c), f((c) + 1), f((c) + 2), f((c) + 3), f((c) + 4), f((c) + 5), f((c) + 6), f((c) + 7)
#define ROWS(f, c) ROW(f, c), ROW(f, (c) + 8), ROW(f, (c) + 16), ROW(f, (c) + 24)
#define TABLE(f)                                                                                              \
  ROWS(f, -128), ROWS(f, -96), ROWS(f, -64), ROWS(f, -32), ROWS(f, 0), ROWS(f, 32), ROWS(f, 64), ROWS(f, 96), \
      ROWS(f, 128), ROWS(f, 160), ROWS(f, 192), ROWS(f, 224)
// glibc's tables read a negative char as the byte it stands for, except EOF.
#define BYTE(c) ((c) < -1 ? (c) + 256 : (c))
#define LOWER(c) ((c) >= 'A' && (c) <= 'Z' ? (c) + 32 : BYTE(c))
#define UPPER(c) ((c) >= 'a' && (c) <= 'z' ? (c) - 32 : BYTE(c))
static const int32_t lower_case[384] = {TABLE(LOWER)};
static const int32_t upper_case[384] = {TABLE(UPPER)};
static const int32_t* const lower_table = lower_case + 128;
static const int32_t* const upper_table = upper_case + 128;
const int32_t** __ctype_tolower_loc(void) { return (const int32_t**)&lower_table; }
const int32_t** __ctype_toupper_loc(void) { return (const int32_t**)&upper_table; }

// The functions branch on the value instead of reading a table: symbolic engines follow that more easily.
int isdigit(int c) { return c >= '0' && c <= '9' ? _ISdigit : 0; }
int islower(int c) { return c >= 'a' && c <= 'z' ? _ISlower : 0; }
int isupper(int c) { return c >= 'A' && c <= 'Z' ? _ISupper : 0; }
int isalpha(int c) { return islower(c) || isupper(c) ? _ISalpha : 0; }
int isalnum(int c) { return isalpha(c) || isdigit(c) ? _ISalnum : 0; }
int isblank(int c) { return c == ' ' || c == '\t' ? _ISblank : 0; }
int isspace(int c) { return c == ' ' || (c >= '\t' && c <= '\r') ? _ISspace : 0; }
int isprint(int c) { return c >= ' ' && c <= '~' ? _ISprint : 0; }
int isgraph(int c) { return c > ' ' && c <= '~' ? _ISgraph : 0; }
int iscntrl(int c) { return (c >= 0 && c < ' ') || c == 127 ? _IScntrl : 0; }
int ispunct(int c) { return isgraph(c) && !isalnum(c) ? _ISpunct : 0; }
int isxdigit(int c) { return isdigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F') ? _ISxdigit : 0; }
int isascii(int c) { return (c & ~0x7f) == 0; }
int toascii(int c) { return c & 0x7f; }
int tolower(int c) { return isupper(c) ? c + ('a' - 'A') : c; }
int toupper(int c) { return islower(c) ? c - ('a' - 'A') : c; }
