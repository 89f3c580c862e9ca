// shape against brute force: what it proves about lists of any length holds of all short runs. The programs link objects
// in every way that a slip of the pen allows: many of them are wrong.
#include "engines/shape/shape_engine.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "engines/buffer_programs.h"
#include "engines/programs.h"
#include "exec/runner.h"

namespace whittle::engines::shape {
namespace {

using verdict::Answer;
using verdict::Property;

constexpr const char* kPrelude = R"(
typedef unsigned long size_t;
void *malloc(size_t); void *calloc(size_t, size_t); void free(void *); void exit(int);
_Bool __VERIFIER_nondet_bool(void); void __VERIFIER_error(void);
struct hook { struct hook *next, *prev; };
struct n { int v; struct n *next; struct n *prev; };
struct k { int v; struct hook h; };
#define OF(hook_) ((struct k *)((char *)(hook_) - __builtin_offsetof(struct k, h)))
static void join_hooks(struct hook *a, struct hook *b) { a->next = b; b->prev = a; }
)";

/// Lists with null at their end, in four variables.
class ListWriter {
 public:
  explicit ListWriter(uint64_t seed) : random_(seed), name_(std::to_string(seed)) {}

  std::string text() {
    back_ = chance(2);
    zeroed_ = chance(4);
    std::string t = fmt::format("static struct n *g_{0};\nint main_{0}(void) {{\n  struct n *a = 0, *b = 0, *c = 0, *p, *t; int i = 0;\n", name_);
    if (!chance(3)) t += "  while (__VERIFIER_nondet_bool()) {\n" + (chance(2) ? push("a") : append("a")) + "  }\n";
    for (unsigned n = 3 + below(6); n > 0; --n) t += "  {\n" + statement() + "  }\n";
    if (!chance(4))
      for (const char* list : {"a", "b", "c"}) t += free_all(list);
    if (chance(2)) t += free_all(fmt::format("g_{}", name_));
    return t + "  return 0;\n}\n";
  }

 private:
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  bool chance(unsigned one_in) { return below(one_in) == 0; }
  std::string list() {
    switch (below(8)) {
      case 0: return fmt::format("g_{}", name_);
      case 1: return "c";
      case 2:
      case 3: return "b";
      default: return "a";
    }
  }
  std::string number() { return chance(6) ? "i" : chance(8) ? "__VERIFIER_nondet_bool()" : fmt::format("{}", below(3)); }
  std::string make() { return zeroed_ ? "t = calloc(1, sizeof *t);" : "t = malloc(sizeof *t);"; }

