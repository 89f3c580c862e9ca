// expect: true
// proved-by: dash
// property: unreach-call
// A pointer that the program never sets is no pointer to the state of the driver.
void reach_error(void);
int __VERIFIER_nondet_int(void);
void *__VERIFIER_nondet_pointer(void);
struct extension { int pending, status; };
struct device { struct extension *extension; int started; };
int state;
static void start(struct device *d) {
  d->extension->pending = 1;
  d->extension->status = -1;
}
int main(void) {
  struct device device;
  state = 1;
  while (__VERIFIER_nondet_int()) {
    start(&device);
    if (device.extension->pending != 1) return 0;
    if (state != 1) reach_error();
  }
  return 0;
}
