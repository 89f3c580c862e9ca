// Settings of a device: lines `name=value` in a buffer that came over a wire.
#ifndef SETTINGS_H
#define SETTINGS_H

#include <stddef.h>

struct setting {
  int value;
  char name[NAME_SIZE];
};
struct settings {
  size_t count;
  struct setting items[MOST_SETTINGS];
};

/// The number that begins the text, and how many characters it has; -1: none, or too large.
int parse_number(const char *text, size_t size, int *value);
/// Reads one line; 0 if it was understood.
int parse_line(struct settings *settings, const char *line, size_t size);
/// Of the setting with that name, or `otherwise`.
int setting_value(const struct settings *settings, const char *name, int otherwise);

#endif
