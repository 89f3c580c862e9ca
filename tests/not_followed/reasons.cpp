#include "not_followed/reasons.h"

namespace whittle::test {

namespace {

Reason model(std::string name, std::string declarations, std::string piece, std::string says) {
  return {std::move(name), std::move(declarations), std::move(piece), std::move(says), false, false, false};
}
Reason undefined(std::string name, std::string declarations, std::string piece, std::string says) {
  return {std::move(name), std::move(declarations), std::move(piece), std::move(says), true, false, false};
}
Reason threads(std::string name, std::string declarations, std::string piece, std::string says) {
  return {std::move(name), std::move(declarations), std::move(piece), std::move(says), false, true, false};
}
Reason slow(std::string name, std::string declarations, std::string piece, std::string says) {
  return {std::move(name), std::move(declarations), std::move(piece), std::move(says), false, false, true};
}

constexpr const char* kOtherType = "through a pointer to a function of another type";

std::vector<Reason> make() {
  return {
      // The front end.
      model("assembly", "", "int y = 1; __asm__ volatile(\"rcll $3, %0\" : \"+r\"(y));", "inline assembly"),
      model("assembly without results", "", "__asm__ volatile(\"hlt\");", "inline assembly"),
      model("asm goto", "", "__asm__ goto(\"jmp %l0\" : : : : away); away:;", "asm goto"),
      model("getcontext", "#include <ucontext.h>\nucontext_t context;\n", "getcontext(&context);", "getcontext"),
      model("a noreturn function returns",
            "_Noreturn void never(void);\n_Noreturn void never(void) { if (never) return; for (;;); }\n",
            "never();", "noreturn"),
      model("code marked unreachable", "", "if (one) __builtin_unreachable();", "unreachable"),
      model("wide integers", "_BitInt(256) wide;\n", "wide = wide * wide;", "128 bits"),
      model("a primitive of the models", "void __whittle_unsupported(const char *) __attribute__((noreturn));\n",
            "if (one) __whittle_unsupported(\"this very thing\");", "this very thing"),
      // Models.
      model("aligned allocation", "", "free(aligned_alloc(4096, 4096));", "aligned"),
      model("too many keys", "#include <pthread.h>\n",
            "for (int k = 0; k < 17; k++) { pthread_key_t key; pthread_key_create(&key, 0); }", "16 keys"),
      model("a named semaphore", "#include <semaphore.h>\n", "sem_open(\"/name\", 0);", "sem_open"),
      threads("too many threads", "#include <pthread.h>\nstatic void *sleeper(void *a) { return a; }\n",
              "for (int k = 0; k < 65; k++) { pthread_t t; pthread_create(&t, 0, sleeper, 0); }", "64 threads"),
      // Calls through pointers of another type, with numbers that have registers of their own.
      model("more parameters", "static int f(int a, double b) { return a + (int)b; }\nint (*p)(void) = (int (*)(void))f;\n",
            "p();", kOtherType),
      model("a wider parameter", "static int f(double a) { return (int)a; }\nint (*p)(int) = (int (*)(int))f;\n",
            "p(1);", kOtherType),
      model("another result", "static float f(void *a) { return a == 0; }\n",
            "void *(*p)(void *) = (void *(*)(void *))f; if (p(0)) one = 1;", kOtherType),
      model("a result where there is none", "static void f(double a) { (void)a; }\nint (*p)(double) = (int (*)(double))f;\n",
            "one |= p(1);", kOtherType),
      model("an error inside a function of another type",
            "static int f(double a, int b) { __VERIFIER_assert(a != a); return b; }\nint (*p)(void) = (int (*)(void))f;\n",
            "p();", kOtherType),
      model("one of several functions",
            "static long f(double a) { return (long)a; }\nstatic int g(int a) { return a; }\n"
            "int (*table[])(int) = {g, (int (*)(int))f};\n",
            "table[one](1);", kOtherType),
      threads("a thread of another type",
              "#include <pthread.h>\nstatic void *f(double a, int b, int c) { return a + b + c ? &one : 0; }\n",
              "pthread_t t; pthread_create(&t, 0, (void *(*)(void *))f, 0); pthread_join(t, 0);", "type"),
      // Limits of the machine.
      slow("stack overflow", "static int down(int n) { return n == 0 ? 0 : 1 + down(n - 1); }\n", "down(30000);",
           "stack overflow"),
      model("a huge object", "", "char *big = malloc(1ul << 29); big[0] = 1; free(big);",
            "more than the machine's limit"),
      model("a huge array", "", "unsigned long n = (1ul << 29) * one; char big[n]; big[0] = 1;",
            "more than the machine's limit"),
      slow("too much memory", "", "for (int k = 0; k < 40; k++) { char *m = malloc(1 << 26); m[0] = (char)k; }",
           "no addresses left"),
      model("an atomic region ends that never began", "void __VERIFIER_atomic_end(void);\n", "__VERIFIER_atomic_end();",
            "never began"),
      threads("a pointer in disguise",
              "#include <pthread.h>\nunsigned long hidden;\n"
              "static void *other(void *a) { *(int *)~hidden = 7; return a; }\n",
              "int mine = 1; hidden = ~(unsigned long)&mine; pthread_t t; pthread_create(&t, 0, other, 0);"
              " pthread_join(t, 0);",
              "no pointer on its way"),
      // Undefined behaviour that was not asked about.
      undefined("null", "int *nothing;\n", "*nothing = 1;", "not checked"),
      undefined("out of bounds", "int few[4];\n", "few[one + 7] = 1;", "not checked"),
      undefined("division by zero", "", "one = 5 / (one - 1);", "not checked"),
      undefined("bad shift", "", "one = one << (one + 32);", "not checked"),
      undefined("double free", "", "char *m = malloc(4); free(m); free(m);", "not checked"),
      undefined("call of no function", "void (*none)(void);\n", "none();", "not checked"),
  };
}

}  // namespace

const std::vector<Reason>& reasons() {
  static const std::vector<Reason> kReasons = make();
  return kReasons;
}

std::string program_text(const Reason& reason, Setting setting) {
  std::string text =
      "#include <assert.h>\n#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\nint one = 1;\n"
      "static void __VERIFIER_assert(int c) { assert(c); }\n" +
      reason.declarations;
  const std::string all = "{ " + reason.piece + " } __VERIFIER_assert(!one);";
  switch (setting) {
    case Setting::First: return text + "int main(void) { " + all + " return 0; }\n";
    case Setting::UnderInput:
      return text + "int main(void) { int x = __VERIFIER_nondet_int(); if (x == 4711) { " + all + " } return 0; }\n";
    case Setting::InFunction:
      return text + "static int work(int x, int y) { if (x == y + 3) { " + all +
             " } return x; }\nint main(void) { int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();"
             " if (y > 5 && y < 8) work(x, y); return 0; }\n";
    case Setting::InThread:
      return "#include <pthread.h>\n" + text + "static void *second(void *a) { " + all +
             " return a; }\nint main(void) { pthread_t s; pthread_create(&s, 0, second, 0); pthread_join(s, 0);"
             " return 0; }\n";
    case Setting::Unreachable:
      return text + "int main(void) { int x = __VERIFIER_nondet_int() & 3; if (x > 3) { " + all + " } return 0; }\n";
  }
  return text;
}

}  // namespace whittle::test
