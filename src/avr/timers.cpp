// Timers that count clock cycles, for --timers exact: normal and CTC mode, clocked from the prescaler.
//
// The state holds the counters and the prescaler's phase, never absolute time.
#include <algorithm>

#include "avr/core.h"

namespace whittle::avr {

namespace {

struct Setting {
  unsigned divider = 0;  ///< 0: stopped
  uint32_t top = 0;
  bool modelled = true;
};

unsigned divider_of(const Timer& timer, unsigned select) {
  constexpr unsigned kUsual[] = {0, 1, 8, 64, 256, 1024, 0, 0};
  constexpr unsigned kFine[] = {0, 1, 8, 32, 64, 128, 256, 1024};
  if ((timer.select_mask & 8) != 0) return select == 0 ? 0 : 1u << (select - 1);
  return timer.number == 2 ? kFine[select & 7] : kUsual[select & 7];
}

uint32_t word(const std::vector<uint8_t>& v, uint16_t low, uint16_t high) {
  return high == 0 ? v[low] : uint32_t(v[low] | (v[high] << 8));
}

Setting setting(const Core& c, const Timer& timer) {
  Setting out;
  unsigned select = c.v[timer.select_register] & timer.select_mask;
  out.divider = divider_of(timer, select);
  if (select == 0) return out;
  unsigned mode = 0;
  for (size_t i = 0; i < timer.mode.size(); ++i)
    if (timer.mode[i].address != 0 && (c.v[timer.mode[i].address] & timer.mode[i].mask) != 0) mode |= 1u << i;
  bool wide = timer.counter_high != 0;
  out.top = wide ? 0xffff : 0xff;
  bool ctc = mode == (wide ? 4u : 2u);
  bool special = (timer.select_mask & 8) != 0;  // the fast timers have modes of their own
  BitAt own_crystal = timer.number == 2 ? c.device().asynchronous() : BitAt{};
  special |= own_crystal.address != 0 && (c.v[own_crystal.address] & own_crystal.mask) != 0;
  out.modelled = out.divider != 0 && out.divider <= 1024 && !special && (mode == 0 || ctc);
  if (ctc && !timer.compares.empty()) out.top = word(c.v, timer.compares[0].low, timer.compares[0].high);
  return out;
}

}  // namespace

bool Core::fail_timer(const Timer& timer) {
  fault = {FaultKind::NotModelled, pc, timer.select_register, "this mode of the timer"};
  return false;
}

bool Core::tick(unsigned cycles) {
  for (const Timer& timer : device_->timers()) {
    if ((v[timer.select_register] & timer.select_mask) == 0) continue;
    Setting s = setting(*this, timer);
    if (!s.modelled) return fail_timer(timer);
    unsigned steps = (prescaler + cycles) / s.divider - prescaler / s.divider;
    uint32_t count = word(v, timer.counter_low, timer.counter_high);
    uint32_t max = timer.counter_high != 0 ? 0xffff : 0xff;
    uint8_t flags = 0;
    for (; steps > 0; --steps) {
      if (count == max) flags |= timer.overflow_mask;
      count = count == s.top || count == max ? 0 : count + 1;
      for (const Compare& compare : timer.compares)
        if (count == word(v, compare.low, compare.high)) flags |= compare.flag_mask;
    }
    set_known(timer.counter_low, uint8_t(count));
    if (timer.counter_high != 0) set_known(timer.counter_high, uint8_t(count >> 8));
    if (flags != 0) {
      keep(timer.flag_register);
      v[timer.flag_register] |= flags;
    }
  }
  prescaler = uint16_t((prescaler + cycles) & 1023);
  return true;
}

unsigned Core::cycles_to_event() const {
  if (deep) return 0;
  unsigned best = 0;
  for (const Timer& timer : device_->timers()) {
    if ((v[timer.select_register] & timer.select_mask) == 0) continue;
    Setting s = setting(*this, timer);
    if (!s.modelled) return 1;  // tick() will say so
    uint32_t count = word(v, timer.counter_low, timer.counter_high);
    uint32_t max = timer.counter_high != 0 ? 0xffff : 0xff;
    uint32_t wrap = count <= s.top ? s.top : max;
    uint32_t steps = wrap - count + 1;  // until the counter is 0 again
    for (const Compare& compare : timer.compares) {
      uint32_t at = word(v, compare.low, compare.high);
      if (at > count && at <= wrap) steps = std::min(steps, at - count);
    }
    unsigned cycles = steps * s.divider - prescaler % s.divider;
    if (best == 0 || cycles < best) best = cycles;
  }
  return best;
}

}  // namespace whittle::avr
