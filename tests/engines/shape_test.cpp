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
void *memset(void *, int, size_t); void *memcpy(void *, const void *, size_t);
_Bool __VERIFIER_nondet_bool(void); void __VERIFIER_error(void);
struct hook { struct hook *next, *prev; };
struct n { int v; struct n *next; struct n *prev; };
struct k { int v; struct hook h; };
struct tree { struct tree *l, *r, *up; int v; };
struct outer { struct outer *next, *prev; struct n *sub; int v; struct hook ring; };
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

/// Binary trees, with or without links to parents. Half of the programs have one slip.
class TreeWriter {
 public:
  explicit TreeWriter(uint64_t seed) : random_(seed), name_(std::to_string(seed)), slip_(below(24)), up_(below(2) == 0) {}

  std::string text() {
    std::string t = fmt::format("int main_{}(void) {{\n  struct tree *r = 0, *n = 0, *p = 0;\n", name_);
    t += "  while (__VERIFIER_nondet_bool()) {\n" + grow() + "  }\n";
    if (slip(Slip::FreeEarly)) t += "  if (r && r->l) free(r->l);\n";
    if (slip(Slip::CutOff)) t += "  if (r && r->l) r->l = r->l->r;\n";
    if (slip(Slip::Share)) t += "  if (r && r->l && !r->r) r->r = r->l;\n";
    if (below(3) == 0) t += look();
    t += up_ && below(2) == 0 ? free_by_parents() : free_leaves();
    return t + "  return 0;\n}\n";
  }

 private:
  enum class Slip : uint8_t { NoRight, NoParent, OneWay, Overwrite, Unlink, Forget, Lose, Twice, UseFreed, Value, FreeEarly, CutOff, Share };

  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  bool slip(Slip which) const { return slip_ == static_cast<unsigned>(which); }

  std::string make(const std::string& at, const std::string& parent) {
    return fmt::format("{0} = malloc(sizeof *{0}); {0}->l = 0; {1} {2} {0}->v = {3};", at, slip(Slip::NoRight) ? "" : at + "->r = 0;",
                       up_ && !slip(Slip::NoParent) ? fmt::format("{}->up = {};", at, parent) : "", below(2));
  }
  std::string grow() {
    return fmt::format(
        "    if (!r) {{ {} }} else {{ n = r; while ({}) {{ if (__VERIFIER_nondet_bool()) n = n->l; else n = n->r; }}\n"
        "      if ({}) {{ {} }} else {{ {} }} }}\n",
        make("r", "0"), slip(Slip::OneWay) ? "n->l" : "n->l && n->r", slip(Slip::Overwrite) ? "n->l" : "!n->l", make("n->l", "n"),
        make("n->r", "n"));
  }
  std::string look() {
    if (up_ && below(2) == 0) return "  for (n = r; n && n->l; n = n->l) if (n->l->up != n) __VERIFIER_error();\n";
    return fmt::format("  for (n = r; n; n = n->{}) if (n->v > {}) __VERIFIER_error();\n", below(2) == 0 ? "l" : "r",
                       slip(Slip::Value) ? 0 : 1);
  }
  std::string release() const {
    if (slip(Slip::Lose)) return "if (n != r) free(n);";
    return slip(Slip::Twice) ? "free(n); if (!p) free(n);" : "free(n);";
  }
  std::string unlink() const { return slip(Slip::Unlink) ? "p->r = 0;" : "if (n == p->l) p->l = 0; else p->r = 0;"; }
  std::string free_leaves() const {
    return fmt::format(
        "  while (r) {{ p = 0; n = r; while ({}) {{ p = n; if (n->l) n = n->l; else n = n->r; }}\n"
        "    if (p) {{ {} }} else r = 0; {} {} }}\n",
        slip(Slip::Forget) ? "n->l" : "n->l || n->r", unlink(), release(), slip(Slip::UseFreed) ? "n->v = 1;" : "");
  }
  std::string free_by_parents() const {
    return fmt::format(
        "  n = r; while (n) {{ if (n->l) n = n->l; {} else {{ p = n->up; if (p) {{ {} }} {} n = {}; }} }}\n",
        slip(Slip::Forget) ? "" : "else if (n->r) n = n->r;", unlink(), release(), slip(Slip::UseFreed) ? "n->up" : "p");
  }

  std::mt19937_64 random_;
  std::string name_;
  unsigned slip_;
  bool up_;
};

