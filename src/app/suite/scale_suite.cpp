#include "app/suite/scale_suite.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "app/process.h"
#include "app/suite/arguments.h"
#include "app/suite/check_file.h"
#include "app/suite/scale_plan.h"
#include "app/suite/table.h"
#include "base/error.h"

namespace whittle::app::suite {

namespace {

struct Model {
  const char* name;
  const char* folder;
  const char* file;
  std::vector<std::string> flags, quick;  ///< for clang
};

const std::array<Model, 2>& models() {
  static const std::array<Model, 2> kModels{{
      {"Peterson's filter lock", "explicit-peers", "peterson.c", {"-DN=5"}, {"-DN=4"}},
      {"lock-free queue", "scale", "queue.c", {"-DITEMS=6"}, {"-DITEMS=2"}},
  }};
  return kModels;
}

constexpr std::array<unsigned, 3> kThreads{1, 2, 8};
constexpr double kTimeout = 600;

struct Best {
  uint64_t states = 0;
  double seconds = std::numeric_limits<double>::infinity(), cpu_seconds = 0, bytes = 0;
  bool proved = true;
};

/// The fastest of several rounds, in which all numbers of threads take turns.
std::array<Best, kThreads.size()> measure(const InputOptions& input, int rounds, Context& context) {
  std::array<Best, kThreads.size()> best;
  for (int round = 0; round < rounds; ++round)
    for (size_t i = 0; i < kThreads.size(); ++i) {
      Measured m = check_file(input, "explicit", {{"cores", std::to_string(kThreads[i])}}, kTimeout, context);
      best[i].proved &= m.verdict.answer == verdict::Answer::True;
      best[i].states = m.count("states_stored");
      best[i].bytes = m.number("bytes_per_state");
      if (m.number("seconds") >= best[i].seconds) continue;
      best[i].seconds = m.number("seconds");
      best[i].cpu_seconds = m.number("cpu_seconds");
    }
  return best;
}

// Processes of mpirun

constexpr std::array<unsigned, 4> kProcesses{1, 2, 4, 8};
constexpr double kBeside = 12;  ///< bytes of a state beside the store: where it was reached from, and that it is to be expanded
constexpr unsigned kFew = 2, kMore = 4;  ///< the plan is made from these runs; the others show how good it is

struct Cluster {
  double states = 0;
  unsigned machines = 0, cores = 0;  ///< of each machine
  double gigabits = 10;              ///< a second, of each machine's network
};

/// STATES,MACHINES,CORES[,GIGABITS]
std::optional<Cluster> cluster_of(const std::string& text) {
  if (text.empty()) return std::nullopt;
  Cluster c;
  char rest = 0;
  const int read = std::sscanf(text.c_str(), "%lf,%u,%u,%lf%c", &c.states, &c.machines, &c.cores, &c.gigabits, &rest);
  if ((read != 3 && read != 4) || !(c.states >= 1) || c.machines == 0 || c.cores == 0 || !(c.gigabits > 0))
    fail_usage("--plan {}: STATES,MACHINES,CORES or STATES,MACHINES,CORES,GIGABITS", text);
  return c;
}

/// One run. None: it did not end with a proof.
std::optional<Shared> run_processes(const std::string& file, const std::vector<std::string>& flags, unsigned processes, Context& context) {
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  std::vector<std::string> command;
  if (processes > 1)
    command = {"/usr/bin/env", "mpirun", "--quiet", "--oversubscribe", "--allow-run-as-root", "-n", std::to_string(processes)};
  for (const char* word : {"check", "--engine", "explicit", "--json", "-", "--quiet"}) command.emplace_back(word);
  command.insert(processes > 1 ? command.end() - 6 : command.begin(), self);
  if (processes == 1) command.insert(command.end(), {"--cores", "1", "--repeat-steps", "no"});
  command.push_back(file);
  command.emplace_back("--");
  command.insert(command.end(), flags.begin(), flags.end());
  Process process(command, std::min(kTimeout, context.limits.remaining()));
  while (!process.poll()) {
    if (context.limits.poll_now() != Stop::No) return std::nullopt;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  const auto begin = process.output().find('{');
  if (begin == std::string::npos) return std::nullopt;
  const auto report = nlohmann::json::parse(process.output().substr(begin, process.output().rfind('}') - begin + 1), nullptr, false);
  if (report.is_discarded() || report.value("verdict", "") != "true" || !report.contains("statistics")) return std::nullopt;
  const auto& figures = report["statistics"];
  auto figure = [&](const char* name) { return figures.value(name, 0.0); };
  if (processes == 1)
    return Shared{1, figure("states_stored"), figure("states_stored"), figure("cpu_seconds"), 0, 0, 0, figure("store_bytes")};
  return Shared{processes,           figure("states_stored"),   figure("states_of_a_process_max"), figure("expand_seconds"),
                figure("receive_seconds"), figure("states_sent"), figure("bytes_sent"),            figure("store_bytes_of_a_process_max")};
}

std::string percent(double measured, double predicted) { return fmt::format("{:+.0f} %", 100 * (predicted / measured - 1)); }

/// Of several rounds in which all numbers of processes take turns, the runs that took the processor least.
std::map<unsigned, Shared> measure_processes(const std::string& file, const std::vector<std::string>& flags, int rounds, Context& context) {
  std::map<unsigned, Shared> best;
  for (int round = 0; round < rounds; ++round)
    for (unsigned processes : kProcesses) {
      context.progress.update([&] { return fmt::format("{} processes", processes); });
      const auto run = run_processes(file, flags, processes, context);
      if (!run) fail_internal("a search by {} processes came to no proof (is mpirun there, and was whittle built with MPI?)", processes);
      auto seconds = [](const Shared& s) { return s.expand_seconds + s.receive_seconds; };
      if (!best.contains(processes) || seconds(*run) < seconds(best[processes])) best[processes] = *run;
    }
  context.progress.clear();
  return best;
}

int by_processes(const Arguments& options, int rounds, Context& context) {
  const std::optional<Cluster> wanted = cluster_of(options.value("--plan"));
  const Model& model = models()[1];
  const std::string folder = options.value("--dir").empty() ? bench_folder(model.folder) : options.value("--dir");
  const std::string items = "-DITEMS=" + options.value("--items", options.flag("--quick") ? "2" : "4");
  std::map<unsigned, Shared> runs = measure_processes(folder + "/" + model.file, {items}, rounds, context);
  const Plan plan(runs[kFew], runs[kMore]);
  Table table("One search by several processes of mpirun, and what a plan made from those with 2 and 4 says of each.",
              {"processes", "states", "most of a process", "cpu seconds", "planned", "", "sent", "MB of a process", "planned", ""});
  bool good = true;
  for (const auto& [processes, run] : runs) {
    const Prediction p = plan.predict(run.states, processes);
    const double seconds = run.expand_seconds + run.receive_seconds;
    good &= run.states == runs[1].states;
    table.add({std::to_string(processes), grouped(static_cast<uint64_t>(run.states)), grouped(static_cast<uint64_t>(run.most_states)),
               fmt::format("{:.2f}", seconds), fmt::format("{:.2f}", p.seconds), percent(seconds, p.seconds),
               grouped(static_cast<uint64_t>(run.sent)), fmt::format("{:.1f}", run.most_bytes / 1e6),
               fmt::format("{:.1f}", p.process_bytes / 1e6), percent(run.most_bytes, p.process_bytes)});
  }
  table.print();
  Table costs("Costs", {"a state expanded, us", "sent, us", "received, us", "bytes sent", "sent for each state"});
  costs.add({fmt::format("{:.2f}", plan.expand() * 1e6), fmt::format("{:.2f}", plan.send() * 1e6), fmt::format("{:.2f}", plan.receive() * 1e6),
             fmt::format("{:.0f}", plan.message_bytes()), fmt::format("{:.2f}", plan.sent())});
  costs.print();
  std::vector<const Table*> tables{&table, &costs};
  Table planned("Planned", {"states", "machines", "cores", "cpu hours", "hours", "GB of a machine", "GB sent by a machine"});
  if (wanted) {
    const unsigned processes = wanted->machines * wanted->cores;
    const Prediction p = plan.predict(wanted->states, processes);
    planned.add({fmt::format("{:g}", wanted->states), std::to_string(wanted->machines), std::to_string(wanted->cores),
                 fmt::format("{:.2f}", p.seconds / 3600), fmt::format("{:.3f}", p.elapsed(processes, wanted->machines, wanted->gigabits / 8 * 1e9) / 3600),
                 fmt::format("{:.1f}", (p.process_bytes * wanted->cores + kBeside * wanted->states / wanted->machines) / 1e9), fmt::format("{:.1f}", p.sent_bytes / wanted->machines / 1e9)});
    planned.print();
    tables.push_back(&planned);
  }
  write_json(options.value("--json"), tables);
  return good ? 0 : 70;
}

}  // namespace

int scale(const std::vector<std::string>& arguments, Context& context) {
  Arguments options(arguments, {"--dir", "--rounds", "--json", "--plan", "--items"}, {"--quick", "--processes"});
  const int rounds = std::max(1, std::atoi(options.value("--rounds", "2").c_str()));
  if (options.flag("--processes")) return by_processes(options, rounds, context);
  for (const char* name : {"--plan", "--items"})
    if (!options.value(name).empty()) fail_usage("{} needs --processes", name);
  Table table("The explicit engine with several threads. Speed-up: by time passed, over one thread.",
              {"model", "threads", "states", "seconds", "cpu seconds", "states/s", "bytes/state", "speed-up", "proved"});
  bool good = true;
  for (const Model& model : models()) {
    if (context.limits.poll_now() != Stop::No) break;
    context.progress.update([&] { return std::string(model.name); });
    InputOptions input;
    const std::string folder = options.value("--dir").empty() ? bench_folder(model.folder) : options.value("--dir");
    input.files = {folder + "/" + model.file};
    input.clang_flags = options.flag("--quick") ? model.quick : model.flags;
    const auto best = measure(input, rounds, context);
    context.progress.clear();
    for (size_t i = 0; i < kThreads.size(); ++i) {
      const bool same = best[i].proved && best[i].states == best[0].states;
      good &= same;
      table.add({model.name, std::to_string(kThreads[i]), grouped(best[i].states), fmt::format("{:.2f}", best[i].seconds),
                 fmt::format("{:.2f}", best[i].cpu_seconds),
                 grouped(static_cast<uint64_t>(static_cast<double>(best[i].states) / best[i].seconds)),
                 fmt::format("{:.1f}", best[i].bytes), fmt::format("{:.2f}", best[0].seconds / best[i].seconds),
                 same ? "yes" : "NO"});
    }
  }
  table.print();
  write_json(options.value("--json"), {&table});
  return good ? 0 : 70;
}

}  // namespace whittle::app::suite
