// A chip as bytes, in the form that avr_machine.h describes.
#include <cstring>

#include "avr/avr_machine.h"

namespace whittle::avr {

namespace {
constexpr unsigned kHeader = 11, kPassing = 6, kExact = 2;
}

/// Where the status flags begin, which the registers follow.
uint32_t AvrMachine::flags_offset() const {
  size_t exact = options_.timers_exact ? kExact : 0;
  size_t passing = this->passing() ? kPassing + device_->temp_count() : 0;
  return uint32_t(kHeader + passing + exact + budget_.size() + shown_.size());
}

/// Is there anything to be remembered of timed sequences, the synchroniser and TEMP registers?
bool AvrMachine::passing() const {
  uint8_t temps = 0;
  for (unsigned i = 0; i < device_->temp_count(); ++i) temps |= core_.v[core_.flags_cell() + 1u + i];
  return core_.window_open || core_.settling_mask != 0 || core_.left_set != 0 || temps != 0;
}

std::span<const uint8_t> AvrMachine::save() {
  const Core& c = core_;
  const Layout& layout = *c.layout;
  uint16_t ram_start = device_->ram_start(), ram_end = device_->ram_end();
  size_t stack = size_t(ram_end) + 1 - c.live_low;
  size_t low = size_t(layout.low_top) - ram_start;
  size_t exact = options_.timers_exact ? kExact : 0;
  bool passing = this->passing();
  size_t size =
      flags_offset() + 40 + layout.io.size() + low + stack + (c.has_x ? c.unknown_bytes.size() : 0);
  buffer_.resize(size);
  uint8_t* p = buffer_.data();
  auto put16 = [&](uint16_t value) { *p++ = uint8_t(value), *p++ = uint8_t(value >> 8); };
  put16(uint16_t(c.pc));
  *p++ = uint8_t(c.pc >> 16);
  put16(layout.id);
  put16(c.sp);
  put16(c.live_low);
  *p++ = uint8_t((c.inhibit ? 1 : 0) | (c.sleeping ? 2 : 0) | (c.unsettled ? 4 : 0) | (starting_ ? 8 : 0) |
                 (c.deep ? 16 : 0) | (c.sp_halves << 5) | (passing ? 128 : 0));
  *p++ = c.v[c.flags_cell()];
  if (passing) {
    *p++ = uint8_t(c.window[0] | (c.window[1] << 4));
    *p++ = uint8_t(c.window[2] | (c.window[3] << 4));
    *p++ = uint8_t(c.settling);  // an address that IN can reach
    *p++ = c.settling_mask;
    put16(c.left_set);
    for (unsigned i = 0; i < device_->temp_count(); ++i) *p++ = c.v[c.flags_cell() + 1 + i];
  }
  if (exact != 0) put16(c.prescaler);
  for (uint8_t left : budget_) *p++ = left;
  for (auto [address, mask] : shown_) *p++ = c.visible_value[address] & mask;
  std::memcpy(p, c.sreg.data(), 8), p += 8;
  std::memcpy(p, c.v.data(), 32), p += 32;
  for (uint16_t a : layout.io) *p++ = c.v[a];
  std::memcpy(p, c.v.data() + ram_start, low), p += low;
  for (uint32_t a = ram_end; a >= c.live_low; --a) *p++ = c.v[a];
  if (c.has_x) std::memcpy(p, c.unknown_bytes.data(), c.unknown_bytes.size());
  return buffer_;
}

void AvrMachine::load(std::span<const uint8_t> state) {
  Core& c = core_;
  uint16_t ram_start = device_->ram_start(), ram_end = device_->ram_end();
  const uint8_t* p = state.data();
  auto get16 = [&] {
    auto value = uint16_t(p[0] | (p[1] << 8));
    p += 2;
    return value;
  };
  c.pc = get16();
  c.pc |= uint32_t(*p++) << 16;
  const Layout& layout = shared_->layouts.at(get16());
  if (&layout != c.layout) {  // registers that the new layout does not keep have their value after reset
    for (uint16_t a : c.layout->io)
      if (layout.io_index[a] == 0) c.v[a] = device_->at(a).at_reset, c.x[a] = device_->at(a).unknown_at_reset, c.t[a] = 0;
    c.layout = &layout;
  }
  c.sp = get16();
  c.live_low = get16();
  c.inhibit = (*p & 1) != 0, c.sleeping = (*p & 2) != 0, c.unsettled = (*p & 4) != 0, c.deep = (*p & 16) != 0;
  starting_ = (*p & 8) != 0;
  c.sp_halves = *p >> 5 & 3;
  bool passing = (*p & 128) != 0;
  ++p;
  c.v[c.flags_cell()] = *p++;
  if (passing) {
    c.window_open = (p[0] | p[1]) != 0;
    c.window = {uint8_t(p[0] & 15), uint8_t(p[0] >> 4), uint8_t(p[1] & 15), uint8_t(p[1] >> 4)};
    c.settling = p[2], c.settling_mask = p[3];
    c.left_set = uint16_t(p[4] | (p[5] << 8));
    p += kPassing;
    for (unsigned i = 0; i < device_->temp_count(); ++i) c.v[c.flags_cell() + 1 + i] = *p++;
  } else {
    c.window_open = false;
    c.window.fill(0);
    c.settling = c.settling_mask = 0;
    c.left_set = 0;
    for (unsigned i = 0; i < device_->temp_count(); ++i) c.v[c.flags_cell() + 1 + i] = 0;
  }
  for (size_t a = c.flags_cell(); a < c.x.size(); ++a) c.x[a] = 0;
  if (options_.timers_exact) c.prescaler = get16();
  for (uint8_t& left : budget_) left = *p++;
  for (auto [address, mask] : shown_) c.visible_value[address] = *p++;
  std::memcpy(c.sreg.data(), p, 8), p += 8;
  std::memcpy(c.v.data(), p, 32), p += 32;
  for (uint16_t a : layout.io) c.v[a] = *p++;
  size_t low = size_t(layout.low_top) - ram_start;
  std::memcpy(c.v.data() + ram_start, p, low), p += low;
  for (uint32_t a = ram_end; a >= c.live_low; --a) c.v[a] = *p++;
  const uint8_t* end = state.data() + state.size();
  // Cells that come alive later are set when they do; those alive now are known unless listed.
  std::memset(c.x.data(), 0, 32);
  for (uint16_t a : layout.io) c.x[a] = 0;
  std::memset(c.x.data() + ram_start, 0, low);
  std::memset(c.x.data() + c.live_low, 0, size_t(ram_end) + 1 - c.live_low);
  c.load_unknowns({p, end});
  c.fault = {};
  plan_.valid = false;
  observed_valid_ = false;
}

}  // namespace whittle::avr
