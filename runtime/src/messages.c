// Messages in the language of the user. The locale is C, where each message stands for itself.
#define _GNU_SOURCE
#include <libintl.h>
#include <locale.h>
#include <string.h>

#include "primitives.h"

#undef gettext
#undef dgettext
#undef dcgettext
#undef ngettext
#undef dngettext
char* gettext(const char* message) { return (char*)message; }
char* dgettext(const char* domain, const char* message) {
  (void)domain;
  return (char*)message;
}
char* dcgettext(const char* domain, const char* message, int category) {
  (void)domain, (void)category;
  return (char*)message;
}
char* ngettext(const char* one, const char* many, unsigned long n) { return (char*)(n == 1 ? one : many); }
char* dngettext(const char* domain, const char* one, const char* many, unsigned long n) {
  (void)domain;
  return ngettext(one, many, n);
}

// The names that were set last, as they were given.
static char* keep(const char* text, char* own, size_t room) {
  if (text) {
    size_t length = strlen(text);
    if (length >= room) __whittle_unsupported("name of a domain of messages of 256 or more characters");
    for (size_t i = 0; i <= length; i++) own[i] = text[i];
  }
  return own;
}
char* textdomain(const char* name) {
  static char domain[256] = "messages";
  return keep(name && !*name ? "messages" : name, domain, sizeof domain);
}
char* bindtextdomain(const char* domain, const char* folder) {
  if (!domain || !*domain) return 0;
  if (!folder) __whittle_unsupported("bindtextdomain that asks for the folder");
  static char kept[256];
  return keep(folder, kept, sizeof kept);
}
char* bind_textdomain_codeset(const char* domain, const char* codeset) {
  if (!domain || !*domain || !codeset) return 0;
  static char kept[256];
  return keep(codeset, kept, sizeof kept);
}
