// What the checker sees of a program without following paths: which functions are harmless, what calls can write, where
// a function's stack objects are, and which loads surely find a value.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "program/analysis/access.h"
#include "program/analysis/call_graph.h"
#include "program/analysis/points_to.h"
#include "verdict/property.h"

namespace whittle::proof {

/// A stack object of fixed size that a function makes once per call and keeps in a register of its own.
struct FrameObject {
  program::RegisterId reg = 0;
  uint32_t edge = 0;
  uint64_t size = 0;
  uint8_t align = 1;
};

class Facts {
 public:
  Facts(const program::Program& program, const verdict::Specification& specification);

  const program::analysis::CallGraph& calls() const { return calls_; }
  const program::analysis::PointsTo& points() const { return points_; }
  /// Static objects that nothing ever writes.
  const BitSet& unwritten() const { return unwritten_; }
  /// Can neither it nor a callee violate anything, or do what the checker does not follow?
  bool harmless(program::FunctionId f) const { return harmless_.test(f); }
  /// Static objects that the function and its callees leave alone.
  std::shared_ptr<const BitSet> kept_by(program::FunctionId f) const;
  /// Objects that are there whenever the function stands at this location.
  std::vector<FrameObject> frame_objects(program::FunctionId f, program::LocationId l) const;
  const FrameObject* frame_object(program::FunctionId f, uint32_t edge) const;
  /// Does the Load of this edge surely find bytes that were written?
  bool initialised(program::FunctionId f, uint32_t edge) const;
  /// Failing is a violation that the specification asks about.
  bool asked(const program::Statement& statement) const;

 private:
  using Bytes = std::vector<bool>;
  using Initialised = std::map<program::RegisterId, Bytes>;  ///< by frame object

  bool can_fail(const program::Statement& statement) const;
  void find_harmless();
  void find_frame_objects(program::FunctionId f);
  void find_initialised(program::FunctionId f);
  void transfer(program::FunctionId f, uint32_t edge, Initialised& state) const;
  /// The frame object and offset of a constant distance.
  std::optional<std::pair<const FrameObject*, uint64_t>> place(program::FunctionId f, term::Term address) const;
  bool fully_initialised_before_escape(program::FunctionId f, const FrameObject& object) const;

  const program::Program& program_;
  const verdict::Specification& specification_;
  program::analysis::CallGraph calls_;
  program::analysis::PointsTo points_;
  program::analysis::AccessSets accesses_;
  BitSet unwritten_, harmless_;
  BitSet copied_;                                      ///< places that a Copy may write
  BitSet good_;                                        ///< places whose bytes all have values whoever reads them
  std::vector<std::vector<FrameObject>> objects_;      ///< by function
  std::vector<std::vector<Initialised>> initialised_;  ///< by function and location
  std::vector<std::vector<bool>> reached_;
};

}  // namespace whittle::proof