/// Lists whose objects have lists, and rings, of their own. Half of the programs have one slip.
class NestWriter {
 public:
  explicit NestWriter(uint64_t seed) : random_(seed), name_(std::to_string(seed)), slip_(below(26)) {
    subs_ = below(3) != 0, rings_ = !subs_ || below(3) == 0, back_ = below(2) == 0, last_ = below(3) == 0;
  }

  std::string text() {
    std::string t = fmt::format(
        "static struct outer *g_{0};\nint main_{0}(void) {{\n  struct outer *o, *q, *l = 0; struct n *s, *p; struct hook *h; struct k *k;\n", name_);
    t += "  while (__VERIFIER_nondet_bool()) {\n" + make() + "  }\n";
    for (unsigned n = below(4); n > 0; --n) t += "  {\n" + statement() + "  }\n";
    if (below(6) != 0) t += fmt::format("  while ({0}) {{ {1} }}\n", list(), pop());
    return t + "  return 0;\n}\n";
  }

 private:
  enum class Slip : uint8_t { NoNull, Lost, OnlyFirst, Twice, UseFreed, Shared, Half, Value, OpenRing, Back, Empty, Early, Taken };

  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  bool slip(Slip which) const { return slip_ == static_cast<unsigned>(which); }
  std::string list() const { return "g_" + name_; }

  std::string push_sub(const std::string& to) {
    return fmt::format("s = malloc(sizeof *s); s->v = {}; s->next = {}->sub; {}->sub = s;", below(2), to, to);
  }
  std::string push_ring(const std::string& to) {
    return fmt::format("k = malloc(sizeof *k); k->v = {1}; {2}; join_hooks({0}, &k->h);", "&" + to + "->ring", below(2),
                       slip(Slip::OpenRing) ? "k->h.next = &" + to + "->ring" : "join_hooks(&k->h, " + to + "->ring.next)");
  }
  std::string make() {
    std::string s = fmt::format("    o = malloc(sizeof *o); o->v = {}; {}\n", below(2), slip(Slip::NoNull) && subs_ ? "" : "o->sub = 0;");
    s += "    o->ring.next = o->ring.prev = &o->ring;\n";
    if (subs_) s += fmt::format("    {} {{ {} }}\n", below(3) == 0 ? "if (__VERIFIER_nondet_bool())" : "while (__VERIFIER_nondet_bool())", push_sub("o"));
    if (rings_) s += "    while (__VERIFIER_nondet_bool()) { " + push_ring("o") + " }\n";
    if (slip(Slip::Shared)) s += fmt::format("    if ({0} && !o->sub) o->sub = {0}->sub;\n", list());
    if (last_) return s + fmt::format("    o->next = 0; o->prev = l; if (!{0}) {0} = o; else l->next = o; l = o;\n", list());
    s += fmt::format("    o->next = {0}; o->prev = 0;\n", list());
    if (back_ && !slip(Slip::Back)) s += fmt::format("    if ({0}) {0}->prev = o;\n", list());
    return s + fmt::format("    {} = o;\n", list());
  }
  std::string free_parts(const std::string& of) {
    std::string s;
    if (subs_)
      s += fmt::format("{1} ({0}->sub) {{ s = {0}->sub; {0}->sub = {2}; free(s); }} ", of, slip(Slip::OnlyFirst) ? "if" : "while",
                       slip(Slip::Half) ? "s->next ? s->next->next : 0" : "s->next");
    if (rings_)
      s += fmt::format("for (h = {0}->ring.next; h != &{0}->ring;) {{ k = OF(h); h = h->next; free(k); }} ", of);
    return s;
  }
  std::string pop() {
    std::string s = fmt::format("o = {0}; {0} = o->next; ", list());
    if (back_) s += fmt::format("if ({0}) {0}->prev = 0; ", list());
    if (slip(Slip::Early)) s += "free(o); ";
    if (!slip(Slip::Lost)) s += free_parts("o");
    if (slip(Slip::Twice)) s += "if (o->sub) free(o->sub); ";
    if (!slip(Slip::Early)) s += "free(o); ";
    return s + (slip(Slip::UseFreed) ? "o->v = 1;" : "");
  }
  std::string statement() {
    const std::string each = fmt::format("for (o = {}; o; o = o->next)", list());
    switch (below(9)) {
      case 0: return "    while (__VERIFIER_nondet_bool()) {\n" + make() + "    }\n";
      case 1: return fmt::format("    if ({}) {{ {} }}\n", list(), pop());
      case 2: return fmt::format("    {} for (s = o->sub; s; s = s->next) if (s->v > {}) __VERIFIER_error();\n", each, slip(Slip::Value) ? 0 : 1);
      case 3: return fmt::format("    {} for (s = o->sub; s; s = s->next) s->v = 1;\n", each);
      case 4: return fmt::format("    {} if (__VERIFIER_nondet_bool()) {{ {} }}\n", each, subs_ ? push_sub("o") : push_ring("o"));
      case 5:
        return fmt::format("    {} if ({}__VERIFIER_nondet_bool()) {{ s = o->sub; o->sub = s->next; free(s); }}\n", each,
                           slip(Slip::Empty) ? "" : "o->sub && ");
      case 6:  // what one has is given to the next one
        return fmt::format("    o = {}; if (o && o->next && !o->next->sub) {{ o->next->sub = o->sub; {} }}\n", list(),
                           slip(Slip::Taken) ? "" : "o->sub = 0;");
      case 7: return fmt::format("    {} for (h = o->ring.next; h != &o->ring; h = h->next) {}\n", each,
                                 below(2) == 0 ? "if (h->next->prev != h) __VERIFIER_error();" : "if (OF(h)->v > 1) __VERIFIER_error();");
      default: return fmt::format("    for (o = {}; o && o->next; o = o->next) if (o->next == o || (o->sub && o->sub == o->next->sub)) __VERIFIER_error();\n", list());
    }
  }

