#include "engines/seed_tests.h"

#include <algorithm>

#include "base/error.h"
#include "verdict/inputs.h"

namespace whittle::engines {

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
      if (!verdict::add_inputs(word, inputs))
        fail_input("{}:{}: `{}` is no value (write 5, -1, 0x1f or VALUE:COUNT)", file, line, word.substr(0, 40));
    }
    tests.push_back(std::move(inputs));
  }
  return tests;
}

std::string tests_text(const std::vector<std::vector<u128>>& tests) {
  std::string text;
  for (const std::vector<u128>& inputs : tests) {
    std::vector<std::string> words;
    for (u128 input : inputs) {
      std::string digits;
      for (u128 v = input; v != 0 || digits.empty(); v >>= 4)
        digits.insert(digits.begin(), "0123456789abcdef"[static_cast<unsigned>(v & 15)]);
      words.push_back("0x" + digits);
    }
    if (words.empty()) words.push_back("0x0");  // whatever is asked beyond them
    text += verdict::with_counts(words) + "\n";
  }
  return text;
}

}  // namespace whittle::engines
