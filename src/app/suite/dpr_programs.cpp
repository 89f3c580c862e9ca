#include "app/suite/dpr_programs.h"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "base/hash.h"

namespace whittle::app::suite {

namespace {

struct Clause {
  std::array<int, 3> literals;  ///< variable number from 1, negative if negated
};

std::vector<Clause> random_clauses(unsigned variables, unsigned count, uint64_t seed) {
  uint64_t state = hash_mix(seed);
  auto below = [&](unsigned n) {
    state += 0x9e3779b97f4a7c15u;
    return static_cast<unsigned>(hash_mix(state) % n);
  };
  std::vector<Clause> clauses;
  while (clauses.size() < count) {
    std::array<unsigned, 3> v{below(variables), below(variables), below(variables)};
    if (v[0] == v[1] || v[1] == v[2] || v[0] == v[2]) continue;
    Clause clause;
    for (int i = 0; i < 3; ++i) clause.literals[i] = static_cast<int>(v[i] + 1) * (below(2) != 0 ? 1 : -1);
    clauses.push_back(clause);
  }
  return clauses;
}

bool satisfiable(unsigned variables, const std::vector<Clause>& clauses) {
  for (uint32_t assignment = 0; assignment < uint32_t{1} << variables; ++assignment) {
    bool all = true;
    for (const Clause& clause : clauses) {
      bool one = false;
      for (int literal : clause.literals) one |= (assignment >> (std::abs(literal) - 1) & 1) == (literal > 0 ? 1u : 0u);
      if (!one) {
        all = false;
        break;
      }
    }
    if (all) return true;
  }
  return false;
}

}  // namespace

std::string max_3sat_program(unsigned variables, unsigned clauses, uint64_t seed) {
  std::vector<Clause> formula = random_clauses(variables, clauses, seed);
  while (satisfiable(variables, formula)) formula = random_clauses(variables, clauses, ++seed);
  std::string out =
      "extern _Bool __VERIFIER_nondet_bool(void);\nextern void __VERIFIER_error(void);\nint main(void) {\n";
  for (unsigned v = 1; v <= variables; ++v)
    out += fmt::format("  int x{0};\n  if (__VERIFIER_nondet_bool()) x{0} = 1;\n  else x{0} = 0;\n", v);
  out += "  int all = 1;\n";
  for (const Clause& clause : formula) {
    std::string text;
    for (int literal : clause.literals)
      text += fmt::format("{}{}x{}", text.empty() ? "" : " || ", literal < 0 ? "!" : "", std::abs(literal));
    out += fmt::format("  if (!({})) all = 0;\n", text);
  }
  return out + "  if (all) __VERIFIER_error();\n  return 0;\n}\n";
}

std::string nfa_program(const std::string& sentence) {
  return fmt::format(
      "extern _Bool __VERIFIER_nondet_bool(void);\nextern void __VERIFIER_error(void);\n"
      "enum {{ SIGN, WHOLE, POINT, FRACTION, ACCEPT, STUCK }};\n"
      "static const char sentence[] = \"{}\";\n"
      "static int digit(char c) {{ return c >= '0' && c <= '9'; }}\n"
      "int main(void) {{\n"
      "  int state = SIGN;\n"
      "  for (int i = 0; i < {}; i++) {{\n"
      "    char c = sentence[i];\n"
      "    int more = __VERIFIER_nondet_bool(); /* which of two transitions */\n"
      "    switch (state) {{\n"
      "      case SIGN:\n"
      "        if (c == '+') state = WHOLE;\n"
      "        else if (digit(c)) state = more ? WHOLE : POINT;\n"
      "        else state = STUCK;\n"
      "        break;\n"
      "      case WHOLE: state = digit(c) ? (more ? WHOLE : POINT) : STUCK; break;\n"
      "      case POINT: state = c == '.' ? FRACTION : STUCK; break;\n"
      "      case FRACTION: state = digit(c) ? (more ? FRACTION : ACCEPT) : STUCK; break;\n"
      "      default: state = STUCK; break;\n"
      "    }}\n"
      "  }}\n"
      "  if (state == ACCEPT) __VERIFIER_error();\n"
      "  return 0;\n"
      "}}\n",
      sentence, sentence.size());
}

}  // namespace whittle::app::suite
