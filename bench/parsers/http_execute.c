// http-parser: executing N bytes of a request keeps to the buffer and consumes no more than there is.
// source: nodejs/http-parser
// unwind: N+2
// sizes: 6 10
#include <assert.h>
#include "http_parser.c"
extern char __VERIFIER_nondet_char(void);
int main(void) {
  char text[N];
  for (int i = 0; i < N; i++) text[i] = __VERIFIER_nondet_char();
  http_parser parser;
  http_parser_settings settings;
  http_parser_settings_init(&settings);
  http_parser_init(&parser, HTTP_REQUEST);
  size_t done = http_parser_execute(&parser, &settings, text, N);
  assert(done <= N);
  return 0;
}
