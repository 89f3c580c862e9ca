// Unknown bits: copying them, learning one, and the canonical form that makes equal sets of states equal bytes.
#include <algorithm>
#include <bit>

#include "avr/core.h"

namespace whittle::avr {

namespace {

bool has_token(uint8_t t) { return t != 0 && t != kNeverWritten; }

}  // namespace

void Core::copy_unknown(uint16_t to, uint16_t from) {
  if (to == from) return;
  if (!has_token(t[from])) {
    if (precision != nullptr && tokens_ + 1 >= kMaxToken) {  // an abstract chip may forget a link
      v[to] = uint8_t(v[from] & ~x[from]);
      x[to] = x[from];
      t[to] = 0;
      has_x = true;
      x_changed = 1;
      return;
    }
    t[from] = uint8_t(++tokens_ << 3);
    ranges_[tokens_] = {};
  }
  v[to] = v[from];
  x[to] = x[from];
  t[to] = t[from];
  has_x = true;
  x_changed = 1;
}

void Core::set_unknown(uint16_t address, uint8_t mask) {
  keep(address);
  v[address] &= uint8_t(~mask);
  x[address] |= mask;
  t[address] = 0;
  has_x = true;
  x_changed = 1;
}

/// Z, N and S of a result with unknown bits wait in the flags cell. V is 0 or set by the caller.
void Core::lazy_flags(uint8_t d) {
  copy_unknown(flags_cell(), d);
  sreg[kZ] = (v[d] & ~x[d]) != 0 ? 0 : kLazy;
  sreg[kN] = (x[d] & 0x80) != 0 ? kLazy : v[d] >> 7;
  sreg[kS] = sreg[kN];
}

void Core::refresh_flags() {
  uint16_t f = flags_cell();
  if (sreg[kZ] == kLazy) {
    if ((v[f] & ~x[f]) != 0)
      sreg[kZ] = 0;
    else if (x[f] == 0)
      sreg[kZ] = 1;
  }
  if ((x[f] & 0x80) != 0) return;
  uint8_t n = v[f] >> 7;
  for (Flag flag : {kN, kS, kV})
    if (waits_for_result(sreg[flag])) sreg[flag] = uint8_t(n ^ (sreg[flag] - kLazy));
}

Range Core::range_of(uint16_t cell) const {
  if (has_ranges_ && x[cell] != 0 && has_token(t[cell]) && (t[cell] & 7) == 0) {
    const Range& range = ranges_[t[cell] >> 3];
    if (range.mask == x[cell] && range.base == v[cell]) return range;
  }
  auto known = uint8_t(v[cell] & ~x[cell]);
  return {x[cell], known, known, uint8_t(known | x[cell])};
}

void Core::set_range(uint16_t cell, uint8_t low, uint8_t high) {
  auto mask = uint8_t((1u << std::bit_width(unsigned(low ^ high))) - 1);
  v[cell] = low & uint8_t(~mask);
  x[cell] = mask;
  x_changed = 1;
  t[cell] = 0;
  if (mask == 0) return;
  has_x = true;
  t[cell] = uint8_t(++tokens_ << 3);
  ranges_[tokens_] = {mask, v[cell], low, high};
  has_ranges_ = true;
}

void Core::resolve(uint16_t cell, uint8_t bit, bool value) {
  auto mask = uint8_t(1u << bit);
  if ((x[cell] & mask) == 0) return;
  x_changed = 1;
  if (!has_token(t[cell])) {
    x[cell] &= uint8_t(~mask);
    v[cell] = uint8_t(value ? v[cell] | mask : v[cell] & ~mask);
    t[cell] = 0;
  } else {
    uint8_t token = t[cell] >> 3;
    ranges_[token] = {};
    auto variable = uint8_t((bit + t[cell]) & 7);
    bool truth = value != ((v[cell] & mask) != 0);  // of the variable itself
    auto learn = [&](uint16_t a) {
      if (x[a] == 0 || !has_token(t[a]) || t[a] >> 3 != token) return;
      auto here = uint8_t(1u << ((variable - t[a]) & 7));
      if ((x[a] & here) == 0) return;
      x[a] &= uint8_t(~here);
      if (truth) v[a] ^= here;
    };
    for (uint16_t a : unknowns) learn(a);
    learn(cell);  // in case it came into being on this very step
  }
  refresh_flags();
}

void Core::rebuild_unknowns() {
  x_changed = 0;
  uint16_t f = flags_cell();
  if (!waits_for_result(sreg[kZ]) && !waits_for_result(sreg[kN]) && !waits_for_result(sreg[kS]) &&
      !waits_for_result(sreg[kV]))
    x[f] = 0;
  unknowns.clear();
  auto visit = [&](uint16_t a) {
    if (x[a] != 0) unknowns.push_back(a);
  };
  for (uint16_t a = 0; a < 32; ++a) visit(a);
  for (size_t a = f; a < v.size(); ++a) visit(uint16_t(a));  // the flags cell, and TEMP registers
  for (uint16_t a : layout->io) visit(a);
  for (uint16_t a = ram_start_; a < layout->low_top; ++a) visit(a);
  for (uint32_t a = ram_end_; a >= live_low; --a) visit(uint16_t(a));
  tokens_ = 0;
  if (x[f] == 0) v[f] = 0;
  const bool had_ranges = has_ranges_;
  if (had_ranges) old_ranges_ = ranges_, ranges_.fill({}), has_ranges_ = false;
  if (unknowns.empty()) {
    has_x = false;
    unknown_bytes.clear();
    return;
  }
  // How many cells hold each variable of each token; a variable held once matters to no other.
  std::array<std::array<uint8_t, 8>, 32> holders{};
  auto each_bit = [&](uint16_t a, auto&& use) {
    for (uint8_t bit = 0; bit < 8; ++bit)
      if ((x[a] & (1u << bit)) != 0) use(uint8_t(1u << bit), uint8_t((bit + t[a]) & 7));
  };
  for (uint16_t a : unknowns) {
    if (!has_token(t[a])) continue;
    uint8_t token = t[a] >> 3;
    each_bit(a, [&](uint8_t, uint8_t variable) {
      holders[token][variable] = uint8_t(holders[token][variable] + (holders[token][variable] < 2));
    });
  }
  struct Name {
    uint8_t number = 0, rotation = 0, named = 0, flipped = 0;
  };
  std::array<Name, 32> names{};
  for (uint16_t a : unknowns) {
    if (!has_token(t[a])) {
      v[a] &= uint8_t(~x[a]);
      continue;
    }
    Name& name = names[t[a] >> 3];
    const auto& held = holders[t[a] >> 3];
    bool shared = false;
    each_bit(a, [&](uint8_t, uint8_t variable) { shared |= held[variable] > 1; });
    const Range& range = old_ranges_[t[a] >> 3];
    bool ranged = had_ranges && range.mask != 0 && (t[a] & 7) == 0 && range.mask == x[a] && range.base == v[a];
    shared |= ranged;
    if (!shared) {
      v[a] &= uint8_t(~x[a]);
      t[a] = 0;
      continue;
    }
    if (name.number == 0) name.number = ++tokens_, name.rotation = t[a] & 7;
    each_bit(a, [&](uint8_t mask, uint8_t variable) {
      auto slot = uint8_t(1u << variable);
      if ((name.named & slot) == 0) {
        name.named |= slot;
        if ((v[a] & mask) != 0) name.flipped |= slot;
      }
      if ((name.flipped & slot) != 0) v[a] ^= mask;
    });
    if (ranged && name.rotation == 0 && name.flipped == 0) ranges_[name.number] = range, has_ranges_ = true;
    t[a] = uint8_t((name.number << 3) | ((t[a] - name.rotation) & 7));
  }
  write_unknown_bytes();
}

// An entry is address (2), x, t. A run of cells never written, one after the other in the order of the state, is one
// entry: address of the first, 0, and the number of cells. Ranges of tokens follow: 0xffff, token, 0, and the range.
void Core::write_unknown_bytes() {
  unknown_bytes.clear();
  auto untouched = [&](uint16_t a) { return x[a] == 0xff && t[a] == kNeverWritten; };
  for (size_t i = 0; i < unknowns.size();) {
    uint16_t a = unknowns[i];
    size_t run = 1;
    if (untouched(a)) {
      int step = a >= live_low ? -1 : 1;
      while (i + run < unknowns.size() && run < 255 && unknowns[i + run] == a + step * int(run) &&
             untouched(unknowns[i + run]))
        ++run;
    }
    bool whole = untouched(a);
    unknown_bytes.insert(unknown_bytes.end(),
                         {uint8_t(a), uint8_t(a >> 8), uint8_t(whole ? 0 : x[a]), uint8_t(whole ? run : t[a])});
    i += run;
  }
  for (uint8_t token = 1; has_ranges_ && token <= tokens_; ++token)
    if (const Range& r = ranges_[token]; r.mask != 0)
      unknown_bytes.insert(unknown_bytes.end(), {0xff, 0xff, token, 0, r.mask, r.base, r.low, r.high});
}

void Core::load_unknowns(std::span<const uint8_t> bytes) {
  unknowns.clear();
  unknown_bytes.assign(bytes.begin(), bytes.end());
  tokens_ = 0;
  x_changed = 0;
  if (has_ranges_) ranges_.fill({}), has_ranges_ = false;
  for (size_t i = 0; i + 3 < bytes.size(); i += 4) {
    auto a = uint16_t(bytes[i] | (bytes[i + 1] << 8));
    if (a == 0xffff) {
      ranges_[bytes[i + 2]] = {bytes[i + 4], bytes[i + 5], bytes[i + 6], bytes[i + 7]};
      has_ranges_ = true;
      i += 4;
      continue;
    }
    if (bytes[i + 2] == 0) {
      int step = a >= live_low ? -1 : 1;
      for (int n = 0; n < bytes[i + 3]; ++n) {
        auto cell = uint16_t(a + step * n);
        x[cell] = 0xff, t[cell] = kNeverWritten;
        unknowns.push_back(cell);
      }
      continue;
    }
    x[a] = bytes[i + 2], t[a] = bytes[i + 3];
    unknowns.push_back(a);
    if (has_token(t[a])) tokens_ = std::max(tokens_, uint8_t(t[a] >> 3));
  }
  has_x = !unknowns.empty();
}

}  // namespace whittle::avr
