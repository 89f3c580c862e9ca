// expect: unknown
// property: unreach-call
// The only run divides by zero, which is not asked about: nothing is known of what comes after, for each assertion alone as for all.
extern void reach_error(void);
int main(void) {
  int i = 0;
  while (i < 3) {
    if (!(3 / i >= 0)) reach_error();
    i++;
  }
  reach_error();
  return 0;
}
