#include "app/answers.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "base/file.h"
#include "engines/auto/wire.h"
#include "exec/runner.h"
#include "program/print.h"
#include "report/sha256.h"

namespace whittle::app {

namespace {

namespace fs = std::filesystem;
using verdict::Answer;
using verdict::Verdict;

constexpr size_t kDigest = 64;  ///< digits of a digest

/// This very build of whittle: another one may answer in another way.
std::string build() {
  struct stat status {};
  if (stat("/proc/self/exe", &status) != 0) return WHITTLE_VERSION;
  return fmt::format("{} {} {}.{}", WHITTLE_VERSION, status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

class Remembering final : public engines::Engine {
 public:
  Remembering(std::unique_ptr<engines::Engine> engine, std::string folder, std::string asked)
      : engine_(std::move(engine)), folder_(std::move(folder)), asked_(std::move(asked)) {}

  std::string_view name() const override { return engine_->name(); }
  std::string_view description() const override { return engine_->description(); }
  std::span<const engines::Option> options() const override { return engine_->options(); }
  std::optional<std::string> supports(const program::Program& program, const verdict::Specification& specification) const override {
    return engine_->supports(program, specification);
  }

  Verdict run(const program::Program& program, const verdict::Specification& specification, const engines::Settings& settings,
              Context& context) override {
    const fs::path file = place(program, specification);
    if (std::optional<Verdict> known = read(file, program, specification, context)) return *std::move(known);
    Verdict verdict = engine_->run(program, specification, settings, context);
    if (verdict.answer == Answer::True || (verdict.answer == Answer::False && repeatable(verdict))) write(file, verdict);
    return verdict;
  }

 private:
  fs::path place(const program::Program& program, const verdict::Specification& specification) const {
    std::string key = asked_ + "\n" + build() + "\n" + specification.entry + "\n";
    for (verdict::Property property : specification.properties) key += std::string(verdict::name(property)) + " ";
    for (const std::string& function : specification.error_functions) key += function + " ";
    const std::string digest = report::sha256_hex(key + "\n" + program::to_text(program));
    return fs::path(folder_) / digest.substr(0, 2) / digest.substr(2);
  }

  /// Does the machine alone see the violation?
  static bool repeatable(const Verdict& verdict) {
    return verdict.violation && verdict.violation->property != verdict::Property::Termination && !verdict.trace.loop_start;
  }

  static std::optional<Verdict> read(const fs::path& file, const program::Program& program,
                                     const verdict::Specification& specification, Context& context) {
    const std::string bytes = file_text(file.string());
    // A file that was cut off or changed is as if it were not there.
    if (bytes.size() < kDigest || report::sha256_hex(std::string_view(bytes).substr(kDigest)) != bytes.substr(0, kDigest))
      return std::nullopt;
    Verdict known;
    try {
      known = engines::auto_::decode(std::string_view(bytes).substr(kDigest));
    } catch (const Error&) {
      return std::nullopt;
    }
    if (known.answer == Answer::False) {
      auto code = std::make_shared<const exec::Code>(program, specification);
      const exec::RunResult again = exec::replay(code, known.counterexample, &context.limits);
      if (!again.violation || again.violation->property != known.violation->property) return std::nullopt;
    }
    std::error_code error;
    const auto age = fs::file_time_type::clock::now() - fs::last_write_time(file, error);
    const auto minutes = std::chrono::duration_cast<std::chrono::minutes>(age).count();
    const std::string when = minutes < 1 ? "less than a minute ago" : minutes < 120 ? fmt::format("{} min ago", minutes) : fmt::format("{} h ago", minutes / 60);
    known.notes.insert(known.notes.begin(), fmt::format("{}: an equal program was asked the same {}", kFromAnswers, when));
    return known;
  }

  /// Nothing is said if it does not work: the answer is there all the same.
  static void write(const fs::path& file, const Verdict& verdict) {
    std::error_code error;
    fs::create_directories(file.parent_path(), error);
    const fs::path temporary = fmt::format("{}.{}", file.string(), getpid());
    const std::string bytes = engines::auto_::encode(verdict);
    std::ofstream stream(temporary, std::ios::binary);
    stream << report::sha256_hex(bytes) << bytes;
    stream.close();
    if (stream) fs::rename(temporary, file, error);
    if (!stream || error) fs::remove(temporary, error);
  }

  std::unique_ptr<engines::Engine> engine_;
  std::string folder_, asked_;
};

}  // namespace

std::unique_ptr<engines::Engine> remembering(std::unique_ptr<engines::Engine> engine, const Options& options) {
  if (options.answers.empty() || options.cross_check || !options.smt_log.empty()) return engine;
  // (Where only the verdict is printed, no time is spent on notes to it.)
  const bool brief = options.quiet && options.json.empty() && options.html.empty();
  std::string asked = fmt::format("{} strict={} solver={} brief={}", engine->name(), options.strict, options.solver, brief);
  for (const auto& [name, value] : options.engine_options) {
    for (const engines::Option& option : engine->options())
      if (option.name == name && (option.value == "FILE" || option.value == "DIR")) return engine;
    if (name.find("cache") != std::string::npos) return engine;
    asked += fmt::format(" {}={}", name, value);
  }
  return std::make_unique<Remembering>(std::move(engine), options.answers, std::move(asked));
}

std::string default_answers() {
  if (const char* folder = std::getenv("XDG_CACHE_HOME"); folder != nullptr && *folder == '/') return std::string(folder) + "/whittle";
  if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/') return std::string(home) + "/.cache/whittle";
  return {};
}

}  // namespace whittle::app
