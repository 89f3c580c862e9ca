// expect: unknown
// A name that only the assembler knows.
int answer(void) { return 42; }
int other(void);
__asm__(".globl other; .set other, answer");
int main(void) { return other() == 42 ? 0 : 1; }