  std::string push(const std::string& to) {
    std::string s = fmt::format("    {} t->v = {}; t->next = {};\n", make(), number(), to);
    if (back_ && !chance(20)) s += fmt::format("    t->prev = 0; if ({0}) {0}->prev = t;\n", to);
    return s + fmt::format("    {} = t;\n", to);
  }
  std::string append(const std::string& to) {
    return fmt::format(
        "    {0} t->v = {1}; {5}\n    if (!{2}) {{ {2} = t; {3} }} else {{ for (p = {2}; p->next; p = p->next) {{}} p->next = t; {4} }}\n",
        make(), number(), to, back_ ? "t->prev = 0;" : "", back_ && !chance(20) ? "t->prev = p;" : "",
        chance(25) ? "" : "t->next = 0;");
  }
  std::string pop(const std::string& from) {
    return fmt::format("    {0}{{ t = {1}; {1} = t->next; {2} {3} }}\n", chance(15) ? "" : fmt::format("if ({}) ", from), from,
                       back_ && !chance(15) ? fmt::format("if ({0}) {0}->prev = 0;", from) : "", chance(20) ? "" : "free(t);");
  }
  std::string free_all(const std::string& from) {
    return fmt::format("  while ({0}) {{ p = {0}->next; free({0}); {0} = p; }}\n", from);
  }
  std::string reverse(const std::string& which) {
    return fmt::format("    t = 0; while ({0}) {{ p = {0}->next; {0}->next = t; {1} t = {0}; {0} = p; }} {0} = t;\n", which,
                       back_ && !chance(10) ? fmt::format("{}->prev = p;", which) : "");
  }
  std::string move(const std::string& from, const std::string& to) {
    const std::string condition = chance(3) ? from : fmt::format("{} && {}", from, chance(2) ? from + "->v == " + number() : "__VERIFIER_nondet_bool()");
    return fmt::format("    while ({0}) {{ t = {1}; {1} = {1}->next; {3} t->next = {2}; {4} {2} = t; {5} }}\n", condition, from, to,
                       back_ ? fmt::format("if ({0}) {0}->prev = 0;", from) : "",
                       back_ && !chance(12) ? fmt::format("t->prev = 0; if ({0}) {0}->prev = t;", to) : "",
                       chance(6) ? "i++;" : "");
  }
  std::string remove(const std::string& from) {
    return fmt::format(
        "    for (p = {0}, t = 0; p;) {{ struct n *next = p->next;\n      if (p->v == {1}) {{ if (t) t->next = next; else {0} = "
        "next; {2} {3} }} else t = p;\n      p = next; }}\n",
        from, number(), back_ && !chance(12) ? "if (next) next->prev = t;" : "", chance(20) ? "" : "free(p);");
  }
  std::string insert(const std::string& into) {
    return fmt::format(
        "    for (p = {0}; p{1}; p = p->next) {{}}\n    if (p) {{ {2} t->v = {3}; t->next = p->next; {4} p->next = t; }}\n", into,
        chance(2) ? " && __VERIFIER_nondet_bool()" : " && p->v != " + number(), make(), number(),
        back_ && !chance(12) ? "t->prev = p; if (p->next) p->next->prev = t;" : "");
  }
  std::string claim(const std::string& about) {
    switch (below(5)) {
      case 0: return fmt::format("    for (p = {}; p; p = p->next) if (p->v == {}) __VERIFIER_error();\n", about, below(4));
      case 1: return fmt::format("    for (p = {}; p; p = p->next) if (p->v > {}) __VERIFIER_error();\n", about, below(4));
      case 2:
        return back_ ? fmt::format("    for (p = {}; p; p = p->next) if (p->next && p->next->prev != p) __VERIFIER_error();\n", about)
                     : fmt::format("    if ({0} && {0}->next == {0}) __VERIFIER_error();\n", about);
      case 3: return fmt::format("    if ({0} && {0}->v {1} {2}) __VERIFIER_error();\n", about, chance(2) ? "==" : "!=", below(3));
      default: return fmt::format("    for (p = {0}; p && p != {1}; p = p->next) {{}}\n    if (p && p != {0}) __VERIFIER_error();\n", about, list());
    }
  }
  std::string statement() {
    const std::string one = list(), other = list();
    switch (below(16)) {
      case 0: return push(one);
      case 1:
      case 2:
      case 3: return "    while (__VERIFIER_nondet_bool()) {\n" + push(one) + "    }\n";
      case 4: return "    while (__VERIFIER_nondet_bool()) {\n" + append(one) + "    }\n";
      case 5: return pop(one);
      case 6: return reverse(one);
      case 7: return one == other ? pop(one) : move(one, other);
      case 8: return remove(one);
      case 9: return insert(one);
      case 10: return fmt::format("    for (p = {}; p; p = p->next) p->v = {};\n", one, number());
      case 11: return chance(5) ? fmt::format("    {} = {};\n", one, other) : push(one);
      case 12: return chance(3) ? fmt::format("    if (__VERIFIER_nondet_bool()) {{ {} exit(0); }}\n", chance(2) ? one + " = 0;" : "") : free_all(one);
      default: return claim(one);
    }
  }

  std::mt19937_64 random_;
  std::string name_;
  bool back_ = false, zeroed_ = false;
};

/// Rings through a head, linked by members in the middle of objects.
class RingWriter {
 public:
  explicit RingWriter(uint64_t seed) : random_(seed), name_(std::to_string(seed)) {}

  std::string text() {
    const bool local = chance(2);
    std::string t = local ? "" : fmt::format("static struct hook A_{0} = {{&A_{0}, &A_{0}}}, B_{0} = {{&B_{0}, &B_{0}}};\n", name_);
    t += fmt::format("int main_{}(void) {{\n", name_);
    if (local) t += "  struct hook A, B; A.next = A.prev = &A; B.next = B.prev = &B;\n";
    t += "  struct hook *h; struct k *t; int i = 0;\n";
    for (const char* ring : {"A", "B"}) rings_.push_back(local ? std::string(ring) : fmt::format("{}_{}", ring, name_));
    if (!chance(3)) t += "  while (__VERIFIER_nondet_bool()) {\n" + add(rings_[0]) + "  }\n";
    for (unsigned n = 3 + below(6); n > 0; --n) t += "  {\n" + statement() + "  }\n";
    if (!chance(4))
      for (const std::string& ring : rings_)
        t += fmt::format("  for (h = {0}.next; h != &{0};) {{ t = OF(h); h = h->next; free(t); }}\n", ring);
    return t + "  return 0;\n}\n";
  }

 private:
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  bool chance(unsigned one_in) { return below(one_in) == 0; }
  std::string ring() { return rings_[below(4) == 0]; }

