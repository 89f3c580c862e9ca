#include "app/suite/arguments.h"

#include <algorithm>

#include "base/error.h"
#include "base/nearest.h"

namespace whittle::app::suite {

Arguments::Arguments(const std::vector<std::string>& arguments, const std::vector<std::string>& with_value,
                     const std::vector<std::string>& flags) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& name = arguments[i];
    if (std::find(flags.begin(), flags.end(), name) != flags.end()) {
      values_[name];
    } else if (std::find(with_value.begin(), with_value.end(), name) != with_value.end()) {
      if (i + 1 == arguments.size()) fail_usage("{} needs a value", name);
      values_[name] = arguments[++i];
    } else {
      std::vector<std::string> known = with_value;
      known.insert(known.end(), flags.begin(), flags.end());
      fail_usage("unknown argument {}{}", name, suggestion(name, known));
    }
  }
}

std::string Arguments::value(const std::string& name, const std::string& otherwise) const {
  auto found = values_.find(name);
  return found == values_.end() ? otherwise : found->second;
}

}  // namespace whittle::app::suite
