#include "exec/links.h"

#include <algorithm>
#include <cassert>

namespace whittle::exec {

void Links::clear() {
  bytes_.clear();
  values_.clear();
  next_ = 0;
}

Links::Unknown Links::unknown(uint32_t address) {
  if (auto it = bytes_.find(address); it != bytes_.end()) return it->second;
  const Unknown made = next_++;
  values_[made] = {address, {address}};
  bytes_[address] = made;
  return made;
}

void Links::set(uint32_t address, Unknown unknown) {
  auto it = bytes_.find(address);
  if (it != bytes_.end() && it->second == unknown) return;
  leave(address);
  bytes_[address] = unknown;
  values_[unknown].places.push_back(address);
}

void Links::leave(uint32_t address) {
  auto it = bytes_.find(address);
  if (it == bytes_.end()) return;
  auto value = values_.find(it->second);
  std::erase(value->second.places, address);
  if (value->second.places.empty()) values_.erase(value);
  bytes_.erase(it);
}

void Links::leave(uint32_t begin, uint32_t size) {
  for (auto it = bytes_.lower_bound(begin); it != bytes_.end() && it->first - begin < size;) leave((it++)->first);
}

std::vector<uint32_t> Links::others(uint32_t address) const {
  auto it = bytes_.find(address);
  if (it == bytes_.end()) return {};
  std::vector<uint32_t> found = values_.at(it->second).places;
  std::erase(found, address);
  return found;
}

uint32_t Links::first(uint32_t address) const {
  auto it = bytes_.find(address);
  return it == bytes_.end() ? address : values_.at(it->second).first;
}

std::vector<Links::Run> Links::runs() const {
  std::vector<Run> found;
  std::unordered_map<Unknown, uint32_t> numbers;
  for (const auto& [address, unknown] : bytes_) {
    if (values_.at(unknown).places.size() < 2) continue;
    const uint32_t number = numbers.emplace(unknown, static_cast<uint32_t>(numbers.size())).first->second;
    if (!found.empty() && found.back().address + found.back().length == address &&
        found.back().unknown + found.back().length == number)
      ++found.back().length;
    else
      found.push_back({address, 1, number});
  }
  return found;
}

void Links::add(const Run& run) {
  for (uint32_t i = 0; i < run.length; ++i) {
    Value& value = values_[run.unknown + i];
    if (value.places.empty()) value.first = run.address + i;
    value.places.push_back(run.address + i);
    bytes_[run.address + i] = run.unknown + i;
  }
  next_ = std::max(next_, run.unknown + run.length);
}

}  // namespace whittle::exec
