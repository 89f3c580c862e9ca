// Leaks that sanitizer builds of the tests do not report: solver libraries, and CLN inside cvc5, keep a few kilobytes of their own
// until exit, more after cancelled checks. Leaks of ours still count.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() { return "leak:libz3\nleak:libcln\nleak:libcvc5\n"; }
