// Layers that watch: statistics, a log of queries in SMT-LIB, and a second opinion on every answer.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>

#include "solve/layer.h"
#include "solve/stack.h"
#include "term/op.h"
#include "term/print.h"

namespace whittle::solve {
namespace {

class StatisticsLayer final : public Layer {
 public:
  StatisticsLayer(StackContext& context, std::unique_ptr<Solver> inner, const std::string& name)
      : Layer(context, std::move(inner)),
        queries_("solver." + name + ".queries"),
        sat_("solver." + name + ".sat"),
        unsat_("solver." + name + ".unsat"),
        unknown_("solver." + name + ".unknown"),
        seconds_("solver." + name + ".seconds") {}

  // Nothing is changed on the way, so the stack of assertions may as well live in the inner solver.
  void add(Term condition) override { inner_->add(condition); }
  void push() override { inner_->push(); }
  void pop() override { inner_->pop(); }
  u128 value(Term t) override { return inner_->value(t); }
  std::vector<Term> core() override { return inner_->core(); }
  Result check(std::span<const Term> assumptions) override {
    auto start = std::chrono::steady_clock::now();
    Result result = inner_->check(assumptions);
    Statistics& s = context_.statistics;
    s.add_seconds(seconds_, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    s.add(queries_);
    s.add(result.sat() ? sat_ : result.unsat() ? unsat_ : unknown_);
    return result;
  }

 private:
  Result query(std::span<const Term>) override { return {}; }
  std::string queries_, sat_, unsat_, unknown_, seconds_;
};

class SmtlibLog final : public Layer {
 public:
  SmtlibLog(StackContext& context, std::unique_ptr<Solver> inner, std::string directory)
      : Layer(context, std::move(inner)), directory_(std::move(directory)) {
    std::error_code ignored;  // a log that cannot be written does not stop the work
    std::filesystem::create_directories(directory_, ignored);
  }

 private:
  /// Written before the question is asked, so that the file is there if the answer never comes; the answer is added.
  Result query(std::span<const Term> conditions) override {
    std::ofstream file(next_file());
    file << "(set-logic QF_BVFP)\n";
    std::unordered_set<Term> declared;
    for (Term t : conditions)
      for (Term leaf : context_.leaves.of(t))
        if (declared.insert(leaf).second)
          file << fmt::format("(declare-const {} {})\n", term::smtlib_symbol(context_.store, leaf),
                              term::smtlib_sort(leaf));
    for (Term t : conditions) {
      std::string text = term::to_smtlib(context_.store, t);
      file << fmt::format("(assert {})\n", term::is_boolean(t) ? text : fmt::format("(= {} #b1)", text));
    }
    file << "(check-sat)\n" << std::flush;
    Result result = ask(conditions);
    file << "; " << to_string(result.answer) << (result.reason.empty() ? "" : ": " + result.reason) << "\n";
    return result;
  }

  /// A name that is not taken: several solvers, in several processes, may write here.
  std::string next_file() {
    for (int tries = 0; tries < 1'000'000; ++tries) {
      std::string path = fmt::format("{}/query-{:06}.smt2", directory_, ++count_);
      const int made = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (made >= 0) close(made);
      if (made >= 0 || errno != EEXIST) return path;
    }
    return "/dev/null";
  }

  std::string directory_;
  unsigned count_ = 0;
};

/// Sat is believed when the model satisfies the conditions; Unsat when the other solver does not find a model of its
/// own or of the core. Any contradiction is the answer Unknown.
class CrossCheck final : public Layer {
 public:
  CrossCheck(StackContext& context, std::unique_ptr<Solver> inner, std::unique_ptr<Solver> other)
      : Layer(context, std::move(inner)), other_(std::move(other)) {}
  void interrupt() override {
    inner_->interrupt();
    other_->interrupt();
  }
  void set_budget(const Budget& budget) override {
    inner_->set_budget(budget);
    other_->set_budget(budget);
  }

 private:
  Result query(std::span<const Term> conditions) override {
    Result result = ask(conditions);
    if (result.unknown()) return result;
    context_.statistics.add("solver.cross_check.checked");
    if (result.sat())
      for (Term t : conditions)
        if (!holds(t, model_)) return disagree("the model does not satisfy the conditions");
    Result second = other_->check(conditions);
    if (second.unknown())
      context_.statistics.add("solver.cross_check.unknown");
    else if (second.answer != result.answer)
      return disagree(fmt::format("{} says {}, {} says {}", inner_->capabilities().name, to_string(result.answer),
                                  other_->capabilities().name, to_string(second.answer)));
    if (result.unsat() && other_->check(core_).sat()) return disagree("the core is satisfiable");
    return result;
  }

  Result disagree(std::string why) {
    context_.statistics.add("solver.cross_check.disagreements");
    return {Answer::Unknown, "solvers disagree: " + std::move(why)};
  }

  std::unique_ptr<Solver> other_;
};

}  // namespace

std::unique_ptr<Solver> make_statistics(StackContext& context, std::unique_ptr<Solver> inner, std::string name) {
  return std::make_unique<StatisticsLayer>(context, std::move(inner), name);
}
std::unique_ptr<Solver> make_smtlib_log(StackContext& context, std::unique_ptr<Solver> inner, std::string directory) {
  return std::make_unique<SmtlibLog>(context, std::move(inner), std::move(directory));
}
std::unique_ptr<Solver> make_cross_check(StackContext& context, std::unique_ptr<Solver> inner,
                                         std::unique_ptr<Solver> other) {
  return std::make_unique<CrossCheck>(context, std::move(inner), std::move(other));
}

}  // namespace whittle::solve
