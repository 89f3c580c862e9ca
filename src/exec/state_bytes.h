// What the bytes of a saved state are, and which of them the last step touched: for reductions (machine/machine.h) and
// for repeating steps (recording.h). All ranges are in bytes of Machine::save().
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "exec/recording.h"
#include "machine/machine.h"

namespace whittle::exec {

class MachineImpl;

class StateBytes {
 public:
  explicit StateBytes(MachineImpl& impl) : impl_(&impl) {}

  // As in machine::Machine
  void trace_footprints(bool on);
  const machine::Footprint& footprint();  ///< of the last call of schedule / provide / resume
  void cells(std::vector<machine::ByteRange>& mortal, std::vector<machine::ByteRange>& dead);
  uint32_t cells_number();

  /// A part of a static object; nothing if it is not part of states (constant, never written).
  std::optional<machine::ByteRange> of_object(uint64_t address, uint64_t size) const;
  uint32_t fixed_end() const;  ///< up to here, states have static objects in full, at places that never change

  void set_recording(Recording* recording);  ///< of each schedule(); null: none
  void split(std::span<const uint8_t> state, StateParts& parts) const;

 private:
  MachineImpl* impl_;
};

}  // namespace whittle::exec
