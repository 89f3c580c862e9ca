// From arguments to an exit code. The only place that turns exceptions into words.
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <new>
#include <system_error>

#include "app/commands.h"
#include "app/firmware.h"
#include "app/jobs.h"
#include "app/load.h"
#include "app/output.h"
#include "base/error.h"

namespace {

using namespace whittle;

uint64_t default_memory_limit() {
  std::FILE* file = std::fopen("/proc/meminfo", "r");
  unsigned long long kilobytes = 0;
  if (file != nullptr) {
    if (std::fscanf(file, "MemTotal: %llu", &kilobytes) != 1) kilobytes = 0;
    std::fclose(file);
  }
  return kilobytes == 0 ? std::numeric_limits<uint64_t>::max() : kilobytes * 1024 / 10 * 9;
}

int dispatch(const app::Options& options, app::Watch& watch) {
  switch (options.command) {
    case app::Command::Check: return app::check(options, watch);
    case app::Command::Run: return app::run(options, watch);
    case app::Command::Show: return app::show(options);
    case app::Command::Harness: return app::harness(options);
    case app::Command::CheckProof: return app::check_proof(options, watch);
    case app::Command::Bench: return app::bench(options, watch);
    case app::Command::None: break;
  }
  return static_cast<int>(ExitCode::Usage);
}

/// The library that talks to the others, if whittle was built with MPI.
std::string mpi_library() {
  try {
    return app::find_own("whittle_mpi.so").string();
  } catch (const Error&) {
    return {};
  }
}

/// The others run what process 0 gives out.
bool gives_out_work(const app::Options& options) {
  if (options.command == app::Command::Check) return options.input.files.empty();
  return options.command == app::Command::Bench && options.suite == "svcomp";
}

/// All processes do the same, and meet in the search.
bool searches_together(const app::Options& options) {
  return options.command == app::Command::Check && !options.input.files.empty() && (options.engine == "explicit" || options.engine == "dpr" || options.engine == "guided") &&
         !app::is_firmware(options) && options.validate.empty();
}

std::unique_ptr<cluster::Group> join_group(const app::Options& options) {
  if (!cluster::started_with_others()) return nullptr;
  if (!gives_out_work(options) && !searches_together(options))
    fail_usage("started by mpirun with other processes: only check --engine explicit|dpr|guided of a program, check of a project and bench "
               "svcomp share their work with them");
  return cluster::join(mpi_library());
}

/// What every process would say is said once.
void be_silent() {
  const int nowhere = ::open("/dev/null", O_WRONLY);
  ::dup2(nowhere, STDOUT_FILENO);
  ::dup2(nowhere, STDERR_FILENO);
}

constexpr double kToEndTogether = 5;  ///< seconds after a limit, at most, for the processes to tell each other
constexpr double kAfterSignal = 0.05;  ///< seconds: mpirun kills after one second, and there is nothing to wait for

/// Limits of a search that several processes share.
void prepare_together(const cluster::Group& group, const app::Options& options, Limits& limits, app::Watch& watch) {
  if (group.rank() != 0) be_silent();
  watch.allow_after_stop(kToEndTogether, kAfterSignal);
  if (!options.memory && limits.limits_memory()) limits.set_memory(limits.memory() / group.size_here());
}

int guarded(const app::Options& options) {
  Limits limits;
  // The checks of a project have limits of their own.
  bool project = options.command == app::Command::Check && options.input.files.empty();
  if (!project) limits.set_timeout(options.timeout);
  limits.set_memory(project ? default_memory_limit() : options.memory.value_or(default_memory_limit()));
  bool verdict = options.command == app::Command::Check && !project;
  app::Watch watch(limits, verdict);
  std::unique_ptr<cluster::Group> group = join_group(options);  // MPI's threads leave signals to the watch, too
  watch.set_group(group.get());
  try {
    int code = 0;
    if (group && searches_together(options)) prepare_together(*group, options, limits, watch);
    if (group && group->rank() != 0 && gives_out_work(options))
      app::serve_jobs(*group, limits);
    else
      code = dispatch(options, watch);
    if (group && limits.stopped() == Stop::No) group->leave();
    return code;
  } catch (const std::bad_alloc&) {
    watch.begin_report();
    std::fputs("whittle: out of memory\n", stderr);
    if (verdict) std::puts("unknown");
    return static_cast<int>(ExitCode::Unknown);
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    std::optional<app::Options> options = app::parse_command_line(argc, argv);
    int code = options ? guarded(*options) : 0;
    app::flush_stdout();
    return code;
  } catch (const Error& error) {
    std::fprintf(stderr, "whittle: %s\n", error.what());
    return static_cast<int>(error.code());
  } catch (const std::system_error& error) {
    app::flush_stdout();  // what the formatting library throws when stdout is full
    std::fprintf(stderr, "whittle: internal error: %s\n", error.what());
    return static_cast<int>(ExitCode::Internal);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "whittle: internal error: %s\n", error.what());
    return static_cast<int>(ExitCode::Internal);
  }
}
