// The statements that a set of statements depends on, closed by worklist: the core of Slice.
//
//   SafeAccesses safe(program, calls, points);
//   SliceClosure closure(program, calls, points, safe, edges);
//   closure.add(f, e);            // as many as wanted
//   closure.run();                // now `edges` has all that they depend on
#pragma once

#include <memory>
#include <vector>

#include "program/analysis/access.h"
#include "program/analysis/control_dependence.h"
#include "program/analysis/few_values.h"
#include "program/analysis/points_to.h"

namespace whittle::program::analysis {

/// Accesses that always go to memory that is there: to one of few known addresses, or inside of the tables of threads.
class SafeAccesses {
 public:
  SafeAccesses(const Program& program, const CallGraph& calls, const PointsTo& points)
      : program_(program), points_(points), values_(program, calls, points) {}

  bool never_reached(FunctionId f, LocationId l) const { return !values_.reachable(f, l); }
  bool holds(FunctionId f, const Statement& s) const;

 private:
  bool in_table(FunctionId f, const Statement& s) const;

  const Program& program_;
  const PointsTo& points_;
  FewValues values_;
};

/// Statements that touch memory themselves, or end an object.
bool is_access(const Statement& s);

class SliceClosure {
 public:
  /// What is found is added to `edges`, a set for each function. All arguments are kept.
  SliceClosure(const Program& program, const CallGraph& calls, const PointsTo& points, const SafeAccesses& safe,
               std::vector<BitSet>& edges);

  /// All that decides whether and with which operands the statement is executed.
  void add(FunctionId f, uint32_t e) {
    if (edges_[f].set(e)) open_.push_back({f, e});
  }
  /// All that decides whether the access goes to an object that is alive and large enough: not what is in there, and
  /// not what is written.
  void add_validity(FunctionId f, uint32_t e);
  void run();

  bool has_access(FunctionId f, uint32_t e) const { return access_of_[f][e] != kNone; }
  /// Does the value of the term depend on memory, or on what callers and callees do? Within the function, whatever the
  /// order.
  bool depends_on_memory(FunctionId f, term::Term term) const;

 private:
  struct EdgeRef {
    FunctionId function;
    uint32_t edge;
  };

  const Access& access(FunctionId f, uint32_t e) const { return accesses_[access_of_[f][e]]; }
  void index(FunctionId f);
  const ControlDependence& control(FunctionId f);
  void reach(FunctionId f, uint32_t e);  ///< what decides whether the statement is executed
  void branch(FunctionId f, LocationId l);
  void enter(FunctionId f);  ///< the function runs if someone calls it or starts it
  void operands(FunctionId f, uint32_t e);
  void read(FunctionId f, term::Term term);
  void value(FunctionId f, RegisterId r);  ///< the value of the register matters
  void result(FunctionId f);
  void contain(const BitSet& places);  ///< what is stored in the places matters
  void live(const BitSet& places);     ///< when objects of the places end matters
  BitSet heap() const;

  const Program& program_;
  const CallGraph& calls_;
  const PointsTo& points_;
  const SafeAccesses& safe_;
  std::vector<BitSet>& edges_;
  BitSet contents_, lives_;
  BitSet results_, entered_;  ///< functions
  std::vector<BitSet> registers_;
  std::vector<std::vector<std::vector<uint32_t>>> definitions_;  ///< by function and register
  std::vector<std::unique_ptr<ControlDependence>> control_;
  std::vector<std::vector<EdgeRef>> callers_;
  std::vector<std::vector<uint32_t>> access_of_;
  std::vector<Access> accesses_;
  std::vector<EdgeRef> writers_, open_;
};

}  // namespace whittle::program::analysis
