#include <stdio.h>
#include <string.h>
int main(void) {
  static const char program[] = "++++++++[>++++[>++>+++>+++>+<<<<-]>+>+>->>+[<]<-]>>.>---.+++++++..+++.>>.<-.<.+++.------.--------.>>+.>++.";
  unsigned char tape[64];
  memset(tape, 0, sizeof tape);
  unsigned char *p = tape;
  for (const char *pc = program; *pc; pc++) {
    switch (*pc) {
      case '>': p++; break;
      case '<': p--; break;
      case '+': ++*p; break;
      case '-': --*p; break;
      case '.': putchar(*p); break;
      case '[':
        if (!*p)
          for (int depth = 1; depth;) ++pc, depth += (*pc == '[') - (*pc == ']');
        break;
      case ']':
        if (*p)
          for (int depth = 1; depth;) --pc, depth -= (*pc == '[') - (*pc == ']');
        break;
    }
  }
  return 0;
}
