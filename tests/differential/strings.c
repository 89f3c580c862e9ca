#include <stdio.h>
#include <string.h>
#include <strings.h>
static int sign(int n) { return (n > 0) - (n < 0); }
int main(void) {
  char a[40] = "The quick brown fox", b[40];
  printf("%zu %s\n", strlen(a), strcpy(b, a));
  puts(strcat(b, " jumps"));
  puts(strncat(b, " over the dog", 5));
  printf("%s %s %s\n", strchr(a, 'q'), strrchr(a, 'o'), strstr(a, "brown"));
  printf("%d %d %d %d\n", sign(strcmp("abc", "abd")), sign(strcmp("abc", "ab")), sign(strncmp("abc", "abx", 2)), sign(strcasecmp("HeLLo", "hEllO")));
  printf("%zu %zu %s\n", strspn("aabbcd", "ab"), strcspn("hello", "lo"), strpbrk("hello", "ol"));
  memmove(a + 4, a, 9);
  printf("%s\n", a);
  memset(a, '*', 3);
  printf("%s %d\n", a, sign(memcmp("a\0b", "a\0c", 3)));
  char path[] = "usr/local//bin";
  for (char *rest, *p = strtok_r(path, "/", &rest); p; p = strtok_r(0, "/", &rest)) printf("<%s>", p);
  printf("\n%s\n", (char *)memchr("abcdef", 'd', 6));
  char *list = b, *item;
  strcpy(b, "a,,b");
  while ((item = strsep(&list, ","))) printf("[%s]", item);
  printf("\n");
  return 0;
}
