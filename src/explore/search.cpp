#include "explore/search.h"

#include <cstdio>

#include "explore/breadth_first.h"
#include "explore/depth_first.h"
#include "explore/distributed.h"
#include "explore/distributed_files.h"
#include "explore/lossy_store.h"
#include "explore/parallel.h"

namespace whittle::explore {
namespace {

using machine::StepKind;

/// What can be had of what was asked for; the rest becomes a note.
Options effective(const Options& asked, std::vector<std::string>& notes) {
  Options options = asked;
  if (asked.dead == Dead::Dynamic && (asked.order != Order::DepthFirst || asked.store != StoreKind::Exact)) {
    options.dead = Dead::Static;
    notes.push_back(
        "dead variables: only static ones, because dynamic ones need depth-first order and the exact store");
  }
  // What needs one stack, one queue or one field of bits.
  if (options.dead == Dead::Dynamic || options.order != Order::DepthFirst || options.store != StoreKind::Exact)
    options.cores = 1;
  return options;
}

template <typename Store>
void run_with(Run& run, Store store) {
  LastWords::Speaker speaker(run.context.last_words, [&](Statistics& statistics) { run.tell(store, statistics); });
  if (run.options.order == Order::BreadthFirst) {
    BreadthFirst<Store> order(run, store);
    order();
  } else {
    NoSink sink;
    if constexpr (Store::kExact) {
      if (run.options.dead == Dead::Dynamic) {
        DepthFirst<Store, true, NoSink> order(run, store, sink);
        order();
        return run.conclude(store, false);
      }
    }
    DepthFirst<Store, false, NoSink> order(run, store, sink);
    order();
  }
  run.conclude(store, !Store::kExact);
}

/// Holds a counterexample to its word, and ends it with the first step that matters.
void confirm(Run& run, const Predicate& bad) {
  Result& result = run.result;
  uint32_t first_bad = ~0u;
  Replayed end = replay(run.machine, result.path, [&](uint32_t steps) {
    if (result.outcome != Outcome::BadState || !bad(run.machine.observe())) return true;
    first_bad = steps;
    return false;
  });
  bool confirmed = end.possible;
  if (result.outcome == Outcome::Violation) confirmed = confirmed && end.kind == StepKind::Violation;
  if (result.outcome == Outcome::BadState) confirmed = confirmed && first_bad != ~0u;
  if (result.outcome == Outcome::Deadlock)
    confirmed =
        confirmed && end.kind == StepKind::Moved && run.machine.successors().ending == machine::Ending::Deadlock;
  if (first_bad != ~0u) result.path.resize(first_bad);
  if (!confirmed) run.give_up("the path that was found does not lead there when it is replayed");
}

}  // namespace

Result search(machine::Machine& machine, const Options& asked, Context& context, const Predicate& bad) {
  std::vector<std::string> notes;
  const Options options = effective(asked, notes);
  Run run(machine, options, context, bad, false);
  Budget budget{context.limits.memory()};
  switch (options.store) {
    case StoreKind::Exact:
      if (options.group != nullptr)
        search_distributed(run, budget);
      else if (options.cores > 1 || !options.checkpoint.empty() || !options.resume.empty() ||
               !options.spill.empty())
        search_in_parallel(run, budget);
      else
        run_with(run, TreeStore(&budget));
      break;
    case StoreKind::HashCompaction:
      notes.push_back("hash compaction: states with equal 64-bit hashes count as one");
      run_with(run, HashStore(&budget));
      break;
    case StoreKind::BitState:
      notes.push_back("bit-state hashing: states whose bits were set before count as visited");
      run_with(run, BitStore(options.bitstate_bits));
      break;
  }
  Result& result = run.result;
  if (result.figures.deadlocks != 0 && !options.deadlock_is_violation)
    notes.push_back(fmt::format("{} deadlocks were passed over", result.figures.deadlocks));
  if (result.outcome == Outcome::Violation || result.outcome == Outcome::BadState ||
      result.outcome == Outcome::Deadlock)
    confirm(run, bad);
  result.notes.insert(result.notes.begin(), notes.begin(), notes.end());
  result.figures.put(context.statistics);
  return std::move(result);
}

void forget_checkpoint(const Options& options) {
  if (options.checkpoint.empty()) return;
  std::remove(options.checkpoint.c_str());
  remove_other_parts(options.checkpoint, 0);
}

Replayed replay(machine::Machine& machine, std::span<const uint32_t> path, const std::function<bool(uint32_t)>& seen) {
  Replayed end;
  machine.reset();
  if (seen && !seen(0)) {
    end.possible = true;
    return end;
  }
  for (uint32_t choice : path) {
    if (end.kind != StepKind::Moved || choice >= machine.successors().count) return end;
    end.kind = machine.step(choice);
    ++end.steps;
    bool there = end.kind == StepKind::Moved || end.kind == StepKind::Violation;
    if (!there) return end;
    if (seen && !seen(end.steps)) break;
  }
  end.possible = true;
  return end;
}

const char* to_string(Outcome outcome) {
  switch (outcome) {
    case Outcome::Holds: return "holds";
    case Outcome::ProbablyHolds: return "probably holds";
    case Outcome::Violation: return "violation";
    case Outcome::BadState: return "bad state";
    case Outcome::Deadlock: return "deadlock";
    case Outcome::Unknown: return "unknown";
  }
  return "?";
}

void Figures::put(Statistics& statistics) const {
  statistics.set("states_stored", states_stored);
  statistics.set("states_created", states_created);
  statistics.set("revisits", revisits);
  statistics.set("covered", covered);
  statistics.set("pruned_choices", pruned);
  statistics.set("cut_paths", cuts);
  statistics.set("deadlocks", deadlocks);
  statistics.set("max_depth", max_depth);
  statistics.set("bytes_per_state", Statistics::Value(bytes_per_state()));
  statistics.set("store_bytes", store_bytes);
  statistics.set("search_bytes", search_bytes);
  statistics.set("peak_memory", peak_memory);
  statistics.set("seconds", Statistics::Value(seconds));
  statistics.set("cpu_seconds", Statistics::Value(cpu_seconds));
  statistics.set("seconds_path_reduction", Statistics::Value(reduce_seconds));
  statistics.set("seconds_dead_variables", Statistics::Value(dead_seconds));
}

}  // namespace whittle::explore