  std::mt19937_64 random_;
  std::string name_;
  unsigned slip_;
  bool subs_, rings_, back_, last_;
};

/// Arrays and texts whose sizes are inputs, with indices and pointers that move through them.
class BlockWriter {
 public:
  explicit BlockWriter(uint64_t seed) : random_(seed), name_(std::to_string(seed)), slip_(below(2) == 0 ? below(9) : 99) {}

  std::string text() {
    type_ = below(2) == 0 ? "char" : "int";
    std::string t = fmt::format("static {1} table_{0}[5];\nint main_{0}(void) {{\n", name_, type_);
    t += "  int n = 1 + __VERIFIER_nondet_bool() + 2 * __VERIFIER_nondet_bool(), m = n + __VERIFIER_nondet_bool(), i, j, c, k;\n";
    t += fmt::format("  {1} *a = {0}, *p, *q;\n", below(2) == 0 ? make("malloc", slip() == 0 ? "(n - 1)" : "n") : make("__builtin_alloca", "n"), type_);
    t += fmt::format("  {0} *b = malloc(m * sizeof *b), local[4];\n", type_);
    t += "  for (i = 0; i < 4; i++) local[i] = i;\n";
    if (below(2) == 0) t += fmt::format("  a[n - 1] = 0; b[{}] = 0;\n", slip() == 1 ? "m" : below(2) == 0 ? "m - 1" : "n - 1");
    for (unsigned count = 1 + below(4); count > 0; --count) t += "  " + statement() + "\n";
    if (below(3) == 0) t += fmt::format("  if (b[0] {} {}) __VERIFIER_error();\n", below(2) == 0 ? "==" : ">", below(3));
    if (slip() != 2 || below(2) == 0) t += "  free(b);\n";
    return t + "  return 0;\n}\n";
  }

 private:
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  unsigned slip() { return below(3) == 0 ? slip_ : 99; }
  std::string make(const char* by, const char* count) {
    heap_ = by[0] == 'm';
    return fmt::format("{}({} * sizeof *a)", by, count);
  }
  std::string array() { return below(4) == 0 ? "b" : below(6) == 0 ? "local" : below(6) == 0 ? "table_" + name_ : "a"; }
  std::string end(const std::string& of) { return of == "a" ? "n" : of == "b" ? "m" : of == "local" ? "4" : "5"; }
  std::string value() { return below(3) == 0 ? "0" : below(2) == 0 ? "i" : fmt::format("{}", below(3)); }
  const char* less() { return slip() == 3 ? "<=" : "<"; }

