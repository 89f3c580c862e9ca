// Answers that outlive a process: what was asked before is not asked again.
//
//   Answers answers(limits);
//   answers.load(in);                                            // of an earlier process
//   auto solver = make_remembering(store, answers, std::move(inner));
//   ...
//   answers.save(out);
//
// An engine whose decisions follow from the answers of its solver comes again to where it was when it is given them: so
// they are its checkpoint. A question is known by a hash of 128 bits of its conditions, in which unknowns stand with
// their numbers. Numbers are only names: what is satisfiable does not depend on them, so an answer holds whatever they
// mean in another process. A model is evaluated before it is believed.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/checkpoint.h"
#include "base/limits.h"
#include "solve/solver.h"

namespace whittle::solve {

class Answers {
 public:
  /// `limits`: no answer that they cut short is remembered.
  explicit Answers(Limits& limits) : limits_(limits) {}

  struct Key {
    uint64_t first = 0, second = 0;
    bool operator==(const Key&) const = default;
  };
  struct Known {
    Answer answer = Answer::Unknown;
    std::string reason;           ///< of Unknown
    std::vector<uint32_t> which;  ///< leaves of the question that are not 0, or the conditions of a core
    std::vector<u128> values;     ///< of these leaves
  };

  const Known* find(const Key& key) const;
  /// Calls what between() was given.
  void add(const Key& key, Known known);
  /// Called after each new answer: a good time to save them.
  void between(std::function<void()> what) { between_ = std::move(what); }

  void save(CheckpointWriter& out) const;
  void load(CheckpointReader& in);
  size_t size() const { return known_.size(); }

 private:
  struct KeyHash {
    size_t operator()(const Key& key) const { return key.first; }
  };
  Limits& limits_;
  std::unordered_map<Key, Known, KeyHash> known_;
  std::function<void()> between_;
};

/// Asks `inner` what `answers` do not know. Both, and the store, must outlive it.
std::unique_ptr<Solver> make_remembering(const term::Store& store, Answers& answers, std::unique_ptr<Solver> inner);

}  // namespace whittle::solve
