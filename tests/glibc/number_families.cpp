// Families about numbers, formats and dates: stdlib, stdio, time, math.
#include "families.h"

namespace whittle::glibc {

void memory_step(Sequence& s);
void string_step(Sequence& s);
void wide_step(Sequence& s);
void ctype_step(Sequence& s);
void getopt_step(Sequence& s);

namespace {

std::string number_text(Sequence& s) {
  static const char* kTexts[] = {"0", "-0", "+7", "2147483647", "2147483648", "-2147483649", "9223372036854775807",
                                 "9223372036854775808", "-9223372036854775809", "18446744073709551615",
                                 "18446744073709551616", "0x1f", "0x", "0xg", "077", "08", "zz", "  12ab", "\\t-5", "",
                                 "-", "+-3", "1e5", "99999999999999999999999"};
  if (s.chance(2)) return std::string("\"") + s.pick(kTexts) + "\"";
  return s.text("0123456789-+xabz ", 7);
}

std::string float_text(Sequence& s) {
  static const char* kTexts[] = {"0", "-0.0", "1e400", "-1e400", "1e-400", "4.9e-324", "inf", "-infinity", "nan", "0x1.8p3",
                                 "0x.8p-1", "1e", "1e+", ".5", "5.", ".", "2.5e-3x", "  -7.25", "123456789012345678"};
  if (s.chance(2)) return std::string("\"") + s.pick(kTexts) + "\"";
  return s.text("0123456789.-e+", 8);
}

std::string real(Sequence& s) {
  static const char* kValues[] = {"0.0", "-0.0", "0.5", "-0.5", "1.5", "2.5", "1e300", "-1e-300", "5e-324", "INFINITY",
                                  "-INFINITY", "NAN", "1.0", "-3.75", "4503599627370497.5", "9007199254740993.0"};
  if (s.chance(2)) return s.pick(kValues);
  return std::to_string(s.between(-100000, 100000)) + "/" + std::to_string(s.between(1, 64)) + ".0";
}

}  // namespace

void stdlib_step(Sequence& s) {
  static const char* kNames[] = {"WX", "WY", "WZ_LONG"};
  std::string text = number_text(s), base = s.number(-1, 37), name = std::string("\"") + s.pick(kNames) + "\"";
  switch (s.below(22)) {
    case 0: s.add("INT(atoi(" + s.text("0123456789- ", 6) + "));"); break;
    case 1: s.add("{ const char *t = " + text + "; INT(strtol(t, &end, " + base + ")); if (" + base + " != 1 && " + base + " >= 0 && " + base + " < 37) PLACE(end, t); }"); break;
    case 2: s.add("{ const char *t = " + text + "; INT(strtoul(t, &end, 10)); PLACE(end, t); }"); break;
    case 3: s.add("{ const char *t = " + text + "; INT(strtoll(t, &end, 0)); PLACE(end, t); }"); break;
    case 4: s.add("{ const char *t = " + text + "; INT(strtoull(t, &end, 16)); PLACE(end, t); }"); break;
    case 5: s.add("{ const char *t = " + float_text(s) + "; DOUBLE(strtod(t, &end)); PLACE(end, t); }"); break;
    case 6: s.add("{ const char *t = " + float_text(s) + "; DOUBLE(strtof(t, &end)); PLACE(end, t); }"); break;
    case 7: s.add("DOUBLE(atof(" + float_text(s) + "));"); break;
    case 8: s.add("INT(abs(" + s.number(-99, 99) + ")); INT(labs(" + s.number(-99, 99) + "L));"); break;
    case 9: s.add("{ div_t d = div(" + s.number(-99, 99) + ", " + s.number(1, 9) + "); INT(d.quot); INT(d.rem); }"); break;
    case 10: s.add("{ lldiv_t d = lldiv(" + s.number(-99, 99) + ", -" + s.number(1, 9) + "); INT(d.quot); INT(d.rem); }"); break;
    case 11: {
      std::string list;
      for (int i = 0; i < 6; ++i) list += s.number(-9, 9) + ", ";
      s.add("{ int n[] = {" + list + "}, key = " + s.number(-9, 9) + "; qsort(n, 6, sizeof *n, by_value); BYTES(n); "
            "int *f = bsearch(&key, n, 6, sizeof *n, by_value); INT(f ? *f : 777); }");
      break;
    }
    case 12: s.add("INT(setenv(" + name + ", " + s.text("abc", 5) + ", " + s.number(0, 1) + ")); TEXT(getenv(" + name + "));"); break;
    case 13: s.add("INT(unsetenv(" + name + ")); TEXT(getenv(" + name + "));"); break;
    case 14: s.add("{ static char t[] = \"WX=put\"; INT(putenv(t)); TEXT(getenv(\"WX\")); }"); break;
    case 15: s.add("TEXT(getenv(" + name + "));"); break;
    case 16: s.add("INT(setenv(\"A=B\", \"x\", 1)); INT(setenv(\"\", \"x\", 1)); INT(unsetenv(\"=\"));"); break;
    case 17: s.add("srand48(" + s.number(-99, 99) + "); INT(lrand48()); INT(mrand48()); DOUBLE(drand48());"); break;
    case 18: s.add("{ unsigned short x[3] = {" + s.number(0, 65535) + ", " + s.number(0, 65535) + ", 3}; INT(nrand48(x)); INT(jrand48(x)); DOUBLE(erand48(x)); BYTES(x); }"); break;
    case 19: s.add("{ srand(" + s.number(0, 3) + "); int a = rand(), b = rand(); srand(" + s.number(9, 9) + "); rand(); srand(9); INT(a >= 0 && b >= 0); }"); break;
    case 20: s.add("{ srandom(5); long a = random(), b = random(); srandom(5); INT(a == random()); INT(b == random()); }"); break;
    default: s.add("INT(atoll(" + s.text("0123456789-", 9) + ")); INT(strtoimax(" + text + ", 0, 10));"); break;
  }
}

void stdio_step(Sequence& s) {
  static const char* kFlags[] = {"", "-", "+", " ", "#", "0", "+0", "-#"};
  static const char* kIntegers[] = {"d", "i", "u", "o", "x", "X", "c", "hd", "hhu"};
  static const char* kLong[] = {"ld", "lu", "lx", "lld", "zu", "jd"};
  static const char* kFloats[] = {"f", "e", "g", "E", "G", "a"};
  std::string flags = s.pick(kFlags), width = s.chance(2) ? s.number(1, 12) : "", size = s.number(0, 24);
  std::string precision = s.chance(2) ? "." + s.number(0, 9) : "";
  std::string start = "%" + flags + width + precision;
  switch (s.below(16)) {
    case 0:
    case 1: {
      std::string conversion = s.pick(kIntegers);
      if (conversion == "c") start = "%" + width;
      s.add("INT(snprintf(b, " + size + ", \"" + start + conversion + "|\", " + s.number(-300, 300) + "));");
      break;
    }
    case 2: s.add("INT(snprintf(b, " + size + ", \"" + start + s.pick(kLong) + "\", " + s.number(-99999, 99999) + "L));"); break;
    case 3:
    case 4: {
      // glibc 2.36 drops a zero from %#.2g of 99.5, which rounds up to a power of ten.
      std::string conversion = s.pick(kFloats);
      if (flags.find('#') != std::string::npos) start = "%" + width + precision;
      s.add("INT(snprintf(b, 40, \"" + start + conversion + "\", " + real(s) + "));");
      break;
    }
    case 5: s.add("INT(snprintf(b, " + size + ", \"%" + (s.chance(2) ? "-" : "") + width + precision + "s|\", " + s.text("abcdef", 9) + "));"); break;
    case 6: s.add("INT(sprintf(b, \"%*d %-*d%%%.*s\", " + s.number(-5, 5) + ", 7, " + s.number(0, 5) + ", 8, " + s.number(0, 4) + ", \"text\"));"); break;
    case 7: s.add("{ int n = -1, m = -1; COUNT(sscanf(" + s.text("0123456789 -x", 9) + ", \"%d%n\", &n, &m)); INT(n); INT(m); }"); break;
    case 8: s.add("{ unsigned n = 9, m = 9; COUNT(sscanf(" + s.text("0123456789abx, ", 9) + ", \"%x,%o\", &n, &m)); INT(n); INT(m); }"); break;
    case 9: s.add("{ char w[10] = \"\", c = '-'; COUNT(sscanf(" + s.text("abc 12,", 9) + ", \"%9s%c\", w, &c)); TEXT(w); INT(c); }"); break;
    case 10: s.add("{ char w[10] = \"\"; int n = -1; COUNT(sscanf(" + s.text("abc12,", 9) + ", \"%5[a-c]%2d\", w, &n)); TEXT(w); INT(n); }"); break;
    case 11: s.add("{ double d = -1; float f = -1; COUNT(sscanf(" + s.text("0123456789.e- ", 9) + ", \"%lf %f\", &d, &f)); DOUBLE(d); DOUBLE(f); }"); break;
    case 12: s.add("SIGN(fputs(" + s.text("abc", 5) + ", stdout) >= 0); INT(putchar('\\n'));"); break;
    case 13: s.add("INT(printf(\"" + start + "d\\n\", " + s.number(-99, 99) + ")); INT(fputc(" + s.number(10, 10) + ", stdout));"); break;
    case 14: s.add("INT(fwrite(\"abcdefgh\\n\", " + s.number(0, 3) + ", " + s.number(0, 3) + ", stdout)); SIGN(puts(\"\") >= 0);"); break;
    default: s.add("INT(fileno(stdout)); INT(ferror(stdout)); INT(feof(stdin)); INT(fflush(stdout));"); break;
  }
  s.add("BYTES(b);");
}

void time_step(Sequence& s) {
  static const char* kFormats[] = {"%Y-%m-%d %H:%M:%S", "%a %b %e", "%A %B", "%j %U %W %V %G %g", "%I:%M %p %P", "%c", "%x %X",
                                   "%D %F %T %R %r", "%C %y %u %w", "%k|%l", "%n%t%%", "%s", "%z %Z", "%h%d%m%M%S"};
  static const char* kTimes[] = {"0", "-1", "951782400", "2147483647", "2147483648", "-2147483648", "253402300799",
                                 "1709164800", "-62135596800", "67768036191676799", "67768036191676800", "-67768040609740801"};
  std::string when = s.chance(2) ? std::string(s.pick(kTimes)) : std::to_string(static_cast<long long>(s.below(1ull << 36)) - (1ll << 35));
  switch (s.below(6)) {
    case 0: s.add("t = " + when + "; INT(n = gmtime_r(&t, &d) != 0); if (n) DATE(d);"); break;
    case 1: s.add("t = " + when + "; COUNT(n = localtime_r(&t, &d) != 0); if (n) DATE(d);"); break;
    case 2: {
      std::string fields;
      int wild = s.chance(3) ? 5000 : 70;
      for (int i = 0; i < 5; ++i) fields += s.number(-wild, wild) + ", ";
      s.add("d = (struct tm){" + fields + s.number(-400, 1200) + "}; d.tm_isdst = 0; INT(" +
            (s.chance(2) ? "mktime" : "timegm") + "(&d)); DATE(d);");
      break;
    }
    case 3:
    case 4:
      // What does not fit leaves anything in the buffer.
      s.add("t = " + when + " % 100000000000; gmtime_r(&t, &d); INT(n = strftime(b, " + s.number(0, 60) + ", \"" +
            s.pick(kFormats) + "\", &d)); if (n) TEXT(b);");
      break;
    default:
      s.add("t = " + when + " % 200000000000; gmtime_r(&t, &d); TEXT(asctime_r(&d, b)); DOUBLE(difftime(t, 5)); TEXT(ctime_r(&t, b));");
      break;
  }
}

void math_step(Sequence& s) {
  static const char* kOne[] = {"fabs", "floor", "ceil", "trunc", "round", "rint", "nearbyint", "sqrt", "cbrt", "exp", "sin",
                               "cos", "atan", "tanh", "log1p", "logb", "erf", "asinh"};
  static const char* kTwo[] = {"fmod", "copysign", "fmin", "fmax", "fdim", "nextafter", "pow", "atan2", "hypot", "remainder"};
  std::string x = real(s), y = real(s);
  // Errors in errno are no part of the models.
  switch (s.below(9)) {
    case 0:
    case 1: s.add("x = " + std::string(s.pick(kOne)) + "(" + x + "); DOUBLE(x);"); break;
    case 2:
    case 3: s.add("x = " + std::string(s.pick(kTwo)) + "(" + x + ", " + y + "); DOUBLE(x);"); break;
    case 4: s.add("{ int e = 0; x = frexp(" + x + ", &e); DOUBLE(x); if (x - x == 0) INT(e); }"); break;
    case 5: s.add("x = ldexp(" + x + ", " + s.number(-1100, 1100) + "); DOUBLE(x);"); break;
    case 6: s.add("{ double w = 0; x = modf(" + x + ", &w); DOUBLE(x); DOUBLE(w); }"); break;
    case 7: s.add("INT(fpclassify(" + x + ")); BOOL(signbit(" + x + ")); BOOL(isnan(" + x + ")); BOOL(isinf(" + y + "));"); break;
    default: s.add("INT(lround(" + s.number(-999, 999) + " / 4.0)); INT(llrint(" + s.number(-999, 999) + " / 4.0)); INT(ilogb(" + s.number(1, 999) + "));"); break;
  }
}

const Family kFamilies[] = {
    {"memory", "char a[16] = \"abc\\1\\2\\3\", b[16] = {2, 1, 0, -1, 'a', 'b', 'c'}, *p = 0;", memory_step, 10},
    {"string", "char a[64] = \"abc,bc\", b[64] = \"b,a\", *rest = 0; (void)rest;", string_step, 10},
    {"stdlib", "char *end = 0; (void)end;", stdlib_step, 8},
    {"stdio", "char b[64] = \"\";", stdio_step, 8},
    {"ctype", "", ctype_step, 6},
    {"time", "time_t t = 0; int n = 0; struct tm d; char b[64] = \"\"; memset(&d, 0, sizeof d); (void)t, (void)b, (void)n;", time_step, 6},
    {"wchar", "wchar_t a[32] = L\"abc,bc\", b[32] = L\"b,a\", *rest = 0; (void)rest;", wide_step, 10},
    {"getopt", "", getopt_step, 3},
    {"math", "double x = 0; (void)x;", math_step, 8},
};
const size_t kFamilyCount = std::size(kFamilies);

std::string program_of(const Family& family, uint64_t first, size_t count) {
  std::string text = "#include \"prelude.h\"\n", main = "int main(void) {\n  tzset();  // reads a file once, and leaves its errno\n";
  for (uint64_t seed = first; seed < first + count; ++seed) {
    Sequence sequence(seed * 1000003 + static_cast<uint64_t>(family.name[0]));
    for (int i = 0; i < family.steps; ++i) family.step(sequence);
    std::string name = "sequence_" + std::to_string(seed);
    text += "static void " + name + "(void) {\n  " + family.declarations + "\n";
    for (const std::string& line : sequence.lines()) text += "  " + line + "\n";
    text += "}\n";
    main += "  " + name + "();\n";
  }
  return text + main + "  return 0;\n}\n";
}

}  // namespace whittle::glibc
