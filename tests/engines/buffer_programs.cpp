#include "engines/buffer_programs.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "engines/programs.h"
#include "exec/runner.h"

namespace whittle::test {

using verdict::Answer;

bool fails(const std::shared_ptr<const exec::Code>& code, size_t most_inputs, uint64_t most_statements) {
  std::vector<u128> path;
  for (;;) {
    exec::RunPlan plan;
    plan.inputs = path;
    plan.max_statements = most_statements;
    exec::RunResult result = exec::run(code, plan);
    if (result.end == exec::RunEnd::Violation) return true;
    path.clear();
    for (const auto& input : result.counterexample.inputs)
      if (path.size() < most_inputs) path.push_back(input.value);
    while (!path.empty() && path.back() != 0) path.pop_back();
    if (path.empty()) return false;
    path.back() = 1;
  }
}

namespace {

/// Writes a program that moves bytes about: indices, lengths and pointers depend on its inputs.
class TableWriter {
 public:
  TableWriter(uint64_t seed) : random_(seed), name_(std::to_string(seed)) {}

  std::string text() {
    inputs_ = 3 + below(5);
    std::string t = fmt::format("static const unsigned char table_{}[{}] = {{", name_, 8 + below(9));
    for (int i = 0; i < 8; ++i) t += fmt::format("{},", below(12));
    t += fmt::format("}};\nstruct s_{0} {{ unsigned char a; unsigned short b; unsigned c[2]; }};\nstatic unsigned words_{0}[5];\n",
                     name_);
    t += fmt::format("static unsigned twice_{}(unsigned n) {{ return n == 0 ? 0 : 2 + twice_{}(n - 1); }}\n", name_, name_);
    t += fmt::format("int main_{}(void) {{\n  unsigned v[4] = {{0, 0, 0, 0}}, i, k;\n", name_);
    for (unsigned i = 0; i < inputs_; ++i)
      t += fmt::format("  v[{}] = 2 * v[{}] + __VERIFIER_nondet_bool();\n", i % 4, i % 4);
    t += fmt::format("  unsigned char buf[{}] = {{0}}, *heap = malloc(1 + v[0] % 4), *p = buf;\n", size_ = 3 + below(6));
    t += fmt::format("  struct s_{} s[3] = {{{{0}}}};\n  memset(heap, {}, 1 + v[0] % 4);\n", name_, below(5));
    for (unsigned n = 5 + below(8); n > 0; --n) t += statement(2);
    t += "  free(heap);\n";
    if (chance(8)) t += "  if (v[1] == 3) free(heap);\n";
    if (chance(8)) t += "  if (v[2] == 1) v[0] = *heap;\n";
    t += fmt::format("  if ({} == {}) __VERIFIER_error();\n  return 0;\n}}\n", value(), below(40));
    return t;
  }

 private:
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  bool chance(unsigned one_in) { return below(one_in) == 0; }

  /// An index, inside mostly.
  std::string index(unsigned size) {
    std::string i = chance(3) ? fmt::format("twice_{}(v[{}] % 4)", name_, below(4)) : fmt::format("v[{}]", below(4));
    if (chance(3)) i += fmt::format(" + {}", below(3));
    return chance(12) ? i : fmt::format("({}) % {}", i, chance(25) ? size + 1 : size);
  }

  std::string place() {
    switch (below(8)) {
      case 0: return fmt::format("buf[{}]", index(size_));
      case 1: return fmt::format("words_{}[{}]", name_, index(5));
      case 2: return fmt::format("s[{}].a", index(3));
      case 3: return fmt::format("s[{}].c[{}]", index(3), index(2));
      case 4: return fmt::format("s[{}].b", index(3));
      case 5: return fmt::format("heap[{}]", chance(10) ? index(4) : "v[0] % 4");
      case 6: return chance(6) ? "*p" : "buf[0]";
      default: return fmt::format("v[{}]", below(4));
    }
  }

  std::string value() {
    switch (below(6)) {
      case 0: return fmt::format("table_{}[{}]", name_, index(8));
      case 1: return fmt::format("table_{0}[table_{0}[{1}] % 8]", name_, index(8));
      case 2: return std::to_string(below(20));
      case 3: return fmt::format("({} + {})", place(), place());
      default: return place();
    }
  }

