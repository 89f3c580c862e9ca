#include "exec/state_bytes.h"

#include "exec/machine_impl.h"

namespace whittle::exec {

void StateBytes::trace_footprints(bool on) {
  impl_->footprints = on;
  impl_->old_frames.assign(impl_->threads.size(), 0);
}
const machine::Footprint& StateBytes::footprint() { return impl_->footprint(); }
void StateBytes::cells(std::vector<machine::ByteRange>& mortal, std::vector<machine::ByteRange>& dead) {
  impl_->cells(mortal, dead);
}

uint32_t StateBytes::cells_number() { return impl_->shape(); }

void StateBytes::set_recording(Recording* recording) { impl_->recording = recording; }
void StateBytes::split(std::span<const uint8_t> state, StateParts& parts) const { impl_->split(state, parts); }
uint32_t StateBytes::fixed_end() const { return 2 + impl_->code.fixed_bytes; }

std::optional<machine::ByteRange> StateBytes::of_object(uint64_t address, uint64_t size) const {
  const StaticObject* object = impl_->code.static_at(address);
  if (!object || object->frozen) return std::nullopt;
  constexpr uint32_t kHeader = 2;  // mode and active thread: state.cpp
  return machine::ByteRange{kHeader + object->host + static_cast<uint32_t>(address - object->address),
                            static_cast<uint32_t>(size)};
}

}  // namespace whittle::exec
