#include "app/suite/explicit_peers_suite.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>
#include <regex>
#include <sstream>
#include <thread>

#include "app/process.h"
#include "app/suite/arguments.h"
#include "app/suite/check_file.h"
#include "app/suite/table.h"
#include "base/error.h"

namespace whittle::app::suite {

namespace {

namespace fs = std::filesystem;

using Constants = std::vector<std::pair<std::string, unsigned>>;

struct Model {
  const char* name;
  const char* label;
  Constants constants;
  bool quick;
};
const std::vector<Model>& models() {
  static const std::vector<Model> kModels{
      {"peterson", "peterson 3", {{"N", 3}}, true},
      {"peterson", "peterson 4", {{"N", 4}}, false},
      {"philosophers", "philosophers 7", {{"N", 7}}, true},
      {"philosophers", "philosophers 9", {{"N", 9}}, false},
      {"buffer", "buffer 3+3, 4 slots", {{"P", 3}, {"C", 3}, {"SIZE", 4}}, true},
      {"buffer", "buffer 4+4, 5 slots", {{"P", 4}, {"C", 4}, {"SIZE", 5}}, false},
  };
  return kModels;
}

constexpr double kTimeout = 300;

struct Figures {
  uint64_t states = 0;
  double seconds = 0;          ///< of processor time, of the search alone; of others, of the whole program
  double bytes_per_state = 0;  ///< 0: not known
  std::string verdict;
};

/// A folder of its own, gone with everything that was built in it.
class Workshop {
 public:
  explicit Workshop(const std::string& sources) {
    std::string pattern = (fs::temp_directory_path() / "whittle-peers-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) fail_internal("cannot make a folder in {}", pattern);
    folder_ = pattern;
    for (const auto& entry : fs::directory_iterator(sources))
      fs::copy_file(entry.path(), folder_ / entry.path().filename());
  }
  ~Workshop() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;

  struct Done {
    std::string output;
    int status;
    double seconds;
  };
  /// A line of shell, in the folder.
  Done run(const std::string& line) const {
    Process process({"/bin/sh", "-c", "cd '" + folder_.string() + "' && exec " + line}, kTimeout);
    while (!process.poll()) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    return {process.output(), process.status(), process.seconds()};
  }
  /// With the seconds of processor time that the program took, as the shell tells them in the last line.
  Done timed(const std::string& line) const {
    Done done = run("sh -c '" + line + "; times'");
    std::smatch match;
    static const std::regex kTimes(R"(([0-9]+)m([0-9.]+)s ([0-9]+)m([0-9.]+)s\s*$)");
    if (std::regex_search(done.output, match, kTimes))
      done.seconds = 60 * std::stod(match[1]) + std::stod(match[2]) + 60 * std::stod(match[3]) + std::stod(match[4]);
    return done;
  }
  bool has(const std::string& program) const { return run("env sh -c 'command -v " + program + "'").status == 0; }
  std::string read(const std::string& file) const {
    std::ifstream in(folder_ / file);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
  }
  void write(const std::string& file, const std::string& text) const { std::ofstream(folder_ / file) << text; }

 private:
  fs::path folder_;
};

std::optional<double> number_in(const std::string& text, const std::string& pattern) {
  std::smatch match;
  if (!std::regex_search(text, match, std::regex(pattern))) return std::nullopt;
  return std::stod(match[1]);
}

std::string defines(const Constants& constants) {
  std::string text;
  for (const auto& [name, value] : constants) text += fmt::format(" -D{}={}", name, value);
  return text;
}

Figures whittle_figures(const Model& model, const std::string& folder, const EngineOptions& options, Context& context) {
  InputOptions input;
  input.files = {folder + "/" + model.name + ".c"};
  for (const auto& [name, value] : model.constants) input.clang_flags.push_back(fmt::format("-D{}={}", name, value));
  Measured m = check_file(input, "explicit", options, kTimeout, context);
  return {m.count("states_stored"), m.number("cpu_seconds"), m.number("bytes_per_state"),
          verdict::verdict_line(m.verdict)};
}

/// The fastest of three, for every tool alike: others use the machine, too.
template <typename Measure>
auto fastest(Measure measure) {
  auto best = std::optional<Figures>(measure());
  for (int i = 1; i < 3 && best && best->seconds < 5; ++i)
    if (std::optional<Figures> again = measure(); again && again->seconds < best->seconds) best = again;
  return best;
}

std::optional<Figures> run_spin(const Workshop& shop) {
  auto ran = shop.timed("./pan -m1000000 -w22");
  auto states = number_in(ran.output, R"(([0-9.e+]+) states, stored)");
  if (!states) return std::nullopt;
  Figures figures;
  figures.states = static_cast<uint64_t>(*states);
  // Its own figure leaves out the making of tables, but counts time in which others ran; it prints hundredths.
  double elapsed = number_in(ran.output, R"(elapsed time ([0-9.e+-]+) seconds)").value_or(ran.seconds);
  figures.seconds = std::min(std::max(elapsed, 0.01), ran.seconds);
  // The hash table, 8 bytes for each of its places, is not counted.
  auto actual = number_in(ran.output, R"(([0-9.]+)\s+actual memory usage for states)");
  if (!actual) actual = number_in(ran.output, R"(([0-9.]+)\s+equivalent memory usage for states)");
  if (actual) figures.bytes_per_state = *actual * 1024 * 1024 / *states;
  figures.verdict = ran.output.find("errors: 0") != std::string::npos ? "true" : "false";
  return figures;
}

std::optional<Figures> spin_figures(const Model& model, const Workshop& shop, const std::string& flags) {
  auto made = shop.run(fmt::format("spin{} -a {}.pml", defines(model.constants), model.name));
  if (made.status == 0) made = shop.run("gcc -w -O2 -DSAFETY" + flags + " -o pan pan.c");
  if (made.status != 0) return std::nullopt;
  return fastest([&] { return run_spin(shop); });
}

std::optional<Figures> rumur_figures(const Model& model, const Workshop& shop) {
  std::string text = shop.read(std::string(model.name) + ".m");
  for (const auto& [name, value] : model.constants)
    text = std::regex_replace(text, std::regex(fmt::format(R"(\b{}: [0-9]+;)", name)),
                              fmt::format("{}: {};", name, value), std::regex_constants::format_first_only);
  shop.write("model.m", text);
  auto made = shop.run("rumur --threads 1 --colour off --output model.c model.m");
  if (made.status == 0) made = shop.run("gcc -w -O3 -mcx16 -o model model.c -lpthread");
  if (made.status != 0) return std::nullopt;
  auto ran = shop.timed("./model");
  auto states = number_in(ran.output, R"(([0-9]+) states, [0-9]+ rules fired)");
  if (!states) return std::nullopt;
  Figures figures;
  figures.states = static_cast<uint64_t>(*states);
  figures.seconds = ran.seconds;
  // A struct of its own tells the size of a state; the set of pointers to them is not counted.
  shop.write("size.c",
             "#define main unused_main\n#include \"model.c\"\n#undef main\n"
             "int main(void) { printf(\"%zu bytes\\n\", sizeof(struct state)); return 0; }\n");
  if (shop.run("gcc -w -mcx16 -o size size.c -lpthread").status == 0)
    figures.bytes_per_state = number_in(shop.run("./size").output, "([0-9]+) bytes").value_or(0);
  figures.verdict = ran.output.find("No error found") != std::string::npos ? "true" : "false";
  return figures;
}

void add(Table& table, const Model& model, const std::string& tool, const std::optional<Figures>& f) {
  if (!f) return table.add({model.label, tool, "failed", "", "", "", ""});
  double rate = f->seconds > 0 ? static_cast<double>(f->states) / f->seconds : 0;
  table.add({model.label, tool, grouped(f->states), fmt::format("{:.3f}", f->seconds),
             grouped(static_cast<uint64_t>(rate)),
             f->bytes_per_state == 0 ? "?" : fmt::format("{:.1f}", f->bytes_per_state), f->verdict});
}

}  // namespace

int explicit_peers(const std::vector<std::string>& arguments, Context& context) {
  Arguments options(arguments, {"--dir", "--json"}, {"--quick"});
  std::string folder = options.value("--dir");
  if (folder.empty()) folder = bench_folder("explicit-peers");
  Workshop shop(folder);
  bool spin = shop.has("spin") && shop.has("gcc"), rumur = shop.has("rumur") && shop.has("gcc");
  if (!spin) fmt::print("SPIN (spin and gcc) is not installed and is left out.\n");
  if (!rumur) fmt::print("rumur (and gcc) is not installed and is left out.\n");

  Table table(
      "Peers. Seconds of processor time, the fastest of three; whittle's are those of the search. Bytes per state: "
      "whittle's include its index, "
      "SPIN's and rumur's not.",
      {"model", "tool", "states", "seconds", "states/s", "bytes/state", "verdict"});
  bool agree = true;
  for (const Model& model : models()) {
    if (context.limits.poll_now() != Stop::No) break;
    if (options.flag("--quick") && !model.quick) continue;
    auto note = [&](const std::string& tool, const std::optional<Figures>& figures) {
      add(table, model, tool, figures);
      agree &= figures && figures->verdict == "true";
    };
    context.progress.update([&] { return std::string(model.label); });
    note("whittle", fastest([&] { return whittle_figures(model, folder, {}, context); }));
    const EngineOptions plain{{"reduce", "none"}, {"private-steps", "no"}};
    note("whittle, unreduced", fastest([&] { return whittle_figures(model, folder, plain, context); }));
    // As the others do it: their states have all local variables. (Of the other models that is too many.)
    const EngineOptions all{{"reduce", "none"}, {"private-steps", "no"}, {"dead", "none"}};
    if (model.name == std::string("peterson"))
      note("whittle, with dead locals", fastest([&] { return whittle_figures(model, folder, all, context); }));
    if (spin) {
      note("SPIN", spin_figures(model, shop, ""));
      note("SPIN -DCOLLAPSE", spin_figures(model, shop, " -DCOLLAPSE"));
      note("SPIN -DNOREDUCE", spin_figures(model, shop, " -DNOREDUCE"));
      note("SPIN -DNOREDUCE -DCOLLAPSE", spin_figures(model, shop, " -DNOREDUCE -DCOLLAPSE"));
    }
    if (rumur) note("rumur", rumur_figures(model, shop));
    context.progress.clear();
  }
  table.print();
  write_json(options.value("--json"), {&table});
  if (!agree) fmt::print("\nNot every tool proved every model.\n");
  return agree ? 0 : 70;
}

}  // namespace whittle::app::suite
