// Named figures of a run, in the order in which they were first set. Names are those of the JSON report.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace whittle {

class Statistics {
 public:
  using Value = std::variant<uint64_t, double, std::string>;

  void set(std::string_view name, Value value) { slot(name) = std::move(value); }
  void set(std::string_view name, uint64_t value) { slot(name) = value; }
  void add(std::string_view name, uint64_t count = 1) {
    Value& value = slot(name);
    value = (std::holds_alternative<uint64_t>(value) ? std::get<uint64_t>(value) : 0) + count;
  }
  void add_seconds(std::string_view name, double seconds) {
    Value& value = slot(name);
    value = (std::holds_alternative<double>(value) ? std::get<double>(value) : 0.0) + seconds;
  }
  uint64_t count(std::string_view name) const {
    for (const auto& [key, value] : entries_)
      if (key == name && std::holds_alternative<uint64_t>(value)) return std::get<uint64_t>(value);
    return 0;
  }
  const std::vector<std::pair<std::string, Value>>& entries() const { return entries_; }

 private:
  Value& slot(std::string_view name) {
    for (auto& [key, value] : entries_)
      if (key == name) return value;
    return entries_.emplace_back(std::string(name), Value{uint64_t{0}}).second;
  }
  std::vector<std::pair<std::string, Value>> entries_;
};

}  // namespace whittle
