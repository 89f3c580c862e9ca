#include "engines/dpr/side.h"

#include <algorithm>
#include <set>

namespace whittle::engines::dpr {

using term::Term;

Term Side::reg(const Register& cell) const {
  if (Term t = cells.reg(cell)) return t;
  if (below_ != nullptr) return below_->reg(cell);
  if (cell.frame >= run_.machine().frame_count(cell.thread)) return {};  // a frame that only a side has: never assigned
  return run_.register_term(cell.thread, cell.frame, cell.reg);
}

Term Side::load(Bytes bytes) const {
  auto from_below = [&](Bytes b) { return below_ != nullptr ? below_->load(b) : run_.memory_term(b.address, b.size); };
  if (!cells.touches(bytes.address, bytes.size)) return from_below(bytes);
  return cells.load(bytes.address, bytes.size, [&](uint64_t at) { return from_below({at, 1}); });
}

Term Side::evaluate(Term t, uint32_t frame, const Read& read) const {
  if (t.is_constant()) return t;
  bool missing = false;
  auto known = [&](Term value) {
    missing |= !value;
    return value;
  };
  auto variable = [&](Term v) { return known(reg({0, frame, run_.program().register_of(v).reg})); };
  term::Store& terms = run_.program().terms();
  Term result = t.has_reads() ? terms.substitute(t, variable, [&](Term r) { return known(read(r)); })
                              : terms.substitute(t, variable);
  return missing ? Term() : result;
}

namespace {

constexpr uint64_t kWidest = 16;  ///< bytes of a term

/// All bytes that one of the sides holds; pieces that overlap are one. Nothing if that is too wide for a term.
std::optional<std::vector<Bytes>> pieces(const std::vector<const Side*>& written) {
  std::vector<Bytes> all, disjoint;
  for (const Side* side : written)
    for (const auto& [address, value] : side->cells.memory()) all.push_back({address, value.width() / 8});
  std::sort(all.begin(), all.end(), [](Bytes a, Bytes b) { return a.address < b.address; });
  for (Bytes piece : all) {
    if (disjoint.empty() || disjoint.back().address + disjoint.back().size <= piece.address) {
      disjoint.push_back(piece);
      continue;
    }
    Bytes& last = disjoint.back();
    uint64_t size = std::max<uint64_t>(last.size, piece.address + piece.size - last.address);
    if (size > kWidest) return std::nullopt;
    last.size = static_cast<unsigned>(size);
  }
  return disjoint;
}

template <typename Value>
Term choose(term::Store& terms, const std::vector<Way>& ways, const Value& value) {
  Term merged;
  for (size_t i = ways.size(); i-- > 0;) {
    Term there = value(*ways[i].state);
    if (!there) return {};
    merged = merged ? terms.ite(ways[i].condition, there, merged) : there;
  }
  return merged;
}

}  // namespace

std::optional<Merged> merge(term::Store& terms, const std::vector<Way>& ways, const std::vector<const Side*>& written,
                            uint32_t frame) {
  auto memory = pieces(written);
  if (!memory) return std::nullopt;
  Merged merged;
  for (Bytes bytes : *memory) {
    Term value = choose(terms, ways, [&](const Side& side) { return side.load(bytes); });
    if (!value) return std::nullopt;
    merged.memory.emplace_back(bytes, value);
  }
  std::set<Side::Register> registers;
  for (const Side* side : written)
    for (const auto& [cell, value] : side->cells.registers())
      if (cell.frame == frame) registers.insert(cell);
  for (const Side::Register& cell : registers)  // one that a way never assigned is not read after the place
    if (Term value = choose(terms, ways, [&](const Side& side) { return side.reg(cell); }))
      merged.registers.emplace_back(cell, value);
  return merged;
}

}  // namespace whittle::engines::dpr
