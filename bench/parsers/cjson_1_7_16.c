// cJSON 1.7.16: N characters of a JSON alphabet, in a buffer of exactly that size. An object that ends after a comma is read
// past its end (the project's pull request 775).
// source: DaveGamble/cJSON 1.7.16
// unwind: N+2
// sizes: 7
// expect: false
#include "cJSON.c"
extern char __VERIFIER_nondet_char(void);
extern void __VERIFIER_assume(int);
int main(void) {
  char text[N];
  for (int i = 0; i < N; i++) {
    char c = __VERIFIER_nondet_char();
    __VERIFIER_assume(c == '{' || c == '}' || c == '[' || c == ']' || c == '"' || c == ':' || c == ',' || c == '1' ||
                      c == 'a' || c == ' ');
    text[i] = c;
  }
  cJSON *item = cJSON_ParseWithLength(text, N);
  cJSON_Delete(item);
  return 0;
}
