// expect: unknown
// The function that the program calls is written outside of C.
__asm__(".text\nanswer:\n  movl $42, %eax\n  ret\n");
int answer(void);
int main(void) { return answer() == 42 ? 0 : 1; }
