// What a search is asked for and what it answers.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "base/context.h"

namespace whittle::cluster {
class Group;
}

namespace whittle::explore {

enum class Order : uint8_t {
  DepthFirst,
  BreadthFirst,  ///< shortest counterexamples, in stored states
};

/// Path reduction (On-the-fly Path Reduction, sections 2.1 and 2.2): which states are stored.
enum class Reduce : uint8_t {
  None,      ///< all
  Static,    ///< those at breaking program locations, Machine::position().breaking
  OnTheFly,  ///< those that branch, end, change an atom, or close a loop of a path without such states
};

/// When a path of unstored states is taken for a loop (section 2.3).
enum class Loop : uint8_t {
  Location,  ///< the same program location twice
  State,     ///< the same state twice
  Hash,      ///< the same hash of a state twice; a collision only stores a state more
};

/// Dead variables: which bytes of a state count when two states are compared.
enum class Dead : uint8_t {
  None,     ///< all
  Static,   ///< those that are live according to Machine::cells
  Dynamic,  ///< those that some future read, as far as the search knows when it asks
};

enum class StoreKind : uint8_t { Exact, HashCompaction, BitState };

struct Options {
  Order order = Order::DepthFirst;
  Reduce reduce = Reduce::None;
  Loop loop = Loop::Hash;
  Dead dead = Dead::None;
  StoreKind store = StoreKind::Exact;
  unsigned bitstate_bits = 30;          ///< the bit field has 2^this bits
  bool deadlock_is_violation = true;    ///< else deadlocks are counted and passed over
  unsigned cores = 1;                   ///< threads that search; see parallel.h for what only one thread does
  uint64_t alone = 20'000;              ///< states up to which one thread searches alone: others would be no help
  cluster::Group* group = nullptr;      ///< processes that search together (distributed.h); none: this one alone
  std::string checkpoint;               ///< file that a search which is stopped leaves; empty: none
  std::string resume;                   ///< file with which it begins; empty: at the initial state
  uint64_t task = 0;                    ///< digest of machine and options: checkpoints of others are refused
  double checkpoint_every = 300;        ///< seconds
  std::string spill;                    ///< folder for what no longer fits into memory (spill.h); empty: none
  double spill_from = 0.6;              ///< of the memory in use, from which on it is used; 0: at once
  uint64_t max_states = ~uint64_t{0};   ///< stored states after which to give up
  uint64_t max_open_edges = 16u << 20;  ///< of components in search kept for exact dead sets; beyond: coarser sets
  /// States kept in full on the depth-first stack; those further down are decoded again.
  uint64_t stack_bytes = uint64_t{256} << 20;
};

enum class Outcome : uint8_t {
  Holds,          ///< every reachable state was visited, none was bad
  ProbablyHolds,  ///< as Holds, but a lossy store may have dropped states
  Violation,      ///< a step violated the machine's property
  BadState,       ///< a reachable state satisfies the predicate asked for
  Deadlock,       ///< a state in which nothing can move, and that counts
  Unknown,        ///< a limit or a cut path; `reason` says which
};
const char* to_string(Outcome outcome);

struct Figures {
  uint64_t states_stored = 0;   ///< visited set at the end
  uint64_t states_created = 0;  ///< by steps of the machine, all of them
  uint64_t revisits = 0;        ///< arrivals at a stored state, or one that a stored state covers
  uint64_t covered = 0;         ///< revisits that only dead variables explain
  uint64_t pruned = 0;          ///< choices that were no behaviour
  uint64_t cuts = 0;            ///< paths beyond which nothing is known
  uint64_t deadlocks = 0;
  uint64_t max_depth = 0;     ///< in stored states
  uint64_t store_bytes = 0;   ///< visited set, its indices and what states refer to included
  uint64_t search_bytes = 0;  ///< stack, parents, queue, dead sets: at their largest
  uint64_t peak_memory = 0;   ///< of the process
  double seconds = 0;
  double cpu_seconds = 0;     ///< of this process: the better measure where others use the machine, too
  double reduce_seconds = 0;  ///< spent on following unstored paths
  double dead_seconds = 0;    ///< spent on dead variables
  double bytes_per_state() const {
    return states_stored == 0 ? 0 : static_cast<double>(store_bytes) / static_cast<double>(states_stored);
  }
  /// Under the names of the JSON report: states_stored, states_created, revisits, bytes_per_state, ...
  void put(Statistics& statistics) const;
};

struct Result {
  Outcome outcome = Outcome::Unknown;
  /// For Violation, BadState and Deadlock: every choice from reset() on, the last of them made by the bad step or
  /// leading to the bad state. Has been replayed.
  std::vector<uint32_t> path;
  std::string reason;              ///< of Unknown
  std::string spilled;             ///< what went to files, and what that cost; empty: nothing did
  std::vector<std::string> notes;  ///< options that could not be had, lossy stores, deadlocks passed over
  Figures figures;
};

}  // namespace whittle::explore
