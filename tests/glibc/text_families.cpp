// Families about bytes and texts: memory, string, wchar, ctype, getopt.
#include "families.h"

namespace whittle::glibc {

std::string Sequence::text(const char* alphabet, int longest) {
  std::string letters = alphabet, result = "\"";
  for (int n = between(0, longest); n > 0; --n) result += letters[below(letters.size())];
  return result + "\"";
}

namespace {

const char* const kBuffers[] = {"a", "b"};

std::string other(const std::string& buffer) { return buffer == "a" ? "b" : "a"; }

}  // namespace

void memory_step(Sequence& s) {
  std::string x = s.pick(kBuffers), y = other(x), i = s.number(0, 8), j = s.number(0, 8), n = s.number(0, 8);
  std::string c = s.number(-2, 4);
  switch (s.below(17)) {
    case 0: s.add("PLACE(memcpy(" + x + " + " + i + ", " + y + " + " + j + ", " + n + "), " + x + ");"); break;
    case 1: s.add("PLACE(memmove(" + x + " + " + i + ", " + x + " + " + j + ", " + n + "), " + x + ");"); break;
    case 2: s.add("PLACE(memset(" + x + " + " + i + ", " + c + ", " + n + "), " + x + ");"); break;
    case 3: s.add("SIGN(memcmp(" + x + " + " + i + ", " + y + " + " + j + ", " + n + "));"); break;
    case 4: s.add("PLACE(memchr(" + x + " + " + i + ", " + c + ", " + n + "), " + x + ");"); break;
    case 5: s.add("PLACE(memrchr(" + x + " + " + i + ", " + c + ", " + n + "), " + x + ");"); break;
    case 6:
      s.add("PLACE(memccpy(" + x + " + " + i + ", " + y + " + " + j + ", " + c + ", " + n + "), " + x + ");");
      break;
    case 7: s.add("PLACE(mempcpy(" + x + " + " + i + ", " + y + " + " + j + ", " + n + "), " + x + ");"); break;
    case 8:
      s.add("PLACE(memmem(" + x + ", " + i + " + " + n + ", " + y + " + " + j + ", " + s.number(0, 3) + "), " + x + ");");
      break;
    case 9: s.add("bcopy(" + x + " + " + i + ", " + x + " + " + j + ", " + n + ");"); break;
    case 10: s.add("bzero(" + x + " + " + i + ", " + n + ");"); break;
    case 11: s.add("BOOL(bcmp(" + x + " + " + i + ", " + y + " + " + j + ", " + n + "));"); break;
    case 12:
      s.add("free(p); p = malloc(8); memcpy(p, " + x + " + " + i + ", 8); p = realloc(p, " + s.number(1, 16) +
            "); INT(p[0]);");
      break;
    case 13: s.add("free(p); p = calloc(" + s.number(1, 4) + ", 4); INT(p[" + s.number(0, 3) + "]);"); break;
    case 14: s.add("INT(malloc((size_t)-" + s.number(1, 9) + ") == 0);"); break;
    case 15: s.add("INT(calloc((size_t)-1, " + s.number(2, 9) + ") == 0);"); break;
    default:
      s.add("{ void *q = 0; INT(posix_memalign(&q, " + s.number(0, 17) + ", 8)); INT(q != 0); free(q); }");
      break;
  }
  s.add("BYTES(" + x + ");");
}

void string_step(Sequence& s) {
  static const char* kErrors[] = {"0", "EPERM", "ENOENT", "EINTR", "EINVAL", "ERANGE", "EAGAIN", "12345", "-3", "EDOM"};
  std::string x = s.pick(kBuffers), y = other(x), n = s.number(0, 9), c = s.number('a', 'd');
  std::string set = s.text("abc,", 3), word = s.text("abAB,", 4);
  std::string fits = "if (strlen(" + x + ") + strlen(" + y + ") < 60) ";
  switch (s.below(32)) {
    case 31: s.add("SIGN(strverscmp(" + s.text("a012", 5) + ", " + s.text("a012", 5) + "));"); break;
    case 0: s.add("PLACE(strcpy(" + x + ", " + word + "), " + x + ");"); break;
    case 1: s.add("PLACE(strncpy(" + x + ", " + y + ", " + n + "), " + x + "); " + x + "[63] = 0;"); break;
    case 2: s.add(fits + "PLACE(strcat(" + x + ", " + y + "), " + x + ");"); break;
    case 3: s.add(fits + "PLACE(strncat(" + x + ", " + y + ", " + n + "), " + x + ");"); break;
    case 4: s.add("INT(strlen(" + x + "));"); break;
    case 5: s.add("INT(strnlen(" + x + ", " + n + "));"); break;
    case 6: s.add("SIGN(strcmp(" + x + ", " + y + "));"); break;
    case 7: s.add("SIGN(strncmp(" + x + ", " + y + ", " + n + "));"); break;
    case 8: s.add("SIGN(strcasecmp(" + x + ", " + word + "));"); break;
    case 9: s.add("SIGN(strncasecmp(" + x + ", " + word + ", " + n + "));"); break;
    case 10: s.add("SIGN(strcoll(" + x + ", " + word + "));"); break;
    case 11: s.add("PLACE(strchr(" + x + ", " + (s.chance(4) ? "0" : c) + "), " + x + ");"); break;
    case 12: s.add("PLACE(strrchr(" + x + ", " + (s.chance(4) ? "0" : c) + "), " + x + ");"); break;
    case 13: s.add("PLACE(strchrnul(" + x + ", " + c + "), " + x + ");"); break;
    case 14: s.add("INT(strspn(" + x + ", " + set + "));"); break;
    case 15: s.add("INT(strcspn(" + x + ", " + set + "));"); break;
    case 16: s.add("PLACE(strpbrk(" + x + ", " + set + "), " + x + ");"); break;
    case 17: s.add("PLACE(strstr(" + x + ", " + word + "), " + x + ");"); break;
    case 18: s.add("PLACE(strcasestr(" + x + ", " + word + "), " + x + ");"); break;
    case 19: s.add("rest = 0; PLACE(strtok_r(" + x + ", " + s.text(",a", 2) + ", &rest), " + x + ");"); break;
    case 20: s.add("PLACE(strtok(" + x + ", \",b\"), " + x + "); PLACE(strtok(0, \",\"), " + x + ");"); break;
    case 21: s.add("{ char *q = " + x + "; PLACE(strsep(&q, " + set + "), " + x + "); PLACE(q, " + x + "); }"); break;
    case 22: s.add("{ char *q = strdup(" + x + "); TEXT(q); free(q); }"); break;
    case 23: s.add("{ char *q = strndup(" + x + ", " + n + "); TEXT(q); free(q); }"); break;
    case 24: s.add("PLACE(stpcpy(" + x + ", " + word + "), " + x + ");"); break;
    case 25: s.add("PLACE(stpncpy(" + x + ", " + word + ", " + n + "), " + x + "); " + x + "[63] = 0;"); break;
    case 26: s.add("INT(strxfrm(" + x + ", " + word + ", " + s.number(5, 9) + "));"); break;
    case 27: s.add("TEXT(strerror(" + std::string(s.pick(kErrors)) + "));"); break;
    case 28: s.add("INT(ffs(" + s.number(-9, 99) + ")); INT(ffsll(1ll << " + s.number(0, 62) + "));"); break;
    case 29: s.add("PLACE(index(" + x + ", " + c + "), " + x + "); PLACE(rindex(" + x + ", " + c + "), " + x + ");"); break;
    default: s.add("PLACE(rawmemchr(" + x + ", 0), " + x + ");"); break;
  }
  s.add("BYTES(" + x + ");");
}

void wide_step(Sequence& s) {
  std::string x = s.pick(kBuffers), y = other(x), n = s.number(0, 9), c = "L'" + std::string(1, "abcd"[s.below(4)]) + "'";
  std::string set = "L" + s.text("abc,", 3), word = "L" + s.text("abAB,", 4);
  std::string fits = "if (wcslen(" + x + ") + wcslen(" + y + ") < 30) ";
  std::string digits = "L" + s.text(" -0x17fz.e+", 7);
  switch (s.below(32)) {
    case 0: s.add("PLACE(wcscpy(" + x + ", " + word + "), " + x + ");"); break;
    case 1: s.add("PLACE(wcsncpy(" + x + ", " + y + ", " + n + "), " + x + "); " + x + "[31] = 0;"); break;
    case 2: s.add(fits + "PLACE(wcscat(" + x + ", " + y + "), " + x + ");"); break;
    case 3: s.add(fits + "PLACE(wcsncat(" + x + ", " + y + ", " + n + "), " + x + ");"); break;
    case 4: s.add("INT(wcslen(" + x + "));"); break;
    case 5: s.add("INT(wcsnlen(" + x + ", " + n + "));"); break;
    case 6: s.add("SIGN(wcscmp(" + x + ", " + y + "));"); break;
    case 7: s.add("SIGN(wcsncmp(" + x + ", " + y + ", " + n + "));"); break;
    case 8: s.add("SIGN(wcscasecmp(" + x + ", " + word + "));"); break;
    case 9: s.add("SIGN(wcsncasecmp(" + x + ", " + word + ", " + n + "));"); break;
    case 10: s.add("PLACE(wcschr(" + x + ", " + c + "), " + x + ");"); break;
    case 11: s.add("PLACE(wcsrchr(" + x + ", " + c + "), " + x + ");"); break;
    case 12: s.add("INT(wcsspn(" + x + ", " + set + "));"); break;
    case 13: s.add("INT(wcscspn(" + x + ", " + set + "));"); break;
    case 14: s.add("PLACE(wcspbrk(" + x + ", " + set + "), " + x + ");"); break;
    case 15: s.add("PLACE(wcsstr(" + x + ", " + word + "), " + x + ");"); break;
    case 16: s.add("rest = 0; PLACE(wcstok(" + x + ", L\",a\", &rest), " + x + "); PLACE(rest, " + x + ");"); break;
    case 17: s.add("PLACE(wmemset(" + x + " + " + n + ", " + c + ", " + s.number(0, 3) + "), " + x + ");"); break;
    case 18: s.add("PLACE(wmemchr(" + x + ", " + c + ", " + n + "), " + x + ");"); break;
    case 19: s.add("SIGN(wmemcmp(" + x + ", " + y + ", " + n + "));"); break;
    case 20: s.add("PLACE(wmemcpy(" + x + ", " + y + ", " + n + "), " + x + ");"); break;
    case 21: s.add("PLACE(wcpcpy(" + x + ", " + word + "), " + x + ");"); break;
    case 22: s.add("INT(mbstowcs(" + x + ", " + s.text("abx", 6) + ", " + n + ")); " + x + "[31] = 0;"); break;
    case 23: s.add("{ char narrow[40] = \"\"; INT(wcstombs(narrow, " + word + ", " + n + ")); BYTES(narrow); }"); break;
    case 25: s.add("{ static const wchar_t t[] = " + digits + "; INT(wcstol(t, &rest, " + s.number(0, 3) + " * 8)); PLACE(rest, t); }"); break;
    case 26: s.add("{ static const wchar_t t[] = " + digits + "; INT(wcstoull(t, &rest, 10 + " + s.number(0, 26) + ")); PLACE(rest, t); }"); break;
    case 27: s.add("{ static const wchar_t t[] = " + digits + "; DOUBLE(wcstod(t, &rest)); PLACE(rest, t); }"); break;
    case 28: s.add("COUNT(swprintf(" + x + ", " + s.number(13, 20) + ", L\"%ls|%d|%.2s|%lc\", " + word + ", " + n + ", \"xyz\", " + c + "));"); break;
    case 29: s.add("{ char narrow[40] = \"\"; const wchar_t *from = " + y + "; INT(wcsrtombs(narrow, &from, " + n + ", 0)); if (from) PLACE(from, " + y + "); BYTES(narrow); }"); break;
    case 30: s.add("{ static const char t[] = " + s.text("abx", 6) + ", *from; from = t; INT(mbsnrtowcs(" + x + ", &from, " + s.number(0, 6) + ", " + n + ", 0)); if (from) PLACE(from, t); " + x + "[31] = 0; }"); break;
    case 24: s.add("INT(btowc(" + s.number(-1, 200) + ")); INT(wctob(" + s.number(0, 300) + "));"); break;
    default: {
      static const char* kTests[] = {"iswalpha", "iswdigit", "iswspace", "iswupper", "iswpunct", "iswcntrl", "iswxdigit",
                                     "iswprint"};
      s.add("BOOL(" + std::string(s.pick(kTests)) + "(" + s.number(0, 127) + ")); INT(towlower(" + s.number(0, 127) +
            ")); INT(towupper(" + s.number(0, 127) + "));");
    }
  }
  s.add("BYTES(" + x + ");");
}

void ctype_step(Sequence& s) {
  static const char* kTests[] = {"isalnum", "isalpha", "isblank", "iscntrl", "isdigit", "isgraph", "islower",
                                 "isprint", "ispunct", "isspace", "isupper", "isxdigit", "isascii"};
  std::string c = s.number(-1, 255), test = s.pick(kTests);
  // The macro and the function.
  s.add("BOOL(" + test + "(" + c + ")); BOOL((" + test + ")(" + c + "));");
  std::string turn = s.chance(2) ? "tolower" : "toupper";
  s.add("INT(" + turn + "(" + c + ")); INT((" + turn + ")(" + c + ")); INT(toascii(" + c + "));");
}

void getopt_step(Sequence& s) {
  static const char* kWords[] = {"-a", "-b", "-ab", "-cx", "-c", "x", "file", "--", "-", "--all", "--al", "--size=3",
                                 "--size", "--opt", "--opt=y", "--no", "-d", "-dz", "--all=1", "-xa", "--a", "--option"};
  static const char* kOptions[] = {"abc:d::", "+abc:d::", "-abc:d::", ":abc:d::", "+:abc:", "a", "ab:c"};
  std::string words = "\"program\"";
  int count = 1;
  for (int n = s.between(0, 6); n > 0; --n, ++count) words += std::string(", \"") + s.pick(kWords) + "\"";
  std::string argc = std::to_string(count), options = std::string("\"") + s.pick(kOptions) + "\"";
  bool long_names = s.chance(2);
  std::string call = long_names ? "getopt_long(" + argc + ", v, " + options + ", names, &at)"
                                : "getopt(" + argc + ", v, " + options + ")";
  s.add("{ char *v[] = {" + words + ", 0}; int c, at = -1, flag = 0; optind = 0; opterr = 0; (void)at;");
  s.add("static const struct option names[] = {{\"all\", 0, 0, 'a'}, {\"size\", 1, 0, 's'}, {\"opt\", 2, 0, 'o'}, "
        "{\"option\", 0, 0, 'p'}, {0, 0, 0, 0}}; (void)names; (void)flag;");
  s.add("do { INT(c = " + call + "); INT(optind); TEXT(optarg); INT(at); if (c == '?' || c == ':') INT(optopt); } "
        "while (c != -1);");
  s.add("for (int k = 0; k < " + argc + "; k++) TEXT(v[k]); }");
}

}  // namespace whittle::glibc
