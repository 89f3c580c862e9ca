// cJSON: parsing N bytes with their length, and deleting the result.
// source: DaveGamble/cJSON
// unwind: N+2
// sizes: 2 4
#include "cJSON.c"
extern char __VERIFIER_nondet_char(void);
int main(void) {
  char text[N];
  for (int i = 0; i < N; i++) text[i] = __VERIFIER_nondet_char();
  cJSON *item = cJSON_ParseWithLength(text, N);
  cJSON_Delete(item);
  return 0;
}
