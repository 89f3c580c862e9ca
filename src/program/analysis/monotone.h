// Data that only decides in one direction: sums, maxima of counts, whatever is added up and compared with bounds.
//
//   Monotone data(program, calls, points, values);
//   if (!data.cells().empty()) ...
//   Way way = data.way(f, condition);        // Down: true of larger values only if it is true of smaller ones
//   data.drop(data.sources(f, condition));   // the condition was needed in the other direction
//
// A state covers another one if they agree but in such data, of which it has at least as much. It can then do all that
// the other one can, as long as it only takes branches that lead the other one the same way, and as long as no value
// is negative or large (`is_small`): sums of at most kMostLeaves small values do not wrap, and comparisons are followed
// only if they are about such sums. Both are for the search to see to (`way` of its conditions, `demands`); what can be
// said without running is said here.
//
// Way of a term: larger data make the value of the term larger or leave it (Up), or smaller (Down). Values are unsigned.
// Memory goes Up, so do sums; what goes Down is the outcome of a comparison.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "program/analysis/few_values.h"

namespace whittle::program::analysis {

class Monotone {
 public:
  enum class Way : uint8_t {
    Still,  ///< does not depend on the data
    Up,
    Down,
    Mixed,  ///< neither: cannot be followed
  };
  struct Cell {
    ObjectId object = kNone;
    uint64_t address = 0;
    unsigned bytes = 0;
  };
  static constexpr unsigned kMostLeaves = 16;

  /// Keeps references to all of them.
  Monotone(const Program& program, const CallGraph& calls, const PointsTo& points, const FewValues& values);

  const std::vector<Cell>& cells() const { return cells_; }
  Way way(FunctionId f, RegisterId reg) const { return flows_[f][reg].way; }
  Way way(FunctionId f, term::Term term) const;
  /// Registers of the function that are not Still.
  const std::vector<RegisterId>& registers(FunctionId f) const { return registers_[f]; }
  /// Where a statement puts a value among the data: this must be small when it is executed.
  struct Demand {
    term::Term value;
    std::set<uint64_t> cells;      ///< that are to be dropped otherwise
    const Cell* sum_in = nullptr;  ///< and so must its sum with what the cell has
  };
  std::vector<Demand> demands(FunctionId f, const Statement& s) const;

  /// Addresses of the cells that the term depends on.
  std::set<uint64_t> sources(FunctionId f, term::Term term) const;
  /// These are compared exactly from here on.
  void drop(const std::set<uint64_t>& cells);

  /// No address of a dynamic object is small, either.
  static bool is_small(u128 value, unsigned width);

 private:
  struct Flow {
    Way way = Way::Still;
    std::set<uint64_t> from;  ///< addresses of cells
  };
  /// Calls f(function, edge) for what can be executed.
  template <typename F>
  void each_edge(const F& f) const;
  void find_cells();
  void exclude(const BitSet& places);
  void solve();
  bool pass();
  bool pass(FunctionId f, const Edge& edge);
  bool load(FunctionId f, const Statement& s);
  bool store(FunctionId f, const Statement& s);
  bool add(FunctionId f, const Statement& s);
  bool call(FunctionId f, const Statement& s);
  bool mix(Flow& target, Way way, const std::set<uint64_t>& from);
  bool flow_into(Flow& target, FunctionId f, term::Term value);
  bool refuse(FunctionId f, term::Term term);
  bool sums_are_small(FunctionId f, term::Term term, bool summand) const;
  void remove(const std::set<uint64_t>& cells);
  const Cell* cell_of(const Statement& access, term::Term address) const;
  std::vector<FunctionId> callees(const Statement& s) const;

  const Program& program_;
  const CallGraph& calls_;
  const PointsTo& points_;
  const FewValues& values_;
  std::vector<Cell> cells_;
  std::set<uint64_t> addresses_;             ///< of cells
  std::vector<std::vector<Flow>> flows_;     ///< by function and register
  std::vector<Flow> results_;                ///< of functions
  std::vector<std::vector<RegisterId>> registers_;
  std::set<uint64_t> stored_;                ///< cells to which data is stored
};

}  // namespace whittle::program::analysis
