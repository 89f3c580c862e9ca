#include "settings.h"

int parse_number(const char *text, size_t size, int *value) {
  size_t i = 0;
  int number = 0;
  for (; i < size && text[i] >= '0' && text[i] <= '9'; i++) {
    if (number > 1000) return -1;
    number = 10 * number + (text[i] - '0');
  }
  if (i == 0) return -1;
  *value = number;
  return (int)i;
}
