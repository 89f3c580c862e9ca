// Steps that no other thread can notice: scheduling points that need no choice.
//
// A thread that stands before an access to a static object which no other running thread can touch any more (by the
// static access sets of where the others stand) may as well go first: nothing the others do depends on it, and nothing
// they do can change it. Only this thread is offered then.
//
// A thread that holds a mutex may go on, too, if what it accesses is touched by others only after they have locked that
// mutex: until it moves, they do not come so far. The same goes for its unlocking of the mutex. So a critical section
// costs one scheduling point, the one before it.
//
// So that such a thread cannot keep the others waiting forever, every cycle of its control flow must have a scheduling
// point that is never private: the first visible operation after a loop head is none, nor is anything in recursive
// functions, nor in functions called before such an operation.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/bit_set.h"
#include "exec/machine.h"
#include "program/analysis/access.h"
#include "program/analysis/analyses.h"
#include "program/analysis/call_graph.h"
#include "program/program.h"

namespace whittle::engines::explicit_ {

class PrivateSteps {
 public:
  /// `known`: the memory at the address has the value that the machine has there, in a symbolic state too.
  using Known = std::function<bool(uint64_t address, uint64_t size)>;
  PrivateSteps(std::shared_ptr<program::analysis::Analyses> analyses, exec::Machine& machine, bool wanted,
               Known known = nullptr);

  /// An access that is private unless another thread may touch the place.
  struct Candidate {
    program::analysis::PlaceId place = 0;
    bool write = false;
  };
  /// The next step of a thread, if it could be private. Depends on the frames of that thread alone.
  std::optional<Candidate> candidate(uint32_t thread);
  /// Everything a thread may still touch; depends on where its frames stand. Valid as long as this object.
  /// Requires active().
  const program::analysis::Access& rest_of(uint32_t thread);
  /// A mutex among static objects.
  struct Mutex {
    uint64_t address = 0;
    program::analysis::PlaceId place = 0;
    machine::ByteRange bytes;  ///< of the word that says who holds it, in states
    std::unique_ptr<program::analysis::AccessSets> open;
  };
  std::span<const Mutex> mutexes() const { return mutexes_; }
  /// What a thread may touch while another one holds the mutex. Depends on where its frames stand. Valid as long as
  /// this object.
  const program::analysis::Access& open_of(uint32_t thread, uint32_t mutex);
  /// Could this get in the way of the step of the thread that holds the mutex?
  bool disturbs(const program::analysis::Access& open, const Mutex& mutex, Candidate step) const;

  /// Could what a thread may still touch get in the way of the step?
  bool disturbs(const program::analysis::Access& rest, Candidate step) const;

  /// A thread among these whose next step is private.
  std::optional<uint32_t> find(std::span<const uint32_t> threads);
  bool active() const { return active_; }
  bool concurrent() const { return analyses_->calls().concurrent(); }

  /// Writes to what these conditions read are noticed by the property.
  void keep_visible(std::span<const term::Term> atoms);

  /// Is the location the target of a jump (a loop head, or where paths meet)?
  bool jump_target(program::FunctionId function, program::LocationId location) const;

 private:
  void find_candidates();
  void find_mutexes();
  std::optional<Candidate> unlocking(uint32_t thread);
  const program::Statement* call_of(uint32_t thread, uint32_t frame) const;
  bool holds(uint32_t thread, const Mutex& mutex) const;
  void guard_loop(program::FunctionId function, program::LocationId head);
  void guard_function(program::FunctionId function);
  bool surely_visible(const program::Statement& statement) const;
  std::optional<program::ObjectId> static_object(uint64_t address, uint64_t size) const;

  const program::Program& program_;
  exec::Machine& machine_;
  bool active_ = false;
  std::shared_ptr<program::analysis::Analyses> analyses_;
  std::vector<std::vector<bool>> candidate_;    ///< by function and location
  std::vector<std::vector<bool>> jump_target_;  ///< likewise
  std::vector<bool> guarded_;                   ///< whole functions
  BitSet observed_;                             ///< objects that the property looks at
  std::map<std::vector<uint32_t>, program::analysis::Access> rests_;
  std::vector<Mutex> mutexes_;
  std::map<std::vector<uint32_t>, program::analysis::Access> opens_;
  std::vector<uint32_t> key_;
  Known known_;
};

}  // namespace whittle::engines::explicit_
