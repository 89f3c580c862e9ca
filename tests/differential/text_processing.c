#include <ctype.h>
#include <stdio.h>
#include <string.h>
static const char text[] = "It was the best of times, it was the worst of times, it was the age of wisdom...";
int main(void) {
  int letters[26] = {0}, words = 0, inside = 0;
  char longest[32] = "", word[32];
  int n = 0;
  for (const char *p = text;; p++) {
    if (isalpha((unsigned char)*p)) {
      letters[tolower((unsigned char)*p) - 'a']++;
      word[n++] = *p;
      inside = 1;
    } else if (inside) {
      word[n] = 0;
      if (strlen(word) > strlen(longest)) strcpy(longest, word);
      words++;
      n = inside = 0;
    }
    if (!*p) break;
  }
  printf("%d words, longest %s\n", words, longest);
  for (int i = 0; i < 26; i++)
    if (letters[i]) printf("%c%d ", 'a' + i, letters[i]);
  printf("\n");
  return 0;
}