  std::string add(const std::string& to) {
    std::string s = fmt::format("    t = malloc(sizeof *t); t->v = {};\n", chance(4) ? "i" : std::to_string(below(3)));
    if (chance(2)) return s + fmt::format("    join_hooks(&t->h, {0}.next); join_hooks(&{0}, &t->h);\n", to);
    if (chance(12)) return s + fmt::format("    t->h.next = &{0}; t->h.prev = {0}.prev; {0}.prev = &t->h;\n", to);
    return s + fmt::format("    join_hooks({0}.prev, &t->h); join_hooks(&t->h, &{0});\n", to);
  }
  std::string statement() {
    const std::string r = ring(), other = ring();
    switch (below(10)) {
      case 0: return add(r);
      case 1:
      case 2:
      case 3: return "    while (__VERIFIER_nondet_bool()) {\n" + add(r) + "    }\n";
      case 4:
        return fmt::format("    {0}{{ h = {1}.{2}; join_hooks(h->prev, h->next); {3} }}\n",
                           chance(10) ? "" : fmt::format("if ({0}.next != &{0}) ", r), r, chance(2) ? "next" : "prev",
                           chance(15) ? "" : "free(OF(h));");
      case 5:
        return fmt::format(
            "    for (h = {0}.next; h != &{0};) {{ t = OF(h); h = h->next; if (t->v == {1}) {{ join_hooks(t->h.prev, t->h.next); {2} }} }}\n",
            r, below(3), chance(15) ? "" : "free(t);");
      case 6:
        return fmt::format("    if ({0}.next != &{0}) {{ join_hooks({1}.prev, {0}.next); join_hooks({0}.prev, &{1}); {2} }}\n", r,
                           other == r ? rings_[other == rings_[0]] : other, chance(12) ? "" : fmt::format("{0}.next = {0}.prev = &{0};", r));
      case 7: return fmt::format("    for (h = {0}.next; h != &{0}; h = h->next) OF(h)->v = {1};\n", r, below(3));
      case 8:
        return fmt::format("    for (h = {0}.next; h != &{0}; h = h->next) if (OF(h)->v {1} {2}) __VERIFIER_error();\n", r,
                           chance(2) ? ">" : "==", below(3));
      default:
        return fmt::format("    for (h = {0}.next; h != &{0}; h = h->next) if (h->next->prev != h) __VERIFIER_error();\n", r);
    }
  }

  std::mt19937_64 random_;
  std::string name_;
  std::vector<std::string> rings_;
};

template <typename Writer>
void against_brute_force(uint64_t seed, unsigned count, unsigned most_unknown) {
  if (const char* other = std::getenv("WHITTLE_SEED")) seed = std::strtoull(other, nullptr, 10);
  const test::Check check = test::check_by<ShapeEngine>({}, 2);
  unsigned proved = 0, right = 0, wrong = 0;
  test::for_each_text(kPrelude, seed, count, [](uint64_t own) { return Writer(own).text(); },
                      [&](program::Program& program, uint64_t own, const std::string& text) {
                        verdict::Specification specification = verdict::default_specification();
                        if (own % 3 != 0) specification.properties.insert(Property::ValidMemtrack);
                        if (own % 3 == 2) specification.properties.insert(Property::ValidMemcleanup);
                        auto code = std::make_shared<exec::Code>(program, specification);
                        const verdict::Verdict verdict = check(program, specification);
                        ASSERT_NE(verdict.answer, Answer::False);
                        const bool goes_wrong = test::fails(code, 10, 3000);
                        ++(goes_wrong ? wrong : right);
                        // Nor does it prove what is wrong when its time is up in the middle.
                        for (double seconds : {0.001, 0.002, 0.004}) {
                          if (!goes_wrong) break;
                          ASSERT_NE(test::check_by<ShapeEngine>({}, seconds)(program, specification).answer, Answer::True)
                              << "seed " << own << " in " << seconds << " s\n" << text;
                        }
                        if (verdict.answer != Answer::True) return;
                        ++proved;
                        ASSERT_FALSE(goes_wrong) << "seed " << own << "\n" << text;
                      });
  std::printf("%u proved of %u that do not go wrong in short runs; %u go wrong\n", proved, right, wrong);
  EXPECT_GT(wrong, count / 10);
  EXPECT_GE(100 * proved, (100 - most_unknown) * right);
}

TEST(ShapeAgainstBruteForce, Lists) { against_brute_force<ListWriter>(90'000, test::program_count(120, 3000), 60); }
TEST(ShapeAgainstBruteForce, Rings) { against_brute_force<RingWriter>(95'000, test::program_count(120, 3000), 60); }

}  // namespace
}  // namespace whittle::engines::shape
