// expect: false(unreach-call) line 5
extern int nondet_int(void);
int main(void) {
  int local, *one = malloc(4), *pointer = nondet_int() == 3 ? one : &local;
  __CPROVER_assert(__CPROVER_DYNAMIC_OBJECT(pointer) == 0, "of the stack");
  return 0;
}
