// The ways whittle itself can fail, each with its exit code. A program's error is not among them: that is a verdict.
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace whittle {

enum class ExitCode : int { True = 0, Unknown = 5, False = 10, Usage = 64, BadInput = 65, Internal = 70 };

/// Ends the run with one clear line on stderr and the exit code. Thrown where input enters; caught in app only.
class Error : public std::runtime_error {
 public:
  Error(ExitCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

template <typename... Args>
[[noreturn]] void fail_usage(fmt::format_string<Args...> format, Args&&... args) {
  throw Error(ExitCode::Usage, fmt::format(format, std::forward<Args>(args)...));
}
template <typename... Args>
[[noreturn]] void fail_input(fmt::format_string<Args...> format, Args&&... args) {
  throw Error(ExitCode::BadInput, fmt::format(format, std::forward<Args>(args)...));
}
template <typename... Args>
[[noreturn]] void fail_internal(fmt::format_string<Args...> format, Args&&... args) {
  throw Error(ExitCode::Internal, fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace whittle
