#include "program/print.h"

#include <gtest/gtest.h>

#include <random>

#include "base/error.h"
#include "program/parse.h"
#include "program/words.h"
#include "term/op.h"

namespace whittle::program {
namespace {

// Every kind of statement and every attribute, in the spelling of the printer.
constexpr const char* kEverything = R"(program LP64
entry 0
file "a.c"
file "dir/b \"q\".c"
assumption "function `foo` has no body"
warning "odd\tthing"
type 1 integer "int" size 4 signed
type 2 pointer "int *" size 8 element 1
type 3 array "int[3]" size 12 element 1 count 3
type 4 struct "struct s" size 8 field "a" type 1 bit 0 field "b" type 1 bit 32 width 3
type 5 enum "enum e" size 4 element 1 value "A" 0 value "B" -2
object 0 "x" at 0x100000 size 4 align 4 type 1 = 0x2a @0:1:5
object 1 "msg" at 0x100014 size 6 align 1 constant = "hi \"\\\n"
object 2 "tls" at 0x100014 size 4 align 4 thread_local
object 3 ".str" at 0x10002c size 3 align 1 constant runtime

function 0 "start" returns 0 entry 0 locations 44 parameters 0
  register 0 32 "i" type 1
  register 1 64 "p" type 2
  register 2 8
  register 3 1
  register 4 64 "i"
  register 5 32 "a.b"
  register 6 128
  register 7 32 "error"
  0 -> 1: skip
  1 -> 2: i.0, r2 := error_.7, 255
  2 -> 3: assume((i.0 <s 10)) @0:4:14
  2 -> 4: assume((i.0 >=s 10)) @0:4:14
  3 -> 5: check((i.0 != 3) property no-overflow "signed \"overflow\"" @?:7:0
  4 -> 5: i.0 := load.32(&x) align 4
  5 -> 6: i.0 := load.32((p.1 + &x+2)) atomic
  6 -> 7: store.8(&msg+1, r2) local
  7 -> 8: r2 := nondet input "__VERIFIER_nondet_char"
  8 -> 9: p.1 := stack_alloc(12) align 4 "buf"
  9 -> 10: p.1 := heap_alloc(4096, 1, p.1)
  10 -> 11: heap_free(p.1)
  11 -> 12: p.1 := object_size(&#3)
  12 -> 13: i.4 := stack_save
  13 -> 14: stack_restore(i.4)
  14 -> 15: copy(p.1, &msg, 3)
  15 -> 16: fill(p.1, 0, 3)
  16 -> 17: i.0 := call add(i.0, -5)
  17 -> 18: call nothing()
  18 -> 19: i.0 := icall(@add, 4:32, i.0)
  19 -> 20: i.0 := atomic_rmw.32 umax(&x, 7)
  20 -> 21: atomic_rmw.32 add(&x, 7)
  21 -> 22: i.0, r3 := atomic_cas.32(&x, 7, r5)
  22 -> 23: fence
  23 -> 24: atomic_begin
  24 -> 25: atomic_end
  25 -> 26: await.32(&x, -1, 0, 0)
  26 -> 27: atomic_end
  27 -> 28: i.0 := spawn(@nothing, p.1, 0)
  28 -> 29: i.0 := self
  29 -> 30: p.1 := thread_local tls
  30 -> 31: yield
  31 -> 32: output(1:32, &msg, 5)
  32 -> 33: i.4 := host_math(i.4, 0x3ff0000000000000:64) "pow"
  33 -> 34: r6 := (zext.128(p.1) *f 0)
  34 -> 35: r2 := (i.0[15:8] & (i.0[7:0] ? r2 : 1))
  35 -> 36: assume(r3)
  35 -> 37: assume(!r3)
  35 -> 38: assume((i.0 <=u -1))
  35 -> 39: assume(fisnan(i.0))
  36: error property unreach-call "assertion x failed"
  37: halt(3:32) "exit"
  38: unsupported "inline assembly"
  39: thread_exit
  40 -> 41: r3 := shared(p.1)
  41 -> 42: p.1 := freed(8, p.1, &x)
  42 -> 43: i.4 := object_offset(&x+2)
  43: return

function 1 "add" returns 32 entry 0 locations 1 parameters 2 @1:3:4
  register 0 32 "a"
  register 1 32 "b"
  0: return(ftosint.32(((uinttof.64(a.0) +f sinttof.64(b.1)) /f ftofloat.64(fneg(a.0)))))

function 2 "nothing" returns 0 entry 0 locations 1 parameters 0 runtime
  0: return
)";

/// The text above has three lines that no valid program has; here they are replaced.
std::string everything() {
  std::string text = kEverything;
  auto replace = [&](const std::string& from, const std::string& to) {
    size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
  };
  replace("check((i.0 != 3) property", "check((i.0 != 3)) property");
  replace("r6 := (zext.128(p.1) *f 0)", "r6 := (zext.128(p.1) * 0x10000000000000000)");
  replace("(i.0[7:0] ? r2 : 1)", "((i.0 ==f 1) ? r2 : 1)");
  return text;
}

std::string error_of(const std::string& text) {
  try {
    parse_text(text, "t");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::BadInput);
    return error.what();
  }
  return "";
}

TEST(Text, RoundTripOfEverything) {
  std::string text = everything();
  Program program = parse_text(text, "t");
  EXPECT_EQ(to_text(program), text);
  std::set<Kind> kinds;
  for (const Function& f : program.functions)
    for (const Edge& e : f.edges) kinds.insert(e.statement.kind);
  EXPECT_EQ(kinds.size(), kKindCount) << "a kind of statement is not covered by this test";
}

TEST(Text, SpacesCommentsAndEmptyLinesDoNotMatter) {
  std::string text = everything();
  std::string loose = "// a comment\n\n" + text;
  size_t at = loose.find("0 -> 1: skip");
  loose.replace(at, 12, "  0->1 :  skip  // nothing");
  EXPECT_EQ(to_text(parse_text(loose, "t")), text);
}

TEST(Text, RuntimeCanBeLeftOut) {
  Program program = parse_text(everything(), "t");
  std::string text = to_text(program, {.runtime = false});
  EXPECT_EQ(text.find("function 2"), std::string::npos);
  EXPECT_EQ(text.find("object 3"), std::string::npos);
  EXPECT_NE(text.find("function 1"), std::string::npos);
}

TEST(Text, ErrorsNameLineAndColumn) {
  auto change = [](const std::string& from, const std::string& to) {
    std::string text = everything();
    size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return error_of(text.replace(at, from.size(), to));
  };
  EXPECT_EQ(error_of(""), "t: this is no program text: it does not start with `program`");
  EXPECT_EQ(error_of("funtion 0"), "t:1:1: a program text starts with `program ILP32` or `program LP64`");
  EXPECT_EQ(change("type 1 integer", "typ 1 integer"), "t:7:1: `typ` is not understood (did you mean `type`?)");
  EXPECT_EQ(change("0 -> 1: skip", "0 -> 1: skipp"), "t:26:9: expected a statement");
  EXPECT_EQ(change("0 -> 1: skip", "0 -> 99: skip"), "t:26:8: location 99 does not exist");
  EXPECT_EQ(change("(i.0 <s 10)", "(j.0 <s 10)"), "t:28:19: there is no register `j.0` (did you mean `i.0`?)");
  EXPECT_EQ(change("(i.0 <s 10)", "(i.0 < 10)"), "t:28:23: expected an operator or `)`");
  EXPECT_EQ(change("(i.0 <s 10)", "(i.0 <s p.1)"), "t:28:26: operands of 32 and 64 bits");
  EXPECT_EQ(change("load.32(&x)", "load.32(&xx)"), "t:31:27: there is no object `xx` (did you mean `x`?)");
  EXPECT_EQ(change("call nothing()", "call nothin()"),
            "t:44:18: there is no function `nothin` (did you mean `nothing`?)");
  EXPECT_EQ(change("icall(@add, 4:32", "icall(@add, 4"),
            "t:45:32: the width of this constant is not clear: write it after a colon");
  EXPECT_EQ(change("i.0[15:8]", "i.0[40:8]"), "t:61:28: a term of 32 bits has no bits 40:8");
  EXPECT_EQ(change("39: thread_exit", "39 -> 0: thread_exit"),
            "t:69:23: `thread_exit` ends the path: the edge leads nowhere");
  EXPECT_EQ(change("0 -> 1: skip", "0: skip"), "t:26:10: after `skip` the edge must lead on");
  EXPECT_EQ(change("add(i.0, -5)", "add(i.0)"),
            "t: function `start`, edge 17 at location 16 (call, ?): `add` takes 2 arguments, not 1");
  EXPECT_EQ(change("object 1 ", "object 7 "), "t:13:8: expected object 1 here");
  EXPECT_EQ(change("\"hi ", "\"hi\\q "), "t:13:54: unknown escape `\\q`");
}

/// Variables may be called like anything in the text.
TEST(Text, RegistersNamedLikeWordsOfTheText) {
  std::vector<std::string> names{"property", "align", "atomic", "local", "input", "register", "function",
                                 "add",      "zext",  "fabs",   "r0",    "r1",    "_"};
  for (unsigned k = 0; k < kKindCount; ++k) names.emplace_back(name(static_cast<Kind>(k)));
  for (unsigned i = 0; i < term::kOpCount; ++i) names.emplace_back(term::name(static_cast<term::Op>(i)));
  Program program;
  program.functions.push_back({.name = "return"});
  program.functions.push_back({.name = "load"});
  FunctionBuilder builder(program, 0);
  LocationId at = builder.location();
  for (const std::string& word : names) builder.reg(32, word);
  for (RegisterId r = 0; r < names.size(); ++r) {
    Statement assign, load;
    assign.kind = Kind::Assign, assign.targets = {r}, assign.operands = {builder.var((r + 1) % names.size())};
    load.kind = Kind::Load, load.width = 32, load.targets = {r};
    load.operands = {program.terms().zext(builder.var(r), 64)};
    LocationId middle = builder.location(), next = builder.location();
    builder.edge(at, middle, assign);
    builder.edge(middle, next, load);
    at = next;
  }
  builder.finish(0);
  FunctionBuilder other(program, 1);
  other.location();
  other.finish(0);
  std::string text = to_text(program);
  EXPECT_EQ(to_text(parse_text(text, "t")), text);
}

/// Cut or garbled text must end in an Error or in a program, nothing else.
TEST(Text, GarbledTextIsRefusedInGoodOrder) {
  std::string text = everything();
  std::mt19937 random(7);
  unsigned refused = 0;
  for (unsigned i = 0; i < 3000; ++i) {
    std::string garbled = text;
    for (unsigned n = random() % 3 + 1; n-- > 0;) {
      size_t at = random() % garbled.size();
      switch (random() % 4) {
        case 0: garbled.resize(at + 1); break;
        case 1: garbled.erase(at, random() % 9); break;
        case 2: garbled[at] = static_cast<char>(' ' + random() % 95); break;
        default: garbled.insert(at, garbled.substr(random() % garbled.size(), random() % 9)); break;
      }
    }
    refused += error_of(garbled).empty() ? 0 : 1;
  }
  EXPECT_GT(refused, 1000u);
}

/// Terms as engines and the front end make them: simplified, shared, of every operator.
class RandomTerms {
 public:
  RandomTerms(Program& program, FunctionId function, unsigned seed) : store_(program.terms()), random_(seed) {
    for (const Register& r : program.functions[function].registers) pool_.push_back(r.variable);
  }
  void grow(unsigned count) {
    while (count-- > 0) pool_.push_back(make());
  }
  term::Term of_width(unsigned width) {
    term::Term t = pool_[pool_.size() - 1 - random_() % std::min<size_t>(pool_.size(), 12)];
    return store_.resize_unsigned(t, width);
  }

