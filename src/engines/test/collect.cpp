#include "engines/test/collect.h"

#include <algorithm>

#include "engines/test/drive.h"

namespace whittle::engines::test {

namespace {

constexpr uint64_t kBudget = 1'000'000;     ///< statements of one run
constexpr uint64_t kPatientRuns = 20'000;   ///< runs without anything new before it ends

/// Which edges of the program's own functions were taken.
class Coverage : public exec::Listener {
 public:
  explicit Coverage(const program::Program& program) : program_(program) {
    for (const program::Function& function : program.functions) {
      first_.push_back(seen_.size());
      if (!function.runtime) seen_.resize(seen_.size() + function.edges.size());
    }
  }
  void statement(uint32_t, program::FunctionId function, uint32_t edge) override {
    if (program_.functions[function].runtime || seen_[first_[function] + edge]) return;
    fresh_.push_back(first_[function] + edge);
    seen_[first_[function] + edge] = true;
  }
  /// Edges that were new since the last call. `keep` false: they stay new.
  uint64_t take(bool keep) {
    const uint64_t count = fresh_.size();
    if (!keep)
      for (size_t edge : fresh_) seen_[edge] = false;
    fresh_.clear();
    return count;
  }
  uint64_t edges() const { return seen_.size(); }
  uint64_t reached() const { return static_cast<uint64_t>(std::ranges::count(seen_, true)); }

 private:
  const program::Program& program_;
  std::vector<size_t> first_;  ///< by function
  std::vector<bool> seen_;
  std::vector<size_t> fresh_;
};

class Collector {
 public:
  Collector(const std::shared_ptr<const exec::Code>& code, uint64_t seed, double seconds, Limits& limits)
      : code_(code),
        machine_(code),
        coverage_(code->program()),
        values_{program_constants(code->program()), {}},
        random_(seed),
        deadline_(limits.elapsed() + seconds),
        limits_(limits) {
    machine_.set_listener(&coverage_);
  }

  Collection run(const std::vector<std::vector<u128>>& seeds) {
    attempt(*listed_inputs({}));
    for (const std::vector<u128>& values : seeds) attempt(*listed_inputs(values));
    uint64_t barren = 0;
    bool inputs = true;
    while (inputs && barren < kPatientRuns && limits_.elapsed() < deadline_ && limits_.poll_now() == Stop::No) {
      const auto style = static_cast<InputStyle>(random_.below(kInputStyles));
      auto drawn = random_inputs(random_.next(), style, values_);
      const bool fresh = found_.tests.empty() || random_.chance(3);
      const bool found = attempt(*(fresh ? std::move(drawn) : changed(std::move(drawn))));
      inputs = asked_;
      barren = found ? 0 : barren + 1;
    }
    found_.edges = coverage_.edges();
    found_.reached = coverage_.reached();
    return std::move(found_);
  }

 private:
  /// A kept test with a few values drawn anew.
  std::unique_ptr<InputSource> changed(std::unique_ptr<InputSource> drawn) {
    std::vector<u128> values;
    for (const verdict::Input& input : found_.tests[random_.below(found_.tests.size())].run.counterexample.inputs)
      values.push_back(input.value);
    return mutated_inputs(random_.next(), std::move(values), std::move(drawn));
  }

  bool attempt(InputSource& source) {
    ++found_.runs;
    auto scheduler = run_to_block();
    Outcome outcome = drive(machine_, *scheduler, source, kBudget, limits_);
    asked_ = asked_ || !outcome.record.inputs.empty();
    const bool usable = outcome.end == End::Halted || outcome.end == End::Violation;
    const uint64_t fresh = coverage_.take(usable);
    if (!usable || fresh == 0) return false;
    CollectedTest test{exec::tell(code_, outcome.record.counterexample(), &limits_), machine_.pause().status,
                       machine_.pause().aborted, fresh};
    test.run.trace.steps.clear();
    found_.tests.push_back(std::move(test));
    return true;
  }

  const std::shared_ptr<const exec::Code>& code_;
  exec::Machine machine_;
  Coverage coverage_;
  Values values_;
  Random random_;
  double deadline_;
  Limits& limits_;
  Collection found_;
  bool asked_ = false;  ///< some run asked for an input
};

}  // namespace

Collection collect_tests(const std::shared_ptr<const exec::Code>& code, const std::vector<std::vector<u128>>& seeds,
                         uint64_t seed, double seconds, Limits& limits) {
  return Collector(code, seed, seconds, limits).run(seeds);
}

}  // namespace whittle::engines::test
