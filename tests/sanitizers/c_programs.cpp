#include "sanitizers/c_programs.h"

#include <fmt/format.h>

#include <vector>

#include "base/hash.h"

namespace whittle::sanitizers {
namespace {

struct Variable {
  std::string name;
  std::string type;
};

constexpr const char* kTypes[] = {"signed char", "unsigned char", "short",         "unsigned short", "int",
                                  "unsigned",    "long",          "unsigned long", "_Bool",          "__int128"};

class Writer {
 public:
  explicit Writer(uint64_t seed) : seed_(seed), random_(hash_mix(seed)) {}

  std::string program() {
    file_scope();
    functions();
    main_function();
    return out_;
  }

 private:
  uint64_t next() {  // splitmix64
    uint64_t z = (random_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  unsigned below(unsigned n) { return static_cast<unsigned>(next() % n); }
  bool chance(unsigned percent) { return below(100) < percent; }
  template <typename T, size_t N>
  const T& pick(const T (&from)[N]) {
    return from[below(N)];
  }

  template <typename... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    out_ += std::string(indent_ * 2, ' ') + fmt::format(format, std::forward<Args>(args)...) + "\n";
  }
  void open(const std::string& text) {
    line("{} {{", text);
    ++indent_;
  }
  void close(const char* text = "}") {
    --indent_;
    line("{}", text);
  }

  // Constants and expressions

  std::string literal() {
    static constexpr const char* kLiterals[] = {"0",  "1",  "2",    "3",   "-1",         "5",          "7",
                                                "8",  "31", "32",   "33",  "63",         "64",         "100",
                                                "'a'", "-7", "255u", "40L", "0xffffffff", "2147483647", "(-2147483647 - 1)",
                                                "0x7fffffffffffffffL", "65535", "1u", "3UL"};
    return chance(75) ? kLiterals[below(14)] : pick(kLiterals);
  }

  std::string leaf() {
    if (constant_ || chance(25)) return constant_ && chance(15) ? fmt::format("(int)K{}_{}", below(2), seed_) : literal();
    if (chance(10)) return fmt::format("s_{}.{}", seed_, pick({"a", "b", "c", "d"}));
    if (chance(8)) return fmt::format("table_{}[{} & 3]", seed_, variables_[below(variables_.size())].name);
    return variables_[below(variables_.size())].name;
  }

  std::string small(unsigned depth) { return fmt::format("({} & {})", integer(depth), pick({"1", "3", "7", "15"})); }

  /// Mostly harmless: operands are made small before they are combined.
  std::string integer(unsigned depth) {
    if (depth == 0) return leaf();
    unsigned d = depth - 1;
    bool risky = chance(12);
    switch (below(16)) {
      case 0:
      case 1:
      case 2: {
        const char* op = pick({"+", "-", "*"});
        if (risky) return fmt::format("({} {} {})", integer(d), op, integer(d));
        return fmt::format("((short){} {} (signed char){})", integer(d), op, integer(d));
      }
      case 3: {
        const char* op = pick({"/", "%"});
        if (risky) return fmt::format("({} {} {})", integer(d), op, chance(50) ? small(d) : integer(d));
        return fmt::format("({} {} ({} + 1))", integer(d), op, small(d));
      }
      case 4: {
        if (risky) return fmt::format("({} << {})", integer(d), chance(50) ? small(d) : integer(d));
        return fmt::format("({} << {})", small(d), small(d));
      }
      case 5: return fmt::format("({} >> {})", integer(d), risky ? integer(d) : small(d));
      case 6: return fmt::format("({} {} {})", integer(d), pick({"&", "|", "^"}), integer(d));
      case 7: return fmt::format("({} {} {})", integer(d), pick({"<", "<=", ">", ">=", "==", "!="}), integer(d));
      case 8: return fmt::format("({} {} {})", integer(d), pick({"&&", "||"}), integer(d));
      case 9: return fmt::format("({} ? {} : {})", integer(d), integer(d), integer(d));
      case 10: return risky ? fmt::format("(- {})", integer(d)) : fmt::format("(-(short){})", integer(d));
      case 11: return fmt::format("({} {})", pick({"~", "!", "+"}), integer(d));
      case 12: return fmt::format("(({}){})", pick(kTypes), integer(d));
      case 13: return fmt::format("(int)sizeof(+ {})", integer(d));
      case 14:
        if (constant_) return leaf();
        return fmt::format("({} {} {})", floating(d), pick({"<", ">", "==", "!=", "<="}), floating(d));
      default: return leaf();
    }
  }

  std::string floating(unsigned depth) {
    static constexpr const char* kValues[] = {"0.0", "1.5", "-2.25", "1e10", "0.1f", "3.0f", "1e-3"};
    if (depth == 0 || chance(30))
      return chance(50) ? pick(kValues) : fmt::format("{}{}_{}", pick({"x", "y"}), "", seed_);
    if (chance(30)) return fmt::format("({})(short){}", pick({"double", "float"}), integer(depth - 1));
    if (chance(15)) return fmt::format("(- {})", floating(depth - 1));
    return fmt::format("({} {} {})", floating(depth - 1), pick({"+", "-", "*", "/"}), floating(depth - 1));
  }

  std::string constant(unsigned depth) {
    constant_ = true;
    std::string text = integer(depth);
    constant_ = false;
    return text;
  }

  std::string input(unsigned i) const { return fmt::format("i{}_{}", i, seed_); }

  // What stands at file scope

  void file_scope() {
    line("enum {{ K0_{0} = {1}, K1_{0} }};", seed_, below(5));
    for (unsigned i = 0; i < 3; ++i) variables_.push_back({fmt::format("g{}_{}", i, seed_), pick(kTypes)});
    line("static {} {} = {};", variables_[0].type, variables_[0].name, below(9));
    line("static const {} {} = {};", variables_[1].type, variables_[1].name, literal());
    line("static volatile {} {};", variables_[2].type, variables_[2].name);
    for (unsigned i = 0; i < kInputBits; ++i) line("static _Bool {};", input(i));
    variables_.push_back({input(0), "_Bool"});
    line("static double x_{} = {};", seed_, below(3));
    line("static float y_{} = 0.5f;", seed_);
    line("struct s_{0} {{ int a : 5; unsigned b : {1}; signed char c; long d; int e[2]; }};", seed_, 1 + below(9));
    line("static struct s_{0} s_{0} = {{-3, 1, {1}, 2, {{4, 5}}}}, t_{0};", seed_, below(100));
    line("static int table_{}[4] = {{1, {}, -{}, 40}};", seed_, below(50), below(50));
    line("static char text_{}[8];", seed_);
    line("static int *p_{0} = table_{0};", seed_);
  }

  void functions() {
    open(fmt::format("static long sum_{}(int n, ...)", seed_));
    line("va_list list;");
    line("long sum = 0;");
    line("va_start(list, n);");
    line("for (int i = 0; i < n; i++) sum += i % 2 ? va_arg(list, long) % 1000 : va_arg(list, int) % 1000;");
    line("va_end(list);");
    line("return sum;");
    close();
    open(fmt::format("static int f_{0}(struct s_{0} v, {1} u)", seed_, parameter_ = pick(kTypes)));
    std::vector<Variable> before = variables_;
    variables_.push_back({"v.c", "signed char"});
    variables_.push_back({"v.a", "int"});
    variables_.push_back({"u", parameter_});
    calls_ = false;
    for (unsigned i = 1 + below(3); i-- > 0;) statement(1);
    line("return HERE (int)({});", integer(2));
    calls_ = true;
    variables_ = before;
    close();
  }

  void main_function() {
    open(fmt::format("int main_{}(void)", seed_));
    for (unsigned i = 0; i < kInputBits; ++i) line("{} = __VERIFIER_nondet_bool();", input(i));
    line("int v0 = {} + 2 * {};", input(0), input(1));
    line("{} v1 = ({})({} + 2 * {});", type1_ = pick(kTypes), type1_, input(2), input(3));
    line("long v2 = {};", literal());
    line("{} v3 = 0;", type3_ = pick(kTypes));
    variables_.push_back({"v0", "int"});
    variables_.push_back({"v1", type1_});
    variables_.push_back({"v2", "long"});
    variables_.push_back({"v3", type3_});
    line("int *h = 0;");
    heap_ = true;
    for (unsigned i = 4 + below(6); i-- > 0;) statement(2);
    if (chance(30)) line("HERE free(h);");
    line("unsigned long hash = 0;");
    for (const Variable& v : variables_) line("hash = hash * 31 + (unsigned long){};", v.name);
    line("hash = hash * 31 + (unsigned long)(s_{0}.a + s_{0}.b + s_{0}.c) + (unsigned long)s_{0}.d;", seed_);
    line("for (int i = 0; i < 4; i++) hash = hash * 31 + (unsigned long)table_{}[i];", seed_);
    line("for (int i = 0; i < 8; i++) hash = hash * 31 + (unsigned char)text_{}[i];", seed_);
    line("hash = hash * 2 + (x_{0} > 1) + (y_{0} < 0);", seed_);
    line("return (int)((hash ^ hash >> 7 ^ hash >> 20 ^ hash >> 40) & 63);");
    close();
  }

  // Statements

  /// Something that can be assigned to, of an integer type.
  std::string target() {
    for (;;) {
      const std::string& name = variables_[below(variables_.size())].name;
      if (name[0] != 'i' && name[0] != 'n' && name != fmt::format("g1_{}", seed_)) return name;
    }
  }

  void statement(unsigned depth) {
    unsigned kind = below(26);
    if (depth == 0 && kind >= 4 && kind < 10) kind = 0;
    switch (kind) {
      case 0:
      case 1: return line("HERE {} = {};", target(), integer(3));
      case 2:
        if (chance(60)) return line("HERE {} {}= (short){};", target(), pick({"+", "-", "*"}), small(1));
        return line("HERE {} {}= {};", target(), pick({"+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^"}), small(1));
      case 3: return line("HERE {}{};", target(), pick({"++", "--"}));
      case 4: {
        open(fmt::format("if (HERE {})", integer(2)));
        statement(depth - 1);
        if (chance(40)) {
          --indent_;
          open("} else");
          statement(depth - 1);
        }
        return close();
      }
      case 5: {
        std::string i = fmt::format("n{}", names_++);
        open(fmt::format("for (int {0} = 0; {0} < {1}; {0}++)", i, 1 + below(4)));
        variables_.push_back({i, "int"});
        statement(depth - 1);
        variables_.pop_back();
        return close();
      }
      case 6: {
        open(fmt::format("switch (HERE {})", small(2)));
        line("case {}:", below(2));
        statement(depth - 1);
        if (chance(70)) line("break;");
        line("case {}:", 2 + below(3));
        statement(depth - 1);
        line("break;");
        line("default:;");
        return close();
      }
      case 7: return jump(depth);
      case 8: return block(depth);
      case 9: return aggregate();
      case 10: return line("HERE table_{}[{}] = {};", seed_, index(4), integer(2));
      case 11: return line("HERE {} = table_{}[{}];", target(), seed_, index(4));
      case 12: return structure();
      case 13: return pointer();
      case 14:
      case 15: return heap();
      case 16: return string();
      case 17: return line("HERE {}_{} = {};", pick({"x", "y"}), seed_, floating(2));
      case 18: {
        std::string v = pick({"x", "y"});
        return line("HERE {0} = {1}_{2} > -100 && {1}_{2} < 100 ? (int){1}_{2} : 7;", target(), v, seed_);
      }
      case 19:
        if (!calls_) return line("HERE {} = {};", target(), integer(2));
        return line("HERE {} = sum_{}({}, (int){}, (long){});", target(), seed_, 1 + below(2), integer(1), integer(1));
      case 20:
        if (!calls_) return line("HERE {} = {};", target(), integer(2));
        return line("HERE {} = f_{}({}_{}, ({}){});", target(), seed_, pick({"s", "t"}), seed_, parameter_, integer(1));
      case 21: return line("if (HERE {} == {}) reach_error();", integer(1), literal());
      case 22: return line("HERE {} = {};", target(), constant(2));
      case 23: return line("if (HERE {}) HERE {} = {};", constant(2), target(), constant(1));
      default: return line("HERE {} = {};", target(), integer(2));
    }
  }

  std::string index(unsigned length) {
    if (chance(80)) return fmt::format("{} & {}", integer(1), length - 1);
    return fmt::format("({} & 7) - {}", integer(1), below(2));
  }

  void jump(unsigned depth) {
    unsigned n = names_++;
    if (chance(50)) {
      line("if (HERE {}) goto l{};", integer(1), n);
      statement(depth - 1);
      line("l{}:;", n);
    } else {
      line("int n{} = 0;", n);
      line("l{}:;", n);
      statement(depth - 1);
      line("if (HERE n{}++ < 2) goto l{};", n, n);
    }
  }

  /// A pointer into a block that may be used after it.
  void block(unsigned depth) {
    unsigned n = names_++;
    line("int *q{} = &table_{}[1];", n, seed_);
    open("");
    line("int w{} = {};", n, below(9));
    line("HERE q{0} = &w{0};", n);
    statement(depth - 1);
    line("HERE *q{} = (int)({});", n, integer(1));
    if (chance(70)) line("HERE q{} = &table_{}[2];", n, seed_);
    close();
    line("HERE {} = *q{};", target(), n);
  }

  /// For whittle the initialiser is constant, and folded; natively HERE keeps clang from folding what it would not check.
  void aggregate() {
    unsigned n = names_++;
    if (chance(60)) {
      line("int a{}[3] = {{(HERE {}), {}}};", n, constant(chance(30) ? 2 : 1), constant(1));
      line("HERE {} = a{}[{}];", target(), n, input(0) + (chance(85) ? "" : " + 2"));
    } else {
      line("struct s_{} b{} = {{.c = 1, .d = (HERE {})}};", seed_, n, constant(chance(30) ? 2 : 1));
      line("HERE t_{} = b{};", seed_, n);
    }
  }

  void structure() {
    switch (below(4)) {
      case 0: return line("HERE t_{0} = s_{0};", seed_);
      case 1: return line("HERE s_{0} = t_{0};", seed_);
      case 2: return line("HERE s_{}.{} = (signed char){};", seed_, pick({"a", "b", "c", "d"}), integer(2));
      default: return line("HERE s_{}.{} += {};", seed_, pick({"a", "b", "c", "e[0]"}), small(1));
    }
  }

  void pointer() {
    switch (below(4)) {
      case 0: return line("HERE p_{0} = &table_{0}[{1} & 3];", seed_, integer(1));
      case 1: return line("HERE *p_{} = (int)({});", seed_, integer(1));
      case 2: return line("HERE {} = p_{}[{}];", target(), seed_, chance(50) ? "0" : (chance(50) ? "-" : "") + input(0));
      default: return line("HERE p_{0} = {1} ? p_{0} : {2};", seed_, integer(1), chance(20) ? "0" : fmt::format("&table_{}[0]", seed_));
    }
  }

  void heap() {
    if (!heap_) return line("HERE {} = {};", target(), integer(2));
    switch (below(5)) {
      case 0:
      case 1:
        line("HERE free(h);");
        line("HERE h = calloc({} + 1, sizeof(int));", small(1));
        return;
      case 2: return line("if (h) HERE h[{}] = (int)({});", chance(80) ? "0" : input(0) + " + " + input(1), integer(1));
      case 3: return line("if (h) HERE {} = *h;", target());
      default:
        line("HERE free(h{});", chance(90) ? "" : " + (h && " + input(1) + ")");
        if (chance(75)) line("HERE h = 0;");
        return;
    }
  }

  void string() {
    switch (below(4)) {
      case 0: return line("HERE strcpy(text_{}, {});", seed_, 
                         chance(75) ? pick({"\"ab\"", "\"abcdefg\""}) : input(0) + " ? \"abc\" : \"abcdefgh\"");
      case 1: return line("HERE {} = (int)strlen(text_{});", target(), seed_);
      case 2: return line("HERE memset(text_{}, 'x', {});", seed_, chance(85) ? small(0) + " % 8" : "7 + " + input(1) + " + " + input(2));
      default: return line("HERE text_{}[{} & 7] = (char){};", seed_, integer(1), integer(1));
    }
  }

  uint64_t seed_;
  uint64_t random_;
  unsigned indent_ = 0, names_ = 0;
  bool constant_ = false, calls_ = true, heap_ = false;
  std::string parameter_, type1_, type3_;
  std::vector<Variable> variables_;
  std::string out_;
};

}  // namespace

std::string c_program(uint64_t seed) { return Writer(seed).program(); }

std::string c_prelude() {
  return "#include <stdarg.h>\n#include <stdlib.h>\n#include <string.h>\n#define HERE\n"
         "_Bool __VERIFIER_nondet_bool(void);\nvoid reach_error(void);\n#line 1\n";
}

}  // namespace whittle::sanitizers
