#include "engines/seed_tests.h"

#include <algorithm>
#include <optional>

#include "base/error.h"

namespace whittle::engines {

namespace {

std::optional<u128> parse_value(std::string_view word) {
  const bool negative = word.starts_with('-');
  if (negative) word.remove_prefix(1);
  const bool hexadecimal = word.starts_with("0x");
  if (hexadecimal) word.remove_prefix(2);
  if (word.empty()) return std::nullopt;
  const unsigned base = hexadecimal ? 16 : 10;
  u128 value = 0;
  for (char c : word) {
    const unsigned digit = c >= '0' && c <= '9'   ? unsigned(c - '0')
                           : c >= 'a' && c <= 'f' ? unsigned(c - 'a') + 10
                                                  : 99;
    if (digit >= base || value > (~u128{0} - digit) / base) return std::nullopt;
    value = value * base + digit;
  }
  return negative ? u128{0} - value : value;
}

}  // namespace

std::vector<std::vector<u128>> parse_tests(std::string_view text, const std::string& file) {
  std::vector<std::vector<u128>> tests;
  for (unsigned line = 1; !text.empty(); ++line) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view rest = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    rest = rest.substr(0, rest.find('#'));
    constexpr std::string_view kBetween = ", \t\r";
    if (rest.find_first_not_of(kBetween) == std::string_view::npos) continue;
    std::vector<u128> inputs;
    while (true) {
      const size_t start = rest.find_first_not_of(kBetween);
      if (start == std::string_view::npos) break;
      rest.remove_prefix(start);
      const std::string_view word = rest.substr(0, rest.find_first_of(kBetween));
      rest.remove_prefix(word.size());
      const std::optional<u128> value = parse_value(word);
      if (!value) fail_input("{}:{}: `{}` is no value (write 5, -1 or 0x1f)", file, line, word.substr(0, 40));
      inputs.push_back(*value);
    }
    tests.push_back(std::move(inputs));
  }
  return tests;
}

std::string tests_text(const std::vector<std::vector<u128>>& tests) {
  std::string text;
  for (const std::vector<u128>& inputs : tests) {
    for (size_t i = 0; i < inputs.size(); ++i) {
      std::string digits;
      for (u128 v = inputs[i]; v != 0 || digits.empty(); v >>= 4)
        digits.insert(digits.begin(), "0123456789abcdef"[static_cast<unsigned>(v & 15)]);
      text += (i == 0 ? "0x" : ",0x") + digits;
    }
    text += inputs.empty() ? "0x0\n" : "\n";  // whatever is asked beyond them
  }
  return text;
}

}  // namespace whittle::engines