  std::string statement(unsigned depth) {
    switch (below(depth == 0 ? 4 : 9)) {
      case 0: return fmt::format("  {} = {};\n", place(), value());
      case 1: return fmt::format("  p = {} ? buf + {} : (unsigned char *)&s[{}];\n", condition(), below(size_), index(3));
      case 2: return fmt::format("  if (!({} {} {})) __VERIFIER_error();\n", value(), chance(4) ? "<" : "!=", 100 + below(99));
      case 3: return fmt::format("  {} += {};\n", place(), value());
      case 4: return fmt::format("  memcpy(buf + {0}, heap, (v[0] % 4 + 1) % {1});\n", below(2), size_);
      case 5: return fmt::format("  memmove(buf, buf + {}, {});\n", index(size_ / 2), size_ / 2);
      case 6: return fmt::format("  if ({}) {{\n{}{}  }} else {{\n{}  }}\n", condition(), statement(depth - 1),
                                 statement(depth - 1), statement(depth - 1));
      case 7: return fmt::format("  for (i = 0; i < {} % {}; i++) {{\n{}    if ({}) break;\n  }}\n", value(), size_,
                                 statement(0), condition());
      default: return fmt::format("  for (k = 0; buf[k % {}] != 0 && k < {}; k++) {};\n", size_, 2 + below(6),
                                  chance(2) ? fmt::format("v[{}]++", below(4)) : std::string("p = buf + k"));
    }
  }

  std::string condition() { return fmt::format("({} & {}) == {}", value(), 1 + below(7), below(3)); }

  std::mt19937_64 random_;
  std::string name_;
  unsigned inputs_ = 0, size_ = 0;
};

/// Writes a parser: a position in a text that goes on by inner loops and calls, tokens, a list on the heap, a state.
class ParserWriter {
 public:
  ParserWriter(uint64_t seed) : random_(seed), name_(std::to_string(seed)) {}

  std::string text() {
    length_ = 2 + below(3);
    std::string t = fmt::format(
        "struct cur_{0} {{ unsigned pos, next, super; }};\nstruct node_{0} {{ struct node_{0} *next; unsigned char v; }};\n"
        "static unsigned char text_{0}[{1}];\nstatic unsigned out_{0}[{2}];\n",
        name_, length_, room_ = 2 + below(3));
    t += fmt::format("static int inner_{0}(struct cur_{0} *c) {{\n  unsigned start = c->pos{1};\n", name_,
                     chance(3) ? "++" : "");
    t += fmt::format("  for (; c->pos < {0} && text_{1}[c->pos] != {2}; c->pos++) {{\n", length_, name_, below(4));
    for (unsigned n = below(3); n > 0; --n)
      switch (below(4)) {
        case 0: t += fmt::format("    if (text_{}[c->pos] == {}) {{ c->pos = start; return -1; }}\n", name_, below(4)); break;
        case 1: t += fmt::format("    if (c->pos > start + {}) break;\n", below(2)); break;
        case 2: t += "    c->super = c->next;\n"; break;
        default: t += fmt::format("    if (c->next) out_{}[c->next - 1] += {};\n", name_, 1 + below(3));
      }
    t += fmt::format("  }}\n  if (c->next >= {}) return -2;\n  out_{}[c->next++] = {};\n  return {};\n}}\n",
                     chance(6) ? room_ + 1 : room_, name_, chance(2) ? "start" : "c->pos", below(2));
    t += fmt::format("static unsigned deep_{0}(struct cur_{0} *c, unsigned n) {{\n"
                     "  if (c->pos + 1 >= {1} || n == 0) return n;\n  c->pos++;\n"
                     "  return text_{0}[c->pos] == {2} ? 1 + deep_{0}(c, n - 1) : c->super;\n}}\n",
                     name_, length_, below(4));
    t += fmt::format("int main_{0}(void) {{\n  unsigned i, sum = 0, state = 0;\n  int r;\n  struct node_{0} *list = 0, *n;\n"
                     "  struct cur_{0} c = {{0, 0, 0}};\n  memset(out_{0}, 0, sizeof out_{0});\n",
                     name_);
    t += fmt::format("  for (i = 0; i < {0}; i++) {{\n    text_{1}[i] = 2 * __VERIFIER_nondet_bool();\n"
                     "    text_{1}[i] += __VERIFIER_nondet_bool();\n  }}\n",
                     length_, name_);
    t += fmt::format("  for (; c.pos < {0}; c.pos++) {{\n    switch (text_{1}[c.pos]{2}) {{\n", length_, name_,
                     chance(3) ? " ^ state" : "");
    for (unsigned k = 0; k < 4; ++k) t += fmt::format("    case {}: {} break;\n", k, action());
    t += fmt::format("    default: state = {};\n    }}\n  }}\n", below(3));
    t += fmt::format("end:\n  for (n = list; n; n = n->next) sum += n->v;\n  if ({}) __VERIFIER_error();\n", wrong());
    t += fmt::format("  if ({}) __VERIFIER_error();\n", wrong());
    if (!chance(8)) t += "  while (list) { n = list->next; free(list); list = n; }\n";
    return t + "  return 0;\n}\n";
  }

