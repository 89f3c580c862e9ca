// Leaks that sanitizer builds do not report: CLN, the number library inside cvc5, keeps a few bytes until exit.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() { return "leak:libcln.so\n"; }
