// The options of searches, the same for programs and for other systems: --order, --reduce, --loop, --dead, --store.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/error.h"
#include "engines/engine.h"
#include "explore/options.h"

namespace whittle::engines::explicit_ {

/// The value of a setting that is one of a few words. Throws Error (usage) that lists them.
template <typename T>
T pick(const Settings& settings, std::string_view name, std::string_view otherwise,
       const std::map<std::string, T, std::less<>>& table) {
  std::string text = settings.text(name, otherwise);
  if (auto found = table.find(text); found != table.end()) return found->second;
  std::string known;
  for (const auto& [word, value] : table) known += (known.empty() ? "" : ", ") + word;
  fail_usage("--{} is one of {}, not '{}'", name, known, text);
}

/// `dead`: what --dead is when it is not given.
explore::Options search_options(const Settings& settings, std::string_view dead);

}  // namespace whittle::engines::explicit_
