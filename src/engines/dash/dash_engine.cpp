#include "engines/dash/dash_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>
#include <map>
#include <set>
#include <sstream>

#include "base/error.h"
#include "engines/dash/cache.h"
#include "engines/dash/contracts.h"
#include "engines/dash/dot.h"
#include "engines/dash/proof_writer.h"
#include "engines/dash/search.h"
#include "engines/keeper.h"
#include "engines/seed_tests.h"
#include "exec/runner.h"

namespace whittle::engines::dash {

using verdict::Answer;
using verdict::Property;
using verdict::Verdict;

namespace {

constexpr std::array<Option, 9> kOptions{{
    {"cache", "DIR", "", "keep tests and predicates there; the next run begins with those that still hold"},
    {"dot", "FILE", "", "write the region graph for Graphviz: reached and unreached parts"},
    {"dash-iterations", "N", "unlimited", "most iterations; more make the answer unknown"},
    {"seed-tests", "FILE", "", "begin with these tests: a line of inputs each, 5,-1,0x1f"},
    {"dash-alone", "", "", "do not try in one call of a function what was found out in another"},
    {"dash-explain", "", "", "print every split of a region: where, and what it tells apart"},
    kCheckpoint,
    kCheckpointEvery,
    kResume,
}};

void write_text(const std::string& file, const std::string& text) {
  std::ofstream out(file);
  out << text;
  if (!out) fail_usage("{}: cannot be written", file);
}

std::string read_text(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  if (!in || !(text << in.rdbuf())) fail_input("{}: cannot be read", file);
  return text.str();
}

void write_proof(const std::string& file, const proof::Proof& proof, const program::Program& program,
                 const verdict::Specification& specification) {
  if (!file.empty() && !proof::store(file, proof::write(proof, program, specification))) fail_usage("{}: cannot be written", file);
}

/// A program that asks for nothing has one run: that run is the proof. Nothing if it asks, or takes long.
std::optional<exec::PauseKind> only_run(const std::shared_ptr<const exec::Code>& code, uint64_t statements,
                                        Limits& limits) {
  exec::Machine machine(code);
  machine.set_budget(100'000);
  machine.reset();
  for (const exec::Pause* pause = &machine.pause();;) {
    if (limits.poll_now() != Stop::No || machine.statements() > statements) return std::nullopt;
    if (pause->kind == exec::PauseKind::Budget)
      pause = &machine.resume();
    else if (pause->scheduling()) {
      if (!machine.alive(0) || !machine.enabled(0)) return std::nullopt;
      pause = &machine.schedule(0);
    } else
      return pause->kind;
  }
}

class Job {
 public:
  Job(const program::Program& program, const verdict::Specification& specification, const Settings& settings,
      whittle::Context& context)
      : program_(program),
        specification_(specification),
        settings_(settings),
        context_(context),
        code_(std::make_shared<exec::Code>(program, specification)),
        keeper_("dash", program, specification, settings, kOptions, {"dash-iterations", "dash-explain", "dot"}, context.limits),
        answers_(context.limits) {
    verdict_.engine = "dash";
    if (auto in = keeper_.resumed()) answers_.load(*in);
    keeper_.holds([this](CheckpointWriter& out) { answers_.save(out); });
    answers_.between([this] { keeper_.save_if_due(); });
  }

  Verdict run() {
    SearchOptions options;
    options.seed = settings_.seed;
    options.iterations = settings_.number("dash-iterations", UINT64_MAX);
    options.explain = settings_.flag("dash-explain");
    options.share = !settings_.flag("dash-alone");
    options.tests = settings_.tests;
    if (keeper_.on()) options.kept = &answers_;
    if (std::string file = settings_.text("seed-tests", ""); !file.empty())
      for (auto& test : parse_tests(read_text(file), file)) options.tests.push_back(std::move(test));
    if (single_run(kShortRun)) {
      write_dot(nullptr);
      keeper_.leave(verdict_, false);
      return std::move(verdict_);
    }
    auto first = std::make_unique<Search>(program_, specification_, options, context_);
    std::optional<LastWords::Speaker> speaker;
    auto speak = [&] { speaker.emplace(context_.last_words, [&](Statistics& s) { put_counts(first->counts(), s); }); };
    speak();
    std::optional<Cache> cache;
    if (std::string folder = settings_.text("cache", ""); !folder.empty()) {
      cache.emplace(folder, program_, specification_);
      Kept kept = cache->load(first->space());
      if (!kept.warning.empty()) fmt::print(stderr, "whittle: warning: {}\n", kept.warning);
      verdict_.statistics.set("cached_tests", uint64_t{kept.tests.size()});
      verdict_.statistics.set("cached_predicates", uint64_t{kept.predicates.size()});
      first->begin_with(std::move(kept));
    }
    Search::Answer answer = first->run();
    if (answer == Search::Answer::Unknown && context_.limits.poll_now() == Stop::No &&
        first->counts().iterations < options.iterations && first->has_graph()) {
      // Splits that say less may get through where large ones got stuck.
      earlier_ = first->counts();
      options.bundles = false;
      options.iterations -= earlier_.iterations;
      speaker.reset();  // it is asked in another thread
      first = std::make_unique<Search>(program_, specification_, options, context_);
      speak();
      answer = first->run();
    }
    Search& search = *first;
    if (answer == Search::Answer::Violated)
      violated(search.violation(), fmt::format("violated by test {}", search.counts().tests));
    if (answer == Search::Answer::Unknown && !single_run(UINT64_MAX)) verdict_.reason = search.reason();
    if (answer == Search::Answer::Proved) proved(search);
    if (cache && search.has_graph() && !cache->save(search.space(), search.graph(), search.forest()))
      fmt::print(stderr, "whittle: warning: the cache cannot be written\n");
    write_dot(&search);
    keeper_.leave(verdict_, verdict_.answer == Answer::Unknown && context_.limits.stopped() != Stop::No);
    statistics(search);
    return std::move(verdict_);
  }

 private:
  void write_dot(Search* search) {
    const std::string file = settings_.text("dot", "");
    if (file.empty()) return;
    if (search && search->has_graph())
      write_text(file, to_dot(search->space(), search->graph()));
    else
      fmt::print(stderr, "whittle: warning: {} is not written: a run decided before there were regions\n", file);
  }

  bool single_run(uint64_t statements) {
    auto end = only_run(code_, statements, context_.limits);
    if (end == exec::PauseKind::Violation) {
      violated(exec::replay(code_, {}, &context_.limits),
               "the program asks for no input, and its only run violates it");
      return verdict_.answer == Answer::False;
    }
    if (end != exec::PauseKind::Halted && end != exec::PauseKind::Pruned) return false;
    verdict_.answer = Answer::True;
    verdict_.reason = "proved: the program asks for no input, and its only run violates nothing";
    proof::Proof proof;
    proof.kind = proof::Proof::Kind::Run;
    write_proof(settings_.text("proof", ""), proof, program_, specification_);
    return true;
  }

  void violated(const exec::RunResult& result, std::string reason) {
    if (!result.violation) {
      verdict_.reason = "a violation could not be replayed in time";
      return;
    }
    verdict_.answer = Answer::False;
    verdict_.violation = result.violation;
    verdict_.counterexample = result.counterexample;
    verdict_.trace = result.trace;
    verdict_.reason = std::move(reason);
  }

  void proved(Search& search) {
    verdict_.answer = Answer::True;
    verdict_.reason =
        fmt::format("proved for all inputs: {} regions leave no way to a violation", search.graph().region_count());
    if (!specification_.has(Property::ValidDeref))
      verdict_.assumptions.push_back(
          "memory accesses are valid and undefined behaviour does not happen, for that was not asked");
    if (search.space().used_reach())
      verdict_.assumptions.push_back(
          "pointers that are read from memory or come from outside lead to objects to which the program can have made them lead, or to none");
    if (!search.assumed().empty())
      verdict_.assumptions.push_back("addresses that come from inputs lie in objects; a test had others: " +
                                     search.assumed());
    for (const std::string& line : loop_invariants(search.space(), search.graph())) verdict_.reason += "\n  " + line;
    for (const std::string& line : contract_lines(search.space())) verdict_.reason += "\n  " + line;
    const Checked checked = check_proof(search);
    const std::string file = settings_.text("proof", "");
    if (checked.refused) {
      verdict_.answer = Answer::Unknown;
      verdict_.reason = "a proof was found, but the checker of proofs refuses it: " + checked.why;
    } else if (checked.proof && !file.empty()) {
      write_proof(file, *checked.proof, program_, specification_);
    } else if (!file.empty()) {
      fmt::print(stderr, "whittle: warning: no proof is written: {}\n", checked.why);
    }
    if (!checked.refused && !checked.why.empty()) verdict_.notes.push_back("the proof was not checked: " + checked.why);
  }

  struct Checked {
    std::optional<proof::Proof> proof;
    std::string why;       ///< it was not checked, or refused; empty: it is valid
    bool refused = false;  ///< for another reason than a limit
  };

  /// Nothing is proved that the checker of proofs refuses. It is asked for as long as the search took, and a while.
  Checked check_proof(Search& search) {
    Checked result;
    const double seconds = settings_.text("proof", "").empty() ? kLeastForChecking + context_.limits.elapsed()
                                                               : std::numeric_limits<double>::infinity();
    Limits limits;
    limits.set_timeout(std::min(seconds, context_.limits.remaining()));
    result.proof = short_proof(search, limits);
    if (result.proof) return result;
    for (bool again : {false, true}) {
      if (again && !search.sources().explain_calls()) break;
      result = full_proof(search, limits);
      if (!result.refused) break;
    }
    return result;
  }

  /// By invariants alone, if these are enough and that is soon seen: those that are needed, or all.
  std::optional<proof::Proof> short_proof(Search& search, Limits& all) {
    Graph& graph = search.graph();
    if (!has_invariants(graph)) return std::nullopt;
    std::vector<Node::Known> before;
    for (uint32_t n = 0; n < graph.nodes(); ++n) before.push_back(graph.node(n).known());
    const bool fewer = search.sources().slice(std::min(5.0, all.remaining() / 4));
    auto proof = proof_by_invariants(search, all);
    for (uint32_t n = 0; n < graph.nodes(); ++n) graph.node(n).set_known(before[n]);  // a cache keeps all of them
    return proof || !fewer ? std::move(proof) : proof_by_invariants(search, all);
  }

  std::optional<proof::Proof> proof_by_invariants(Search& search, Limits& all) {
    std::string why;
    auto proof = make_proof(search.space(), search.graph(), ProofStyle::Invariants, why);
    Limits limits;
    limits.set_timeout(std::min(30.0, all.remaining() / 2));
    if (proof) {
      const proof::Outcome outcome = proof::check(*proof, program_, specification_, limits);
      if (outcome.valid) return proof;
      why = outcome.reason;
    }
    if (settings_.flag("dash-explain")) fmt::print(stderr, "invariants alone are no proof: {}\n", why);
    return std::nullopt;
  }

  Checked full_proof(Search& search, Limits& limits) {
    Checked result;
    result.proof = make_proof(search.space(), search.graph(), ProofStyle::Regions, result.why);
    if (!result.proof) return result;
    const proof::Outcome outcome = proof::check(*result.proof, program_, specification_, limits);
    if (outcome.valid) return result;
    result.refused = outcome.decided;
    result.why = outcome.reason;
    // What the checker cannot follow is of no use to readers; what there was no time for may be.
    if (limits.stopped() == Stop::No) result.proof.reset();
    return result;
  }

  void statistics(Search& search) {
    put_counts(search.counts(), verdict_.statistics);
    if (search.has_graph()) verdict_.statistics.set("regions", uint64_t{search.graph().region_count()});
    by_function(search, search.counts());
  }

  void put_counts(const Counts& c, Statistics& s) const {
    s.set("iterations", c.iterations + earlier_.iterations);
    s.set("solver_calls", c.solver_calls + earlier_.solver_calls);
    s.set("tests", c.tests + earlier_.tests);
    s.set("splits", c.splits + earlier_.splits);
    s.set("removed_edges", c.removed);
    s.set("expanded_calls", c.expanded);
    s.set("shared_calls", c.shared);
    s.set("invariants", c.invariants);
    s.set("solver_seconds", Statistics::Value{c.solver_seconds + earlier_.solver_seconds});
  }

  /// Questions about invariants belong to no function, so the figures of functions may add up to less than the whole.
  void by_function(Search& search, const Counts& counts) {
    struct Figures {
      uint64_t iterations = 0, tests = 0, regions = 0, predicates = 0;
    };
    std::map<program::FunctionId, Figures> all;
    for (const Counts* c : {&counts, static_cast<const Counts*>(&earlier_)})
      for (auto [f, n] : c->iterations_of) all[f].iterations += n;
    const Space& space = search.space();
    for (uint32_t t = 0; t < search.forest().size(); ++t) {
      std::set<program::FunctionId> visited;
      for (const Visit& v : search.forest().test(t).visits) visited.insert(space.context(v.place.context).function);
      for (program::FunctionId f : visited) ++all[f].tests;
    }
    if (search.has_graph())
      for (uint32_t n = search.graph().entry(); n < search.graph().nodes(); ++n) {
        const Node& node = search.graph().node(n);
        Figures& figures = all[space.context(node.place.context).function];
        figures.regions += node.regions.size();
        figures.predicates += node.splits;
      }
    std::vector<std::pair<program::FunctionId, Figures>> order(all.begin(), all.end());
    std::stable_sort(order.begin(), order.end(),
                     [](const auto& a, const auto& b) { return a.second.iterations > b.second.iterations; });
    for (const auto& [f, figures] : order) {
      const std::string name = "functions/" + program_.functions[f].name + "/";
      verdict_.statistics.set(name + "iterations", figures.iterations);
      verdict_.statistics.set(name + "tests", figures.tests);
      verdict_.statistics.set(name + "regions", figures.regions);
      verdict_.statistics.set(name + "predicates", figures.predicates);
    }
  }

  static constexpr uint64_t kShortRun = 20'000'000;
  static constexpr double kLeastForChecking = 2;  ///< seconds: most proofs take less

  const program::Program& program_;
  const verdict::Specification& specification_;
  const Settings& settings_;
  whittle::Context& context_;
  std::shared_ptr<exec::Code> code_;
  Verdict verdict_;
  Counts earlier_;  ///< of a search that got stuck
  Keeper keeper_;
  solve::Answers answers_;  ///< the search follows from them, and from the tests that they are made of
};

}  // namespace

std::span<const Option> DashEngine::options() const { return kOptions; }

std::optional<std::string> DashEngine::supports(const program::Program& program,
                                                const verdict::Specification& specification) const {
  for (Property p : {Property::ValidMemtrack, Property::ValidMemcleanup, Property::Termination, Property::Ctl})
    if (specification.has(p)) return fmt::format("dash does not check {}", verdict::name(p));
  for (const auto& function : program.functions)
    for (const auto& edge : function.edges)
      if (edge.statement.kind == program::Kind::Spawn)
        return "the program creates threads: dash is for one thread (try --engine explicit or guided)";
  return std::nullopt;
}

Verdict DashEngine::run(const program::Program& program, const verdict::Specification& specification,
                        const Settings& settings, whittle::Context& context) {
  return Job(program, specification, settings, context).run();
}

}  // namespace whittle::engines::dash
