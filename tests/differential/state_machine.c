#include <stdio.h>
enum state { START, NUMBER, WORD, DONE };
typedef enum state handler(char);
static handler start, number, word;
static int numbers, words, value;
static enum state start(char c) { return !c ? DONE : c >= '0' && c <= '9' ? (value = c - '0', NUMBER) : c != ' ' ? WORD : START; }
static enum state number(char c) {
  if (c >= '0' && c <= '9') return value = value * 10 + c - '0', NUMBER;
  numbers += value;
  return start(c);
}
static enum state word(char c) { return c && c != ' ' ? WORD : (words++, start(c)); }
static handler *const handlers[] = {start, number, word};
int main(void) {
  const char *text = "abc 12 de 30 f 8 ghij";
  enum state s = START;
  for (int i = 0; s != DONE; i++) s = handlers[s](text[i]);
  printf("%d %d\n", numbers, words);
  return 0;
}
