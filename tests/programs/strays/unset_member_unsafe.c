// expect: false(unreach-call)
// hard-for: auto test explicit dpr guided merge shape
// property: unreach-call
// Its twin: a run goes on after a write through a pointer that the program never sets.
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
    if (device.extension->status == -1) state = 2;
    if (state != 1) reach_error();
  }
  return 0;
}
