// Its last element has no successor.
// expect: false(valid-deref)
// property: valid-deref
// options: --data-model ILP32
// time: 30
extern unsigned __VERIFIER_nondet_uint(void);
static void sort(int *numbers, int count) {
  for (int i = count - 1; i > 0; i--)
    for (int j = 0; j <= i; j++)
      if (numbers[j] > numbers[j + 1]) {
        int other = numbers[j];
        numbers[j] = numbers[j + 1];
        numbers[j + 1] = other;
      }
}
int main(void) {
  unsigned count = __VERIFIER_nondet_uint();
  if (count == 0 || count > 10000) return 0;
  int numbers[count];
  sort(numbers, (int)count);
  return 0;
}
