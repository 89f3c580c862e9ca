#include "app/suite/dash_programs.h"

#include <fmt/format.h>

namespace whittle::app::suite {

std::string figure_3_program(unsigned n, bool broken) {
  std::string parameters, arguments, fresh, any, later;
  for (unsigned i = 1; i <= n; ++i) {
    parameters += fmt::format(", DE *p{}", i);
    arguments += ", q";
    if (broken && i == n / 2 + 1) fresh += fmt::format("  if (p->y == 12345) p{} = p; else\n", i);
    fresh += fmt::format("  p{0} = malloc(sizeof(DE));\n  p{0}->lock = 0;\n", i);
    any += fmt::format("{}p{}->lock == 1", i == 1 ? "" : " || ", i);
    later += fmt::format("  p = p{};\n", i);
  }
  return fmt::format(
      "#include <stdlib.h>\n"
      "extern int __VERIFIER_nondet_int(void);\n"
      "extern _Bool __VERIFIER_nondet_bool(void);\n"
      "extern void __VERIFIER_error(void);\n"
      "typedef struct {{ int lock; int y; }} DE;\n"
      "static void foo(DE *p{}) {{\n"
      "{}"
      "  p->lock = 1;\n"
      "  if ({}) __VERIFIER_error();\n"
      "{}"
      "}}\n"
      "int main(void) {{\n"
      "  DE a = {{__VERIFIER_nondet_int(), __VERIFIER_nondet_int()}};\n"
      "  DE b = {{__VERIFIER_nondet_int(), __VERIFIER_nondet_int()}};\n"
      "  DE *p = __VERIFIER_nondet_bool() ? &a : &b;\n"
      "  DE *q = __VERIFIER_nondet_bool() ? &a : &b;\n"
      "  foo(p{});\n"
      "  return 0;\n"
      "}}\n",
      parameters, fresh, any, later, arguments);
}

std::string figure_6_program(unsigned n, bool broken) {
  std::string inputs, branches;
  for (unsigned i = 1; i <= n; ++i) {
    inputs += fmt::format("  _Bool b{} = __VERIFIER_nondet_bool();\n", i);
    if (broken && i == (n + 1) / 2) branches += "  if (before == 4711) p = &lock;\n";
    branches += fmt::format("  if (b{}) x = x + 1; else *p = *p + 1;\n", i);
  }
  return fmt::format(
      "#include <assert.h>\n"
      "#include <stdlib.h>\n"
      "extern int __VERIFIER_nondet_int(void);\n"
      "extern _Bool __VERIFIER_nondet_bool(void);\n"
      "static int lock;  /* not a local: it has to stay in memory, where p could point */\n"
      "int main(void) {{\n"
      "{}"
      "  int before = lock = __VERIFIER_nondet_int();\n"
      "  int x = 0;\n"
      "  int *p = malloc(sizeof(int));\n"
      "  *p = 0;\n"
      "  lock = 1;\n"
      "{}"
      "  assert(lock == 1);\n"
      "  return 0;\n"
      "}}\n",
      inputs, branches);
}

}  // namespace whittle::app::suite