 private:
  term::Term any() { return pool_[random_() % pool_.size()]; }
  term::Term make() {
    using term::Op;
    static constexpr unsigned kWidths[] = {1, 8, 16, 32, 64, 128};
    term::Term a = any();
    term::Term b = store_.resize_unsigned(random_() % 3 == 0 ? store_.constant(32, random_()) : any(), a.width());
    Op op = static_cast<Op>(random_() % term::kOpCount);
    if (term::is_leaf(op) || op == Op::Read) return a;
    unsigned to = kWidths[random_() % 6];
    if (op == Op::Extract) {
      unsigned low = random_() % a.width();
      return store_.extract(a, low, 1 + random_() % (a.width() - low));
    }
    if (op == Op::ZExt) return store_.resize_unsigned(a, to);
    if (op == Op::SExt) return store_.resize_signed(a, to);
    if (op == Op::Ite) return store_.ite(store_.resize_unsigned(any(), 1), a, b);
    if (op == Op::Concat) return a.width() <= 64 ? store_.concat(a, b) : a;
    if (term::is_float_op(op)) {
      term::Term fa = store_.resize_unsigned(a, 64), fb = store_.resize_unsigned(b, 64);
      if (op == Op::UIntToF || op == Op::SIntToF) return store_.fconvert(op, a, 32);
      if (op == Op::FToFloat) return store_.fconvert(op, fa, 32);
      if (op == Op::FToUInt || op == Op::FToSInt) return store_.fconvert(op, fa, to);
      return term::arity_of(op) == 2 ? store_.fop(op, fa, fb) : store_.fop(op, fa);
    }
    term::Term kids[] = {a, b};
    return store_.make(op, std::span(kids, term::arity_of(op)));
  }
  term::Store& store_;
  std::mt19937 random_;
  std::vector<term::Term> pool_;
};

TEST(Text, RandomTermsRoundTrip) {
  unsigned shared = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    Program program;
    program.functions.push_back({.name = "f"});
    FunctionBuilder builder(program, 0);
    for (unsigned width : {1, 8, 32, 64, 128}) builder.reg(width, width == 32 ? "x" : "");
    RandomTerms terms(program, 0, seed);
    LocationId at = builder.location();
    for (unsigned i = 0; i < 8; ++i) {
      terms.grow(14);
      Statement s;
      s.kind = Kind::Assign;
      for (RegisterId r = 0; r < 5; ++r) {
        s.targets.push_back(r);
        s.operands.push_back(terms.of_width(program.functions[0].registers[r].width()));
      }
      LocationId to = builder.location();
      builder.edge(at, to, s);
      at = to;
    }
    builder.finish(0);
    std::string text = to_text(program);
    Program again = parse_text(text, "t");
    ASSERT_EQ(to_text(again), text) << "seed " << seed;
    shared += text.find('$') != std::string::npos ? 1 : 0;
  }
  EXPECT_GT(shared, 10u) << "no shared parts were tested";
}

constexpr const char* kLoop = R"(program LP64
entry 0
file "a.c"
object 0 "g" at 0x100000 size 4 align 4

function 0 "main" returns 32 entry 0 locations 6 parameters 0 @0:3:5
  register 0 32 "i"
  register 1 64 "p"
  register 2 32
  0 -> 1: i.0 := 0 @0:4:7
  1 -> 2: assume((i.0 <s 10)) @0:4:14
  1 -> 4: assume((i.0 >=s 10)) @0:4:14
  2 -> 3: r2 := load.32(&g) align 4 @0:5:3
  3 -> 1: i.0 := (i.0 + r2) @0:5:5
  4 -> 5: store.32(p.1, i.0) @0:6:3
  5: return(i.0) @0:7:3

function 1 "model" returns 0 entry 0 locations 1 parameters 0 runtime
  0: return
)";