 private:
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  bool chance(unsigned one_in) { return below(one_in) == 0; }

  std::string action() {
    switch (below(10)) {
      case 0: return fmt::format("r = inner_{}(&c); if (r < 0) goto end; sum += r;", name_);
      case 1: return fmt::format("if (inner_{}(&c)) state++;", name_);
      case 2: return fmt::format("n = malloc(sizeof *n); n->v = {}; n->next = list; list = n;", chance(2) ? "c.pos" : "sum");
      case 3: return "if (list) { n = list; list = n->next; free(n); }";
      case 4: return fmt::format("{{ unsigned char v[c.next + 1]; v[0] = 0; v[c.super <= c.next ? c.super : 0] = c.pos; v[c.next] = {}; "
                                 "sum += v[0]; }}", below(3));
      case 5: return fmt::format("sum += deep_{}(&c, {});", name_, 1 + below(3));
      case 6: return fmt::format("c.super = c.next; state = (state + 1) % {};", 1 + below(3));
      case 7: return fmt::format("for (i = c.next; i > 0; i--) if (out_{}[i - 1] == {}) {{ c.super = i - 1; break; }}", name_,
                                 below(3));
      case 8: return fmt::format("out_{}[c.super] = sum;", name_);
      default: return fmt::format("if (state == {}) c.pos += {};", below(2), 1 + below(2));
    }
  }

  std::string wrong() {
    switch (below(6)) {
      case 0: return fmt::format("sum == {}", below(12));
      case 1: return fmt::format("c.super > c.next + {}", below(2));
      case 2: return fmt::format("out_{}[{}] == {} && state == {}", name_, below(room_), 1 + below(3), below(3));
      case 3: return fmt::format("c.pos > {}", length_ + below(2));
      case 4: return fmt::format("list && list->next && list->v == {}", below(3));
      default: return fmt::format("c.next == {}", 1 + below(room_));
    }
  }

  std::mt19937_64 random_;
  std::string name_;
  unsigned length_ = 0, room_ = 0;
};

}  // namespace

void against_brute_force(const Check& check, Buffers kind, unsigned few, unsigned many) {
  unsigned proved = 0, violated = 0, unknown = 0;
  const std::string prelude =
      "#include <stdlib.h>\n#include <string.h>\n_Bool __VERIFIER_nondet_bool(void);\nvoid __VERIFIER_error(void);\n";
  const char* other = std::getenv("WHITTLE_SEED");
  const uint64_t seed = 1 + (other ? 1'000'000 * std::strtoull(other, nullptr, 10) : 0);
  for_each_text(
      prelude, seed, program_count(few, many),
      [&](uint64_t own) { return kind == Buffers::Tables ? TableWriter(own).text() : ParserWriter(own).text(); },
      [&](program::Program& program, uint64_t own, const std::string& text) {
        const verdict::Specification specification = verdict::default_specification();
        auto code = std::make_shared<exec::Code>(program, specification);
        const verdict::Verdict verdict = check(program, specification);
        if (verdict.answer == Answer::Unknown) {
          ++unknown;
          std::printf("seed %lu: %s\n", own, verdict.reason.c_str());
          return;
        }
        const bool wrong = verdict.answer == Answer::False;
        ++(wrong ? violated : proved);
        ASSERT_EQ(fails(code), wrong) << "seed " << own << "\n" << text;
      });
  std::printf("%u proved, %u violated, %u unknown\n", proved, violated, unknown);
  EXPECT_GT(proved, unknown);
  EXPECT_GT(violated, unknown);
}

}  // namespace whittle::test
