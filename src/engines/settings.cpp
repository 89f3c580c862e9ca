#include <charconv>

#include "base/error.h"
#include "engines/engine.h"

namespace whittle::engines {

namespace {

template <typename Number>
Number parse(std::string_view name, const std::string& text, std::string_view what) {
  Number result{};
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), result);
  if (error != std::errc() || end != text.data() + text.size())
    fail_usage("option --{} needs {}, not `{}`", name, what, text);
  return result;
}

}  // namespace

uint64_t Settings::number(std::string_view name, uint64_t otherwise) const {
  auto found = values_.find(name);
  return found == values_.end() ? otherwise : parse<uint64_t>(name, found->second, "a whole number");
}

double Settings::real(std::string_view name, double otherwise) const {
  auto found = values_.find(name);
  return found == values_.end() ? otherwise : parse<double>(name, found->second, "a number");
}

std::string Settings::text(std::string_view name, std::string_view otherwise) const {
  auto found = values_.find(name);
  return found == values_.end() ? std::string(otherwise) : found->second;
}

verdict::Verdict Engine::run_system(machine::System&, const Settings&, Context&) {
  fail_internal("engine {} takes programs only", name());
}

}  // namespace whittle::engines