  std::string statement() {
    const std::string x = array(), e = end(x), y = array(), f = end(y);
    switch (below(14)) {
      case 0: return fmt::format("for (i = 0; i {} {}; i++) {}[i] = {};", less(), e, x, value());
      case 1: return fmt::format("for (i = {1}{2}; i >= 0; i--) {0}[i] = {3};", x, e, slip() == 4 ? "" : " - 1", value());
      case 2: return fmt::format("{0}[{1}] = 0; for (p = {0}; *p; p++) {2};", x, slip() == 5 ? "0" : e + " - 1", below(2) == 0 ? "" : "*p = 1");
      case 3:
        return fmt::format("for (i = 0; i < {0} && i {2} {1}; i++) {3}[i] = {4}[i];", e, f, less(), x, y);
      case 4:
        return fmt::format("{0}[{1} - 1] = 0; p = {2}; q = {0}; for (j = {3}; j > 1 && *q; j--) *p++ = *q++; *p = 0;", x, e, y,
                           slip() == 6 ? f + " + 1" : f);
      case 5:
        return fmt::format("for (i = 0; i < {1}; i++) for (j = {3}; j {4} i; j++) if ({0}[j] > {0}[i]) {{ c = {0}[i]; {0}[i] = {0}[j]; {0}[j] = c; }}",
                           x, e, x, slip() == 7 ? "-1" : "0", below(2) == 0 ? "<" : "<=");
      case 6: return fmt::format("memset({0}, 0, {1}{2});", x, e + " * sizeof *a", slip() == 8 ? " + 1" : "");
      case 7: return fmt::format("memcpy({}, {}, ({} < {} ? {} : {}) * sizeof *a);", x, y, e, f, e, slip() == 8 ? e : f).replace(0, 0, "if (" + x + " != " + y + ") ");
      case 8: return fmt::format("p = {0} + {1}; while (p != {0}) *--p = {2};", x, e, value());
      case 9: return fmt::format("p = {0}; while (p < {0} + {1}) {{ if (__VERIFIER_nondet_bool()) p++; if (__VERIFIER_nondet_bool()) {2}; *p++ = 1; }}", x, e,
                                 slip() == 5 ? "continue" : "break");
      case 10: return fmt::format("k = 0; for (i = 0; i < {1}; i++) if ({0}[i]) k++; for (i = 0; i < k; i++) {0}[i] = 0; {0}[{2}] = 2;", x, e,
                                  slip() == 4 ? "k" : "k ? k - 1 : 0");
      case 11: return fmt::format("{0}[{1} - 1] = 0; i = 0; do {{ c = {0}[i]; i++; }} while (c); {2}", x, e,
                                  slip() == 6 ? fmt::format("{}[i] = 1;", x) : fmt::format("{}[i - 1] = 1;", x));
      case 12: return fmt::format("{0}[{2}] = 1; {0}[0] = 0; if ({0}[{2}] != {3}) __VERIFIER_error();", x, e, slip() == 3 ? "0" : e + " - 1", slip() == 5 ? "1" : "(" + e + " == 1 ? 0 : 1)");
      default: return fmt::format("memset({0}, 0, {1} * sizeof *a); {0}[{2}] = 1; i = __VERIFIER_nondet_bool(); if (i < {1} && {0}[i] > {3}) __VERIFIER_error();", x, e,
                                  below(2) == 0 ? "0" : e + " - 1", slip() == 7 ? "0" : "1");
    }
  }

  std::mt19937_64 random_;
  std::string name_, type_;
  unsigned slip_;
  bool heap_ = false;
};

template <typename Writer>
void against_brute_force(uint64_t seed, unsigned count, unsigned most_unknown, double seconds = 2) {
  if (const char* other = std::getenv("WHITTLE_SEED")) seed = std::strtoull(other, nullptr, 10);
  const test::Check check = test::check_by<ShapeEngine>({}, seconds);
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
                        for (double few : {0.001, 0.002, 0.004}) {
                          if (!goes_wrong) break;
                          ASSERT_NE(test::check_by<ShapeEngine>({}, few)(program, specification).answer, Answer::True)
                              << "seed " << own << " in " << few << " s\n" << text;
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
TEST(ShapeAgainstBruteForce, Nests) { against_brute_force<NestWriter>(97'000, test::program_count(40, 3000), 70, 4); }
TEST(ShapeAgainstBruteForce, Blocks) { against_brute_force<BlockWriter>(98'000, test::program_count(10, 3000), 90, 1.5); }
TEST(ShapeAgainstBruteForce, Trees) { against_brute_force<TreeWriter>(99'000, test::program_count(30, 3000), 60, 1); }

}  // namespace
}  // namespace whittle::engines::shape
