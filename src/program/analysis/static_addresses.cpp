#include "program/analysis/static_addresses.h"

#include <algorithm>

namespace whittle::program::analysis {

StaticAddresses::StaticAddresses(const Program& program, const Places& places) : program_(program), places_(places) {
  for (ObjectId o = 0; o < program.objects.size(); ++o)
    if (!program.objects[o].thread_local_) by_address_.push_back(o);
  for (size_t i = 1; i < by_address_.size(); ++i) {
    const Object &a = program.objects[by_address_[i - 1]], &b = program.objects[by_address_[i]];
    narrow_ |= b.address - (a.address + a.size) < layout::kStaticSpread;
  }
  if (!by_address_.empty())
    narrow_ |= program.objects[by_address_.front()].address - layout::kStaticBase < layout::kStaticSpread;
}

void StaticAddresses::owners(uint64_t address, bool whole, std::vector<PlaceId>& found) const {
  if (auto function = program_.function_at(address); function && whole) found.push_back(places_.of_function(*function));
  if (by_address_.empty()) return;
  // Small numbers are no addresses, although a little below the first object they might be meant as such.
  const Object &first = program_.objects[by_address_.front()], &last = program_.objects[by_address_.back()];
  uint64_t lowest =
      whole ? first.address - layout::kStaticGap : layout::kStaticBase - (narrow_ ? layout::kStaticSpread : 0);
  uint64_t highest = last.address + last.size + (whole ? layout::kStaticGap : layout::kStaticSpreadMost);
  if (address < lowest || address > highest) return;
  if (!whole && narrow_) {
    for (ObjectId o : by_address_) found.push_back(places_.of_object(o));
    return;
  }
  // The object it lies in, or else the ones before and after the gap: one past the end, one before the begin.
  auto next = std::partition_point(by_address_.begin(), by_address_.end(),
                                   [&](ObjectId o) { return program_.objects[o].address <= address; });
  bool inside = false;
  if (next != by_address_.begin()) {
    const Object& before = program_.objects[next[-1]];
    found.push_back(places_.of_object(next[-1]));
    inside = address - before.address < before.size;
  }
  if (!inside && next != by_address_.end()) found.push_back(places_.of_object(*next));
}

void StaticAddresses::collect(term::Term constant, bool whole, std::vector<PlaceId>& found) const {
  unsigned pointer = program_.pointer_width();
  if (constant.width() <= pointer) return owners(constant.value64(), whole, found);
  // Several values side by side; pointers among them are at whole bytes.
  for (unsigned low = 0; low + pointer <= constant.width(); low += 8)
    owners(static_cast<uint64_t>(constant.value() >> low & mask128(pointer)), whole, found);
}

void StaticAddresses::collect(std::span<const uint8_t> bytes, std::vector<PlaceId>& found) const {
  unsigned size = program_.pointer_width() / 8;
  for (size_t i = 0; i + size <= bytes.size(); ++i) {
    uint64_t value = 0;
    for (unsigned b = 0; b < size; ++b) value |= uint64_t{bytes[i + b]} << (8 * b);
    if (value >= layout::kFunctionBase && value < layout::kDynamicBase) owners(value, true, found);
  }
}

}  // namespace whittle::program::analysis
