#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct entry { char *key; int value; struct entry *next; };
static struct entry *table[16];
static unsigned hash(const char *s) {
  unsigned h = 5381;
  while (*s) h = h * 33 + (unsigned char)*s++;
  return h;
}
static int *find(const char *key) {
  struct entry **p = &table[hash(key) % 16];
  for (; *p; p = &(*p)->next)
    if (!strcmp((*p)->key, key)) return &(*p)->value;
  *p = calloc(1, sizeof **p);
  (*p)->key = strdup(key);
  return &(*p)->value;
}
int main(void) {
  const char *words[] = {"apple", "pear", "plum", "apple", "fig", "pear", "apple", "kiwi"};
  for (int i = 0; i < 8; i++) ++*find(words[i]);
  for (int i = 0; i < 16; i++)
    for (struct entry *e = table[i]; e; e = e->next) printf("%d %s %d\n", i, e->key, e->value);
  return 0;
}
