#include "engines/auto/vacuity.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "engines/auto/random_runs.h"

namespace whittle::engines::auto_ {

using program::Edge;
using program::Function;
using program::FunctionId;
using program::Kind;
using program::LocationId;
using program::Program;
using verdict::Property;

namespace {

constexpr unsigned kRuns = 200;

bool fails(const program::Statement& statement) {
  return (statement.kind == Kind::Error || statement.kind == Kind::Check) &&
         statement.property == Property::UnreachCall;
}

/// Follows edges that do nothing.
LocationId end_of_skips(const Function& function, LocationId location) {
  std::set<LocationId> seen;
  while (location != program::kNone && seen.insert(location).second) {
    const program::Location& at = function.locations[location];
    const Edge& edge = function.edges[at.first_edge];
    if (at.edge_count != 1 || edge.statement.kind != Kind::Skip) break;
    location = edge.to;
  }
  return location;
}

/// From a failing statement back to the branch that decides about it: the first of its edges, or nothing. `a || b` is
/// two branches on one line that go on at the same place if the assertion holds; the first of them counts.
std::optional<uint32_t> deciding_edge(const Function& function, LocationId location) {
  std::vector<std::vector<LocationId>> before(function.locations.size());
  for (const Edge& edge : function.edges)
    if (edge.to != program::kNone) before[edge.to].push_back(edge.from);
  std::optional<uint32_t> decides;
  std::set<LocationId> holds;
  std::set<LocationId> seen;
  while (seen.insert(location).second && location != function.entry && before[location].size() == 1) {
    LocationId came_from = location;
    location = before[location].front();
    const program::Location& branch = function.locations[location];
    if (branch.edge_count == 1) continue;
    std::set<LocationId> others;
    for (uint32_t e = branch.first_edge; e < branch.first_edge + branch.edge_count; ++e)
      if (function.edges[e].to != came_from) others.insert(end_of_skips(function, function.edges[e].to));
    if (decides) {
      auto line = [&](uint32_t edge) { return function.edges[edge].statement.position.line; };
      bool same = others == holds && line(branch.first_edge) == line(*decides);
      if (!same) break;
    }
    decides = branch.first_edge;
    holds = others;
  }
  return decides;
}

/// Marks the checkpoints that runs get to.
class Coverage : public exec::Listener {
 public:
  Coverage(const Program& program, const std::vector<Checkpoint>& checkpoints) : program_(program) {
    for (const Checkpoint& checkpoint : checkpoints) {
      const Edge& edge = program.functions[checkpoint.function].edges[checkpoint.edge];
      if (checkpoint.kind == Checkpoint::Kind::Assertion)
        locations_.insert({checkpoint.function, edge.from});
      else
        edges_.insert({checkpoint.function, checkpoint.edge});
    }
  }

  void statement(uint32_t thread, FunctionId function, uint32_t edge) override {
    // A statement was passed if its thread goes on after it.
    const Edge& now = program_.functions[function].edges[edge];
    if (auto last = last_.find(thread); last != last_.end()) {
      auto [f, e] = last->second;
      if (f == function && program_.functions[f].edges[e].to == now.from) passed_.insert(last->second);
      last_.erase(last);
    }
    if (edges_.contains({function, edge})) last_[thread] = {function, edge};
    if (locations_.contains({function, now.from})) reached_.insert({function, now.from});
  }

  void new_run() { last_.clear(); }
  bool alive(const Checkpoint& checkpoint) const {
    if (checkpoint.kind == Checkpoint::Kind::Assumption)
      return passed_.contains({checkpoint.function, checkpoint.edge});
    return reached_.contains(
        {checkpoint.function, program_.functions[checkpoint.function].edges[checkpoint.edge].from});
  }
  bool all() const { return passed_.size() == edges_.size() && reached_.size() == locations_.size(); }

