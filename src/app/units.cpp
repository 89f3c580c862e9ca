// Durations and sizes as people write them.
#include <charconv>
#include <cmath>

#include "app/options.h"
#include "base/error.h"

namespace whittle::app {

namespace {

struct Quantity {
  double value = 0;
  std::string unit;
};

Quantity split(const std::string& text, const char* what, const char* example) {
  Quantity result;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), result.value);
  if (error != std::errc() || result.value < 0 || !std::isfinite(result.value))
    fail_usage("`{}` is no {} (write {})", text, what, example);
  result.unit.assign(end, text.data() + text.size());
  return result;
}

}  // namespace

double parse_duration(const std::string& text) {
  Quantity q = split(text, "time", "10s, 5m or 1h");
  if (q.unit.empty() || q.unit == "s") return q.value;
  if (q.unit == "ms") return q.value / 1000;
  if (q.unit == "m" || q.unit == "min") return q.value * 60;
  if (q.unit == "h") return q.value * 3600;
  fail_usage("`{}` is no time (write 10s, 5m or 1h)", text);
}

uint64_t parse_size(const std::string& text) {
  Quantity q = split(text, "amount of memory", "512M or 2G");
  std::string unit = q.unit;
  if (unit.size() > 1 && (unit.ends_with("iB") || unit.ends_with("B"))) unit.resize(1);
  double factor = 0;
  if (unit.empty() || unit == "B")
    factor = 1;
  else if (unit == "k" || unit == "K")
    factor = 1024.0;
  else if (unit == "M")
    factor = 1024.0 * 1024;
  else if (unit == "G")
    factor = 1024.0 * 1024 * 1024;
  else if (unit == "T")
    factor = 1024.0 * 1024 * 1024 * 1024;
  double bytes = q.value * factor;
  if (bytes < 1 || bytes >= 1e18) fail_usage("`{}` is no amount of memory (write 512M or 2G)", text);
  return static_cast<uint64_t>(bytes);
}

}  // namespace whittle::app
