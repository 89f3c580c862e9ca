#include "app/svcomp_results.h"

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/output.h"
#include "base/error.h"

namespace whittle::app::svcomp {

const char* name(Kind kind) {
  constexpr const char* kNames[] = {"right", "wrong", "unknown", "crash"};
  return kNames[static_cast<int>(kind)];
}

Kind judge(const Task& task, const std::string& verdict) {
  if (verdict == "unknown") return Kind::Unknown;
  bool is_true = verdict == "true", is_false = verdict == "false(" + task.property + ")";
  if (task.property == "valid-memsafety") {
    bool any = verdict == "false(valid-deref)" || verdict == "false(valid-free)" || verdict == "false(valid-memtrack)";
    is_false = task.expected || task.subproperty.empty() ? any : verdict == "false(" + task.subproperty + ")";
  }
  if (!is_true && !is_false) return verdict.starts_with("false(") ? Kind::Wrong : Kind::Crash;
  return is_true == task.expected ? Kind::Right : Kind::Wrong;
}

int score(const Result& result) {
  if (result.kind == Kind::Right) return result.task.expected ? 2 : 1;
  if (result.kind == Kind::Wrong) return result.task.expected ? -16 : -32;
  return 0;
}

std::vector<Sums> sums(const std::vector<std::string>& sets, const std::vector<Result>& results) {
  std::vector<Sums> list;
  for (const std::string& set : sets) list.push_back({.set = set});
  list.push_back({.set = "all"});
  for (const Result& result : results)
    for (Sums& line : list) {
      if (&line != &list.back() && line.set != result.task.set) continue;
      ++line.tasks, ++line.count[static_cast<int>(result.kind)];
      line.score += score(result), line.seconds += result.seconds;
    }
  return list;
}

namespace {

nlohmann::ordered_json header(const Conditions& conditions) {
  return {{"engine", conditions.engine},
          {"timeout", conditions.timeout},
          {"memory", conditions.memory},
          {"cores", conditions.cores}};
}

}  // namespace

void save(const std::string& file, const Conditions& conditions, const std::vector<Result>& results) {
  if (file.empty()) return;
  nlohmann::ordered_json document = header(conditions), list = nlohmann::ordered_json::array();
  for (const Result& result : results)
    list.push_back({{"task", result.task.name},
                    {"set", result.task.set},
                    {"property", result.task.property},
                    {"expected", result.task.expected},
                    {"verdict", result.verdict},
                    {"kind", name(result.kind)},
                    {"score", score(result)},
                    {"seconds", result.seconds},
                    {"cpu_seconds", result.cpu}});
  document["results"] = list;
  std::string text = document.dump(1) + "\n";
  if (file == "-") return write_file(file, text);
  write_file(file + ".part", text);
  if (std::rename((file + ".part").c_str(), file.c_str()) != 0) fail_input("cannot write {}", file);
}

std::map<std::string, Result> load(const std::string& file, const Conditions& conditions) {
  std::map<std::string, Result> known;
  std::ifstream stream(file);
  if (file.empty() || file == "-" || !stream) return known;
  auto document = nlohmann::ordered_json::parse(stream, nullptr, false);
  if (!document.is_object() || !document.contains("results")) return known;
  nlohmann::ordered_json wanted = header(conditions);
  for (const auto& [key, value] : wanted.items())
    if (!document.contains(key) || document[key] != value) return known;
  for (const auto& entry : document["results"]) {
    Result result;
    result.verdict = entry.value("verdict", "");
    result.seconds = entry.value("seconds", 0.0);
    result.cpu = entry.value("cpu_seconds", 0.0);
    known[entry.value("task", "")] = result;
  }
  return known;
}

}  // namespace whittle::app::svcomp
