#include "generate/generator.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/hash.h"

namespace whittle::generate {
namespace {

class Writer {
 public:
  Writer(const Options& options, std::string suffix)
      : options_(options), suffix_(std::move(suffix)), random_(hash_mix(options.seed)) {}

  std::string program() {
    scalars_ = 2 + below(3);
    globals();
    if (options_.procedures) procedures();
    for (unsigned t = 0; t < options_.threads; ++t) thread(t);
    main_function();
    return out_;
  }

 private:
  // splitmix64
  uint64_t next() {
    uint64_t z = (random_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  unsigned below(unsigned n) { return static_cast<unsigned>(next() % n); }
  bool chance(unsigned percent) { return below(100) < percent; }

  template <typename... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    out_ += std::string(indent_ * 2, ' ') + fmt::format(format, std::forward<Args>(args)...) + "\n";
  }

  std::string global(unsigned i) { return fmt::format("g{}_{}", i, suffix_); }
  std::string any_global() { return global(below(scalars_)); }
  std::string array() { return "a_" + suffix_; }
  std::string pointer() { return "p_" + suffix_; }

  void globals() {
    for (unsigned i = 0; i < scalars_; ++i) line("unsigned {} = {};", global(i), below(4));
    if (options_.arrays) line("unsigned {}[4] = {{{}, {}, 0, 1}};", array(), below(4), below(4));
    if (options_.pointers) line("unsigned *{} = &{};", pointer(), any_global());
    if (options_.threads > 0 && options_.locks)
      for (int i = 0; i < 2; ++i) line("pthread_mutex_t m{}_{} = PTHREAD_MUTEX_INITIALIZER;", i, suffix_);
  }

  void procedures() {
    procedure_count_ = 1 + below(2);
    for (unsigned f = 0; f < procedure_count_; ++f) {
      line("unsigned f{}_{}(unsigned x, unsigned y) {{", f, suffix_);
      ++indent_;
      locals_ = {"x", "y"};
      in_procedure_ = true;
      unsigned kept = callable_;
      callable_ = f;
      if (chance(50)) line("{} = {};", any_global(), expression(2));
      if (chance(60)) line("if ({}) x = {};", condition(), expression(1));
      line("return ({}) & 7u;", expression(2));
      callable_ = kept;
      in_procedure_ = false;
      --indent_;
      line("}}");
    }
    callable_ = procedure_count_;
  }

  void thread(unsigned t) {
    line("void *t{}_{}(void *argument) {{", t, suffix_);
    ++indent_;
    line("(void)argument;");
    choices_left_ = options_.thread_choices;
    body(options_.endless && chance(40));
    line("return 0;");
    --indent_;
    line("}}");
  }

  void body(bool forever) {
    locals_ = {"l0", "l1"};
    line("unsigned l0 = {}, l1 = {};", below(3), below(3));
    if (forever) {
      line("while (1) {{");
      ++indent_;
    }
    for (unsigned i = 0; i < options_.statements; ++i) statement(2);
    if (forever) {
      --indent_;
      line("}}");
    }
  }

  void main_function() {
    line("int main_{}(void) {{", suffix_);
    ++indent_;
    choices_left_ = options_.choices;
    if (options_.threads > 0) {
      locals_ = {"l0", "l1"};
      line("unsigned l0 = {}, l1 = {};", below(3), below(3));
      if (chance(50)) statement(1);
      for (unsigned t = 0; t < options_.threads; ++t) line("pthread_t h{};", t);
      for (unsigned t = 0; t < options_.threads; ++t) line("pthread_create(&h{0}, 0, t{0}_{1}, 0);", t, suffix_);
      if (chance(50)) statement(1);
      for (unsigned t = 0; t < options_.threads; ++t) line("pthread_join(h{}, 0);", t);
    } else {
      body(false);
    }
    while (asserts_ < options_.asserts) assertion();
    line("return 0;");
    --indent_;
    line("}}");
  }

  void block(unsigned depth) {
    ++indent_;
    unsigned n = 1 + below(2);
    for (unsigned i = 0; i < n; ++i) statement(depth);
    --indent_;
  }

  void statement(unsigned depth) {
    if (choices_left_ >= options_.choice_bits && !in_loop_ && !in_procedure_ && chance(35)) return choice(depth);
    switch (below(12)) {
      case 0:
      case 1: line("{} = ({}) & 7u;", any_global(), expression(2)); break;
      case 2: line("{} = ({}) & 7u;", any_local(), expression(2)); break;
      case 3: branch(depth); break;
      case 4: choice(depth); break;
      case 5: loop(depth); break;
      case 6: pointer_statement(); break;
      case 7: array_statement(); break;
      case 8: call_statement(); break;
      case 9: critical_section(depth); break;
      case 10:
        if (chance(50))
          assertion();
        else
          line("{} = {} ^ 1u;", any_global(), any_global());
        break;
      default: line("if ({}) {} = ({}) & 3u;", condition(), any_local(), expression(1)); break;
    }
  }

  void branch(unsigned depth) {
    if (depth == 0) return line("{} = {};", any_local(), any_global());
    line("if ({}) {{", condition());
    block(depth - 1);
    if (chance(60)) {
      line("}} else {{");
      block(depth - 1);
    }
    line("}}");
  }

  /// A nondeterministic choice. Inside loops, threads and procedures their number on a path is harder to bound: only
  /// outside of them.
  void choice(unsigned depth) {
    if (choices_left_ < options_.choice_bits || in_loop_ || in_procedure_)
      return line("{} = ({}) & 3u;", any_global(), expression(1));
    choices_left_ -= options_.choice_bits;
    if (options_.wide_inputs && chance(50)) return line("{} = __VERIFIER_nondet_uint();", any_local());
    if (options_.choice_bits > 1)
      return line("{} = __VERIFIER_nondet_uchar() & {}u;", any_local(), (1u << options_.choice_bits) - 1);
    if (depth == 0) return line("{} = __VERIFIER_nondet_bool();", any_local());
    line("if (__VERIFIER_nondet_bool()) {{");
    block(depth - 1);
    if (chance(60)) {
      line("}} else {{");
      block(depth - 1);
    }
    line("}}");
  }

  void loop(unsigned depth) {
    if (!options_.loops || depth == 0 || in_loop_) return line("{} = {} + 1u & 7u;", any_local(), any_local());
    std::string counter = fmt::format("i{}", loop_number_++);
    line("for (unsigned {0} = 0; {0} < {1}; {0}++) {{", counter,
         chance(70) ? fmt::format("{}u", 1 + below(3)) : fmt::format("({} & 3u)", any_global()));
    in_loop_ = true;
    locals_.push_back(counter);
    readonly_ = counter;
    block(depth - 1);
    locals_.pop_back();
    readonly_.clear();
    in_loop_ = false;
    line("}}");
  }

  void pointer_statement() {
    if (!options_.pointers) return line("{} = ({}) & 7u;", any_global(), expression(1));
    switch (below(3)) {
      case 0: line("{} = &{};", pointer(), any_global()); break;
      case 1: line("*{} = ({}) & 7u;", pointer(), expression(1)); break;
      default: line("{} = *{};", any_local(), pointer()); break;
    }
  }

  void array_statement() {
    if (!options_.arrays) return line("{} = ({}) & 7u;", any_global(), expression(1));
    if (chance(60))
      line("{}[({}) & 3u] = ({}) & 7u;", array(), expression(1), expression(1));
    else
      line("{} = {}[({}) & 3u];", any_local(), array(), expression(1));
  }

  void call_statement() {
    if (callable_ == 0) return line("{} = ({}) & 7u;", any_global(), expression(1));
    line("{} = f{}_{}({}, {});", any_local(), below(callable_), suffix_, expression(1), expression(1));
  }

  void critical_section(unsigned depth) {
    if (options_.threads == 0 || !options_.locks || in_lock_ || depth == 0)
      return line("{} = {};", any_global(), any_local());
    unsigned first = below(2);
    bool nested = chance(options_.nested_locks);
    in_lock_ = true;
    line("pthread_mutex_lock(&m{}_{});", first, suffix_);
    if (nested) line("pthread_mutex_lock(&m{}_{});", 1 - first, suffix_);
    block(depth - 1);
    if (nested) line("pthread_mutex_unlock(&m{}_{});", 1 - first, suffix_);
    line("pthread_mutex_unlock(&m{}_{});", first, suffix_);
    in_lock_ = false;
  }

  void assertion() {
    ++asserts_;
    // Mostly true, sometimes false: ranges that most values satisfy, and relations between variables.
    std::string v = chance(70) ? any_global() : any_local();
    switch (below(4)) {
      case 0: line("if (!({} <= {}u)) __VERIFIER_error();", v, 5 + below(3)); break;
      case 1: line("if (!({} != {}u)) __VERIFIER_error();", v, 3 + below(5)); break;
      case 2: line("if (!({} + {} != {}u)) __VERIFIER_error();", v, any_global(), 9 + below(6)); break;
      default: line("if ({} && {} == {}u) __VERIFIER_error();", condition(), v, 4 + below(4)); break;
    }
  }

  std::string any_local() {
    for (;;) {
      std::string name = locals_[below(static_cast<unsigned>(locals_.size()))];
      if (name != readonly_) return name;
    }
  }
  std::string operand() {
    switch (below(4)) {
      case 0: return fmt::format("{}u", below(5));
      case 1: return any_global();
      default: return locals_[below(static_cast<unsigned>(locals_.size()))];
    }
  }
  std::string expression(unsigned depth) {
    if (depth == 0 || chance(30)) return operand();
    static const char* const kOperators[] = {"+", "-", "*", "&", "|", "^", "+", "+"};
    if (chance(10)) return fmt::format("({} ? {} : {})", condition(), operand(), operand());
    if (chance(6)) return fmt::format("({} / ({} | 1u))", expression(depth - 1), operand());
    return fmt::format("({} {} {})", expression(depth - 1), kOperators[below(8)], expression(depth - 1));
  }
  std::string condition() {
    static const char* const kRelations[] = {"==", "!=", "<", "<=", ">", ">="};
    std::string simple = fmt::format("{} {} {}", operand(), kRelations[below(6)], operand());
    if (chance(15)) return fmt::format("({} && {} != {})", simple, operand(), operand());
    if (chance(10)) return fmt::format("({} || {} == {})", simple, operand(), operand());
    return simple;
  }

  const Options& options_;
  std::string suffix_;
  uint64_t random_;
  std::string out_;
  unsigned indent_ = 0;
  unsigned scalars_ = 2;
  unsigned procedure_count_ = 0;
  unsigned callable_ = 0;
  unsigned choices_left_ = 0;
  unsigned asserts_ = 0;
  unsigned loop_number_ = 0;
  bool in_loop_ = false;
  bool in_lock_ = false;
  bool in_procedure_ = false;
  std::vector<std::string> locals_;
  std::string readonly_;
};

}  // namespace

std::string generate(const Options& options, const std::string& suffix) { return Writer(options, suffix).program(); }

std::string prelude() {
  return "#include <pthread.h>\n"
         "extern void __VERIFIER_error(void);\n"
         "extern _Bool __VERIFIER_nondet_bool(void);\n"
         "extern unsigned char __VERIFIER_nondet_uchar(void);\n"
         "extern unsigned __VERIFIER_nondet_uint(void);\n";
}

}  // namespace whittle::generate
