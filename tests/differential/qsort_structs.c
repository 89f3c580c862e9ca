#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct person { char name[12]; int age; };
static int by_age(const void *a, const void *b) { return ((const struct person *)a)->age - ((const struct person *)b)->age; }
static int by_name(const void *a, const void *b) { return strcmp(((const struct person *)a)->name, ((const struct person *)b)->name); }
int main(void) {
  struct person people[] = {{"zoe", 30}, {"adam", 25}, {"mia", 41}, {"ben", 26}, {"eve", 19}};
  qsort(people, 5, sizeof *people, by_age);
  for (int i = 0; i < 5; i++) printf("%s %d\n", people[i].name, people[i].age);
  qsort(people, 5, sizeof *people, by_name);
  for (int i = 0; i < 5; i++) printf("%s %d\n", people[i].name, people[i].age);
  struct person key = {"mia", 0}, *found = bsearch(&key, people, 5, sizeof *people, by_name);
  printf("%d %d\n", (int)(found - people), found->age);
  return 0;
}
