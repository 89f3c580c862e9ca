// expect: false(unreach-call)
// hard-for: auto test explicit dpr guided merge shape dash
// property: unreach-call
// A pointer that goes through a function and memory.
void reach_error(void);
int __VERIFIER_nondet_int(void);
void *__VERIFIER_nondet_pointer(void);
int x;
static int **slot;
static int *get(void) { return *slot; }
static void put(int **to, int *p) { *to = p; slot = to; }
int main(void) {
  int *own;
  put(&own, &x);
  *get() = __VERIFIER_nondet_int();
  if (x == 7) reach_error();
  return 0;
}