 private:
  using Place = std::pair<FunctionId, uint32_t>;
  const Program& program_;
  std::set<Place> edges_, locations_, passed_, reached_;
  std::map<uint32_t, Place> last_;  ///< by thread
};

void drop_alive(const Program& program, std::vector<Checkpoint>& checkpoints, const Settings& settings,
                Limits& limits) {
  verdict::Specification specification;
  specification.properties = {Property::UnreachCall};
  exec::Machine machine(std::make_shared<exec::Code>(program, specification));
  Coverage coverage(program, checkpoints);
  machine.set_listener(&coverage);
  std::mt19937_64 random(settings.seed);
  for (unsigned run = 0; run < kRuns && !coverage.all() && limits.poll_now() == Stop::No; ++run) {
    coverage.new_run();
    random_run(machine, random, limits);
  }
  std::erase_if(checkpoints, [&](const Checkpoint& checkpoint) { return coverage.alive(checkpoint); });
}

/// A copy in which getting to a checkpoint is the only violation.
Program question(const Program& program, const std::vector<Checkpoint>& checkpoints) {
  Program copy = program.clone();
  for (Function& function : copy.functions)
    for (Edge& edge : function.edges) {
      if (!fails(edge.statement)) continue;
      program::Statement harmless;
      harmless.position = edge.statement.position;
      if (edge.statement.kind == Kind::Error) {
        harmless.kind = Kind::Halt;
        harmless.operands = {copy.terms().constant(32, 0)};
        harmless.text = "exit";
      }
      edge.statement = harmless;
    }
  for (size_t i = 0; i < checkpoints.size(); ++i) {
    Function& function = copy.functions[checkpoints[i].function];
    auto target = static_cast<LocationId>(function.locations.size());
    function.locations.push_back({static_cast<uint32_t>(function.edges.size()), 1, false});
    program::Statement error;
    error.kind = Kind::Error;
    error.text = fmt::format("checkpoint {}", i);
    error.position = checkpoints[i].position;
    function.edges.push_back({target, program::kNone, error});
    const program::Location& from = function.locations[function.edges[checkpoints[i].edge].from];
    for (uint32_t e = from.first_edge; e < from.first_edge + from.edge_count; ++e) function.edges[e].to = target;
  }
  copy.validate();
  return copy;
}

std::string warning(const Program& program, const Checkpoint& checkpoint) {
  return fmt::format("warning: {} at {}",
                     checkpoint.kind == Checkpoint::Kind::Assumption ? "no run satisfies the assumption"
                                                                     : "no run reaches the assertion",
                     program.where(checkpoint.position));
}

}  // namespace

std::vector<Checkpoint> find_checkpoints(const Program& program) {
  std::vector<Checkpoint> checkpoints;
  for (FunctionId f = 0; f < program.functions.size(); ++f) {
    const Function& function = program.functions[f];
    if (function.runtime) continue;
    for (uint32_t e = 0; e < function.edges.size(); ++e) {
      const program::Statement& statement = function.edges[e].statement;
      if (!statement.position.known()) continue;
      bool alone = function.locations[function.edges[e].from].edge_count == 1;
      // assume(0) is how programs say "not this way": it is not meant to hold.
      if (statement.kind == Kind::Assume && alone && !statement.operands[0].is_false())
        checkpoints.push_back({Checkpoint::Kind::Assumption, f, e, statement.position});
      if (!fails(statement)) continue;
      if (statement.kind == Kind::Check) {
        checkpoints.push_back({Checkpoint::Kind::Assertion, f, e, statement.position});
      } else if (auto edge = deciding_edge(function, function.edges[e].from)) {
        checkpoints.push_back({Checkpoint::Kind::Assertion, f, *edge, statement.position});
      }
    }
  }
  return checkpoints;
}

std::vector<std::string> vacuous(const Program& program, std::vector<Checkpoint> checkpoints, Engine& engine,
                                 const Settings& settings, Limits& limits) {
  verdict::Specification reach;
  reach.properties = {Property::UnreachCall};
  drop_alive(program, checkpoints, settings, limits);
  Settings own = settings;
  own.set("proof", "");  // the file is about the program itself
  // Two assertions under one branch, and an assumption that hides all that follows: each place is asked about once.
  std::set<std::pair<FunctionId, LocationId>> places;
  std::erase_if(checkpoints, [&](const Checkpoint& checkpoint) {
    return !places.insert({checkpoint.function, program.functions[checkpoint.function].edges[checkpoint.edge].from})
                .second;
  });
  Statistics statistics;
  Progress silent(false);
  Context context{limits, statistics, silent};
  while (!checkpoints.empty() && limits.poll_now() == Stop::No) {
    Program copy = question(program, checkpoints);
    verdict::Verdict answer = engine.run(copy, reach, own, context);
    if (answer.answer == verdict::Answer::Unknown) return {};
    if (answer.answer == verdict::Answer::True) break;
    size_t begin = answer.violation->message.find("checkpoint ");
    if (begin == std::string::npos) return {};
    size_t number = std::stoul(answer.violation->message.substr(begin + 5));
    if (number >= checkpoints.size()) return {};
    checkpoints.erase(checkpoints.begin() + static_cast<ptrdiff_t>(number));
  }
  std::vector<std::string> warnings;
  if (limits.stopped() != Stop::No) return warnings;
  for (const Checkpoint& checkpoint : checkpoints) warnings.push_back(warning(program, checkpoint));
  return warnings;
}

}  // namespace whittle::engines::auto_
