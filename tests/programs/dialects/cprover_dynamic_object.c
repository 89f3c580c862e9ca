// expect: true
// proved-by: explicit merge
int global;
int main(void) {
  int local, *one = malloc(4), *other = __CPROVER_allocate(8, 0);
  __CPROVER_assert(__CPROVER_DYNAMIC_OBJECT(one) && __CPROVER_DYNAMIC_OBJECT(other + 1), "of the heap");
  __CPROVER_assert(!__CPROVER_DYNAMIC_OBJECT(&local) && !__CPROVER_DYNAMIC_OBJECT(&global) && !__CPROVER_DYNAMIC_OBJECT(0), "not of the heap");
  free(one);
  return 0;
}
