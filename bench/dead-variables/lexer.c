// lexer: one function of a lexical analyser. The input is a string of any characters of a small alphabet; the token
// depends on its first one or two characters only.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);

enum token { END, NUMBER, NAME, PLUS, INCREMENT, MINUS, DECREMENT, ARROW, LESS, LESS_EQUAL, SHIFT, ASSIGN, EQUAL, BAD };

static const char alphabet[] = "\0a7+-<>=*( ";
enum { LENGTH = 4 };

char text[LENGTH + 1];
int token;
int consumed;

static char any_character(void) {
  unsigned char which = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(which < sizeof alphabet - 1);
  return alphabet[which];
}

static int next_token(const char *from) {
  char first = from[0];
  consumed = 1;
  if (first == '\0') {
    consumed = 0;
    return END;
  }
  if (first >= '0' && first <= '9') return NUMBER;
  if (first >= 'a' && first <= 'z') return NAME;
  char second = from[1];
  switch (first) {
    case '+':
      if (second == '+') {
        consumed = 2;
        return INCREMENT;
      }
      return PLUS;
    case '-':
      if (second == '-') {
        consumed = 2;
        return DECREMENT;
      }
      if (second == '>') {
        consumed = 2;
        return ARROW;
      }
      return MINUS;
    case '<':
      if (second == '=') {
        consumed = 2;
        return LESS_EQUAL;
      }
      if (second == '<') {
        consumed = 2;
        return SHIFT;
      }
      return LESS;
    case '=':
      if (second == '=') {
        consumed = 2;
        return EQUAL;
      }
      return ASSIGN;
    default:
      return BAD;
  }
}

int main(void) {
  text[0] = any_character();
  text[1] = any_character();
  text[2] = any_character();
  text[3] = any_character();
  text[LENGTH] = '\0';
  token = next_token(text);
  int kind;
  if (token == NUMBER || token == NAME) kind = 1;
  else if (token >= PLUS && token < BAD) kind = 2;
  else kind = 0;
  token = END;
  return kind > 2 || consumed > 2;
}