TEST(Cfg, BlocksWithSourceLines) {
  EXPECT_EQ(to_cfg(parse_text(kLoop, "t")),
            R"(main() at a.c:3
  0:
       4  i = 0
          goto 1
  1: loop
       4  if (i <s 10) goto 2
       4  if (i >=s 10) goto 4
  2:
       5  r2 = g
          i = (i + r2)
          goto 1
  4:
       6  *p = i
       7  return i
)");
}

TEST(Dot, OneClusterPerFunction) {
  Program program = parse_text(kLoop, "t");
  std::string dot = to_dot(program);
  EXPECT_NE(dot.find("subgraph cluster_0"), std::string::npos);
  EXPECT_EQ(dot.find("subgraph cluster_1"), std::string::npos) << "runtime functions are left out";
  EXPECT_NE(dot.find("f0_1 -> f0_2 [label=\"(i <s 10)\"]"), std::string::npos) << dot;
  EXPECT_NE(to_dot(program, {.runtime = true}).find("subgraph cluster_1"), std::string::npos);
  std::string all = to_dot(parse_text(everything(), "t"), {.runtime = true});
  EXPECT_EQ(std::count(all.begin(), all.end(), '{'), std::count(all.begin(), all.end(), '}'));
}

}  // namespace
}  // namespace whittle::program
