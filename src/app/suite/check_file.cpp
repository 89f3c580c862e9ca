#include "app/suite/check_file.h"

#include <chrono>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "app/load.h"
#include "app/registry.h"
#include "app/suite/temporary_file.h"
#include "base/error.h"
#include "base/file.h"
#include "exec/runner.h"
#include "proof/proof.h"

namespace whittle::app::suite {

namespace fs = std::filesystem;

namespace {

/// Reads back what the engine wrote and checks that, as whittle check-proof does.
std::string check_proof(const EngineOptions& options, const program::Program& program,
                        const verdict::Specification& specification, Limits& limits) {
  for (const auto& [name, value] : options) {
    if (name != "proof") continue;
    const std::string text = file_text(value);
    if (text.empty()) return "none";
    proof::Outcome outcome = proof::check(proof::read(text, program), program, specification, limits);
    if (outcome.valid) return "valid";
    return (outcome.decided ? "invalid: " : "not decided: ") + outcome.reason;
  }
  return {};
}

}  // namespace

double Measured::number(std::string_view name) const {
  for (const auto& [key, value] : verdict.statistics.entries()) {
    if (key != name) continue;
    if (const auto* count = std::get_if<uint64_t>(&value)) return static_cast<double>(*count);
    if (const auto* real = std::get_if<double>(&value)) return *real;
  }
  return 0;
}

Measured check_file(const InputOptions& input, const std::string& engine, const EngineOptions& options, double timeout,
                    Context& context, const verdict::Specification& specification) {
  program::Program program = load(input, specification, false);
  engines::Settings settings;
  for (const auto& [name, value] : options)
    if (name == "cores")
      settings.cores = static_cast<unsigned>(std::stoul(value));
    else
      settings.set(name, value);
  Limits limits;
  limits.set_timeout(std::min(timeout, context.limits.remaining()));
  Statistics statistics;
  Context inner{limits, statistics, context.progress};
  inner.solver_options = context.solver_options;
  for (const auto& candidate : make_engines()) {
    if (candidate->name() != engine) continue;
    auto begin = std::chrono::steady_clock::now();
    std::clock_t cpu_begin = std::clock();
    Measured measured;
    measured.verdict = candidate->run(program, specification, settings, inner);
    measured.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    measured.cpu_seconds = static_cast<double>(std::clock() - cpu_begin) / CLOCKS_PER_SEC;
    if (measured.verdict.answer == verdict::Answer::True)
      measured.proof = check_proof(options, program, specification, limits);
    if (measured.verdict.answer == verdict::Answer::False) {
      auto code = std::make_shared<exec::Code>(program, specification);
      measured.replayed = exec::replay(code, measured.verdict.counterexample, &limits).violation.has_value();
    }
    return measured;
  }
  fail_internal("no engine {}", engine);
}

Measured check_text(const std::string& text, const std::string& engine, const EngineOptions& options, double timeout,
                    Context& context, const verdict::Specification& specification) {
  TemporaryFile file(".c");
  std::ofstream(file.name()) << text;
  InputOptions input;
  input.files = {file.name()};
  return check_file(input, engine, options, timeout, context, specification);
}

std::string bench_folder(const std::string& name) {
  std::error_code error;
  fs::path program = fs::read_symlink("/proc/self/exe", error);
  fs::path prefix = program.parent_path().parent_path();
  for (fs::path candidate :
       {prefix.parent_path().parent_path() / "bench" / name, prefix / "share" / "whittle" / "bench" / name})
    if (fs::exists(candidate, error)) return candidate.string();
  fail_internal("cannot find bench/{} beside {}", name, program.string());
}

}  // namespace whittle::app::suite
