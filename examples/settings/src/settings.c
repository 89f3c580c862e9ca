#include "settings.h"

#include <string.h>

int parse_line(struct settings *settings, const char *line, size_t size) {
  size_t name = 0;
  while (name < size && line[name] != '=') name++;
#ifdef FIXED
  if (name == size || name >= NAME_SIZE || settings->count >= MOST_SETTINGS) return -1;
#else
  if (name == size || name > NAME_SIZE || settings->count >= MOST_SETTINGS) return -1;
#endif
  int value;
  if (parse_number(line + name + 1, size - name - 1, &value) < 0) return -1;
  struct setting *item = &settings->items[settings->count];
  for (size_t i = 0; i < name; i++) item->name[i] = line[i];
  item->name[name] = 0;
  item->value = value;
  settings->count++;
  return 0;
}

int setting_value(const struct settings *settings, const char *name, int otherwise) {
  for (size_t i = 0; i < settings->count && i < MOST_SETTINGS; i++)
    if (strncmp(settings->items[i].name, name, NAME_SIZE) == 0) return settings->items[i].value;
  return otherwise;
}
