#include "app/suite/solvers_suite.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "app/options.h"
#include "app/suite/arguments.h"
#include "app/suite/check_file.h"
#include "app/suite/table.h"
#include "solve/stack.h"

namespace whittle::app::suite {

namespace {

namespace fs = std::filesystem;

struct QuestionKind {
  const char* kind;
  const char* engine;
  std::vector<const char*> folders;  ///< below bench/
};

const QuestionKind kKinds[] = {
    {"path conditions", "guided", {"guided", "solvers"}},
    {"path conditions, reasons for them", "dpr", {"dash", "solvers"}},
    {"states of tests, induction", "dash", {"dash", "solvers"}},
    {"all paths as one formula", "merge", {"solvers", "dash"}},
};

struct Sum {
  double seconds = 0;
  unsigned decided = 0, programs = 0;
};

}  // namespace

int solvers(const std::vector<std::string>& arguments, Context& context) {
  Arguments options(arguments, {"--engine", "--only", "--timeout", "--json"}, {});
  const double timeout = parse_duration(options.value("--timeout", "20s"));
  const std::string only = options.value("--only");
  const std::vector<solve::Engine> asked{solve::Engine::Z3, solve::Engine::Cvc5, solve::Engine::Cadical};

  std::vector<std::string> columns{"kind of question", "engine", "program"};
  for (solve::Engine e : asked) {
    const std::string name(solve::kEngineNames[static_cast<size_t>(e)]);
    columns.insert(columns.end(), {name, name + " seconds"});
  }
  Table table("Seconds of processor time, of the whole search", columns);
  bool agree = true;
  for (const QuestionKind& kind : kKinds) {
    if (options.flag("--engine") && options.value("--engine") != kind.engine) continue;
    std::vector<fs::path> files;
    for (const char* folder : kind.folders)
      for (const auto& entry : fs::directory_iterator(bench_folder(folder)))
        if (entry.path().extension() == ".c" && entry.path().stem().string().find(only) != std::string::npos)
          files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    std::vector<Sum> sums(asked.size());
    for (const fs::path& file : files) {
      std::vector<std::string> row{kind.kind, kind.engine, file.stem().string()};
      std::string decided;
      for (size_t i = 0; i < asked.size(); ++i) {
        if (context.limits.poll_now() != Stop::No) break;
        context.progress.update([&] {
          return fmt::format("{} {} {}", kind.engine, solve::kEngineNames[static_cast<size_t>(asked[i])],
                             file.stem().string());
        });
        const solve::SolverOptions solver{.engine = asked[i]};
        Context with_solver{context.limits, context.statistics, context.progress, nullptr, &solver};
        InputOptions input;
        input.files = {file.string()};
        const Measured measured = check_file(input, kind.engine, {}, timeout, with_solver);
        const std::string verdict = verdict::verdict_line(measured.verdict);
        row.insert(row.end(), {verdict, fmt::format("{:.2f}", measured.cpu_seconds)});
        ++sums[i].programs;
        sums[i].seconds += measured.cpu_seconds;
        if (measured.verdict.answer == verdict::Answer::Unknown) continue;
        ++sums[i].decided;
        agree &= decided.empty() || decided == verdict;
        decided = verdict;
      }
      table.add(row);
    }
    std::vector<std::string> row{kind.kind, kind.engine, "sum"};
    for (const Sum& sum : sums)
      row.insert(row.end(), {fmt::format("{} of {}", sum.decided, sum.programs), fmt::format("{:.2f}", sum.seconds)});
    table.add(row);
  }
  context.progress.clear();
  table.print();
  write_json(options.value("--json"), {&table});
  if (!agree) fmt::print("The solvers lead to different verdicts.\n");
  return agree ? 0 : 70;
}

}  // namespace whittle::app::suite
