// Which bytes surely have a value when a Copy reads them. Bytes of stack and heap objects have none until they are
// written; copying such a byte copies that it has none, so what is read from both ends later need not be equal.
//
//   Initialised initialised(program, points);
//   if (initialised.copied(f, edge, i)) ...     // byte i that this Copy reads surely has a value
//
// Bytes of static objects always have values. Of stack objects that a function makes once per call and keeps in a
// register of its own, bytes are followed along the function until a pointer to the object gets away; heap objects and
// all others never count as initialised.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "program/analysis/points_to.h"

namespace whittle::program::analysis {

/// A stack object of fixed size that a function makes once per call and keeps in a register of its own.
struct FrameObject {
  RegisterId reg = 0;
  uint32_t edge = 0;
  uint64_t size = 0;
  uint8_t align = 1;
};

class Initialised {
 public:
  /// Keeps references to both.
  Initialised(const Program& program, const PointsTo& points);

  const std::vector<FrameObject>& frame_objects(FunctionId f) const { return objects_[f]; }
  /// Does byte `offset` of what the Copy on this edge reads surely have a value?
  bool copied(FunctionId f, uint32_t edge, uint64_t offset) const;
  /// All of them, if the size is a constant.
  bool all_copied(FunctionId f, uint32_t edge) const;

 private:
  using Bytes = std::vector<bool>;
  using State = std::map<RegisterId, Bytes>;  ///< by frame object

  void find_frame_objects(FunctionId f);
  void follow(FunctionId f);
  void transfer(FunctionId f, uint32_t edge, State& state) const;
  /// The frame object and offset of a constant distance.
  std::optional<std::pair<const FrameObject*, uint64_t>> place(FunctionId f, term::Term address) const;
  bool whole_before_escape(FunctionId f, const FrameObject& object) const;
  bool copied(FunctionId f, uint32_t edge, uint64_t offset, const State& state) const;

  const Program& program_;
  const PointsTo& points_;
  BitSet holes_;                                   ///< places that a Copy of bytes without a value may write
  BitSet partly_;                                  ///< the same, by Copies whose target is followed byte by byte
  BitSet good_;                                    ///< places whose bytes all have values whoever reads them
  std::vector<std::vector<FrameObject>> objects_;  ///< by function
  std::vector<std::vector<State>> states_;         ///< by function and location
  std::vector<std::vector<bool>> reached_;
};

}  // namespace whittle::program::analysis
