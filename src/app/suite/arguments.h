// Command-line arguments of a suite: --name VALUE and --name.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace whittle::app::suite {

class Arguments {
 public:
  /// Throws Error (usage) with the nearest name if one is not known.
  Arguments(const std::vector<std::string>& arguments, const std::vector<std::string>& with_value,
            const std::vector<std::string>& flags);
  bool flag(const std::string& name) const { return values_.contains(name); }
  std::string value(const std::string& name, const std::string& otherwise = {}) const;

 private:
  std::map<std::string, std::string> values_;
};

}  // namespace whittle::app::suite
