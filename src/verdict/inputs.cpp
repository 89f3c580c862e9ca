#include "verdict/inputs.h"

#include <bit>
#include <charconv>
#include <optional>

namespace whittle::verdict {

namespace {

constexpr uint64_t kMostInputs = 100'000'000;

/// A number with a point, an exponent or no end: of a double, with an f at the end of a float.
template <typename Float, typename Bits>
std::optional<u128> bits_of(std::string_view number) {
  Float value = 0;
  auto [rest, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (error != std::errc() || rest != number.data() + number.size()) return std::nullopt;
  return u128{std::bit_cast<Bits>(value)};
}

bool is_floating(std::string_view word) {
  if (word.find("0x") != std::string_view::npos) return false;
  return word.find_first_of(".eEn") != std::string_view::npos;  // 1.5, 1e3, inf, nan
}

std::optional<u128> value_of(std::string_view digits) {
  if (is_floating(digits)) {
    const bool infinite = digits.ends_with("inf");
    if (!infinite && digits.ends_with('f')) return bits_of<float, uint32_t>(digits.substr(0, digits.size() - 1));
    return bits_of<double, uint64_t>(digits);
  }
  const bool negative = digits.starts_with('-');
  if (negative || digits.starts_with('+')) digits.remove_prefix(1);
  unsigned base = 10;
  if (digits.starts_with("0x") || digits.starts_with("0X")) base = 16, digits.remove_prefix(2);
  if (digits.empty()) return std::nullopt;
  u128 value = 0;
  for (char c : digits) {
    const unsigned digit = c >= '0' && c <= '9'   ? static_cast<unsigned>(c - '0')
                           : c >= 'a' && c <= 'f' ? static_cast<unsigned>(c - 'a' + 10)
                           : c >= 'A' && c <= 'F' ? static_cast<unsigned>(c - 'A' + 10)
                                                  : 99;
    if (digit >= base || value > (~u128{0} - digit) / base) return std::nullopt;
    value = value * base + digit;
  }
  return negative ? u128{0} - value : value;
}

}  // namespace

bool add_inputs(std::string_view word, std::vector<u128>& inputs) {
  uint64_t count = 1;
  if (const size_t colon = word.find(':'); colon != std::string_view::npos) {
    const std::string_view times = word.substr(colon + 1);
    const auto [rest, error] = std::from_chars(times.data(), times.data() + times.size(), count);
    if (error != std::errc() || rest != times.data() + times.size() || count > kMostInputs) return false;
    word = word.substr(0, colon);
  }
  const std::optional<u128> value = value_of(word);
  if (!value) return false;
  inputs.insert(inputs.end(), count, *value);
  return true;
}

std::string with_counts(const std::vector<std::string>& words) {
  std::string text;
  for (size_t i = 0; i < words.size();) {
    size_t end = i + 1;
    while (end < words.size() && words[end] == words[i]) ++end;
    if (end - i < 3) end = i + 1;
    if (!text.empty()) text += ",";
    text += words[i];
    if (end - i > 1) text += ":" + std::to_string(end - i);
    i = end;
  }
  return text;
}

}  // namespace whittle::verdict
