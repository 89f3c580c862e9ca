// The environment of a process is unknown: a variable is unset or holds any short text. What getenv has said once holds
// until the program changes it.
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"

#define WHITTLE_VARIABLES 16
#define WHITTLE_NAME 64
#define WHITTLE_VALUE 256

struct variable {
  char name[WHITTLE_NAME];
  char own[WHITTLE_VALUE];
  char* value;  // null: not set; `own`, or the text that putenv was given
};
static struct variable variables[WHITTLE_VARIABLES];
static unsigned variable_count;

static struct variable* find(const char* name, size_t length) {
  for (unsigned i = 0; i < variable_count; i++)
    if (__whittle_sign_strncmp(variables[i].name, name, length) == 0 && !variables[i].name[length]) return &variables[i];
  return 0;
}
static struct variable* find_or_add(const char* name, size_t length) {
  struct variable* variable = find(name, length);
  if (variable) return variable;
  if (variable_count == WHITTLE_VARIABLES) __whittle_unsupported("more than 16 environment variables");
  if (length >= WHITTLE_NAME) __whittle_unsupported("name of an environment variable of 64 or more characters");
  variable = &variables[variable_count];
  for (size_t i = 0; i < length; i++) variable->name[i] = name[i];
  variable->name[length] = 0;
  variable_count++;
  return variable;
}

// Names are read once outside the atomic regions, where other threads can see it.
char* getenv(const char* name) {
  size_t length = strlen(name);
  if (length == 0 || strchr(name, '=')) return 0;
  __whittle_atomic_begin();
  struct variable* variable = find(name, length);
  if (!variable) {
    variable = find_or_add(name, length);
    if (__whittle_nondet_bool()) {
      for (size_t i = 0; i < __whittle_text_length(); i++) variable->own[i] = (char)__whittle_nondet_u8();
      variable->own[__whittle_text_length()] = 0;
      variable->value = variable->own;
    }
  }
  char* value = variable->value;
  __whittle_atomic_end();
  return value;
}
char* secure_getenv(const char* name) { return getenv(name); }

static int bad_name(const char* name) {
  if (name && *name && !strchr(name, '=')) return 0;
  errno = EINVAL;
  return -1;
}
int setenv(const char* name, const char* value, int overwrite) {
  if (bad_name(name)) return -1;
  if (!overwrite && getenv(name)) return 0;
  size_t length = strlen(value);
  if (length >= WHITTLE_VALUE) __whittle_unsupported("value of an environment variable of 256 or more characters");
  __whittle_atomic_begin();
  struct variable* variable = find_or_add(name, strlen(name));
  for (size_t i = 0; i <= length; i++) variable->own[i] = value[i];
  variable->value = variable->own;
  __whittle_atomic_end();
  return 0;
}
static void set_value(const char* name, size_t length, char* value) {
  __whittle_atomic_begin();
  find_or_add(name, length)->value = value;
  __whittle_atomic_end();
}
int unsetenv(const char* name) {
  if (bad_name(name)) return -1;
  set_value(name, strlen(name), 0);
  return 0;
}
int putenv(char* text) {
  char* equals = strchr(text, '=');
  if (!equals) return unsetenv(text);
  set_value(text, (size_t)(equals - text), equals + 1);
  return 0;
}
