// multiBranch: a larger littleBranch. The values live in locals that are reached through pointers, so a static analysis
// must take all of them for live as long as any pointer is still followed.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);

int result;

static int input(int limit) {
  unsigned char value = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(value < limit);
  return value;
}

static void add(int *to, const int *from) { *to = *to + *from; }

int main(void) {
  int value[6];
  int *first = &value[0];
  int *last = &value[5];
  int sum = 0;
  value[0] = input(6);
  value[1] = input(6);
  value[2] = input(6);
  value[3] = input(5);
  value[4] = input(4);
  value[5] = input(3);
  if (*first < 2) {
    if (value[1] < 3) {
      add(&sum, &value[2]);
      if (value[2] > 3) {
        add(&sum, &value[3]);
        if (sum > 5) sum = 5;
      } else {
        add(&sum, &value[4]);
        if (sum > 4) sum = 4;
      }
      value[0] = 0;
      value[1] = 0;
    } else {
      if (*last == 0) {
        add(&sum, &value[4]);
        value[4] = 0;
      } else if (*last == 1) {
        add(&sum, &value[3]);
        value[3] = 0;
      } else {
        add(&sum, &value[2]);
        value[2] = 0;
      }
      if (sum > 3) sum = 3;
    }
  } else if (*first < 4) {
    int *chosen = value[1] < 2 ? &value[2] : &value[3];
    if (*chosen == 0) {
      sum = 1;
    } else if (*chosen < 3) {
      add(&sum, chosen);
      if (value[4] == 0) sum = sum + 1;
    } else {
      add(&sum, last);
      if (value[4] > 1) sum = sum + 2;
    }
    *chosen = 0;
    if (sum > 4) sum = 4;
  } else {
    switch (value[1]) {
      case 0: add(&sum, &value[2]); break;
      case 1: add(&sum, &value[3]); break;
      case 2: add(&sum, &value[4]); break;
      case 3: add(&sum, &value[5]); break;
      default: sum = 6; break;
    }
    if (sum > 2) {
      sum = sum - 1;
      if (sum > 3) {
        sum = sum - 1;
        if (sum > 3) sum = 3;
      }
    }
  }
  result = sum;
  result = result * 2;
  if (result > 12) result = 12;
  for (int i = 0; i < 6; i++) value[i] = 0;
  return result > 12;
}
