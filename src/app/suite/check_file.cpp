#include "app/suite/check_file.h"

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>

#include "app/load.h"
#include "app/registry.h"
#include "base/error.h"
#include "exec/runner.h"

namespace whittle::app::suite {

namespace fs = std::filesystem;

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
  for (const auto& [name, value] : options) settings.set(name, value);
  Limits limits;
  limits.set_timeout(std::min(timeout, context.limits.remaining()));
  Statistics statistics;
  Context inner{limits, statistics, context.progress};
  for (const auto& candidate : make_engines()) {
    if (candidate->name() != engine) continue;
    auto begin = std::chrono::steady_clock::now();
    std::clock_t cpu_begin = std::clock();
    Measured measured;
    measured.verdict = candidate->run(program, specification, settings, inner);
    measured.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    measured.cpu_seconds = static_cast<double>(std::clock() - cpu_begin) / CLOCKS_PER_SEC;
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
  std::string name = (fs::temp_directory_path() / "whittle-bench-XXXXXX.c").string();
  int descriptor = mkstemps(name.data(), 2);
  if (descriptor < 0) fail_internal("cannot make a file in {}", fs::temp_directory_path().string());
  close(descriptor);
  struct Remove {
    std::string file;
    ~Remove() { std::remove(file.c_str()); }
  } remove{name};
  std::ofstream(name) << text;
  InputOptions input;
  input.files = {name};
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
