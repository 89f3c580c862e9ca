#include "app/replay.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "app/firmware.h"
#include "base/error.h"
#include "base/file.h"
#include "report/report.h"
#include "report/sha256.h"
#include "verdict/inputs.h"

namespace whittle::app {

namespace {

std::string without_comments(std::istream& stream) {
  std::string result;
  for (std::string line; std::getline(stream, line);) result += line.substr(0, line.find('#')) + "\n";
  return result;
}

std::string text_or_content(const std::string& text_or_file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(text_or_file, error)) return text_or_file;
  std::ifstream stream(text_or_file);
  if (!stream) fail_input("cannot read {}", text_or_file);
  return without_comments(stream);
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  for (char c : text + ",") {
    if (c == ',' || c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      if (!word.empty()) words.push_back(std::move(word));
      word.clear();
    } else {
      word += c;
    }
  }
  return words;
}

void add_values(std::vector<u128>& inputs, const std::string& word) {
  if (!verdict::add_inputs(word, inputs))
    fail_usage("`{}` is neither a file nor a value (write 5, -1, 0x1f, 2.5, 2.5f or VALUE:COUNT, with commas between them)", word);
}

void add_steps(std::vector<uint32_t>& schedule, const std::string& word) {
  uint32_t thread = 0;
  uint64_t count = 1;
  const char* end = word.data() + word.size();
  auto [rest, error] = std::from_chars(word.data(), end, thread);
  if (error == std::errc() && rest != end && *rest == ':') {
    auto [after, count_error] = std::from_chars(rest + 1, end, count);
    error = count_error;
    rest = after;
  }
  if (error != std::errc() || rest != end || count > 100'000'000)
    fail_usage("`{}` is neither a file nor a schedule (write THREAD or THREAD:COUNT, with commas between them)", word);
  schedule.insert(schedule.end(), count, thread);
}

std::string inputs_text(const verdict::Counterexample& counterexample) {
  std::vector<std::string> values;
  for (const verdict::Input& input : counterexample.inputs) values.push_back(report::value_text(input));
  return verdict::with_counts(values);
}

std::string digest(const std::string& file) {
  return report::sha256_hex(file_text(file));
}

/// A file's name as one word.
std::string encoded(const std::string& name) {
  std::string out;
  for (char c : name)
    out += c <= ' ' || c == ',' || c == '#' || c == '%' ? fmt::format("%{:02X}", static_cast<unsigned char>(c)) : std::string(1, c);
  return out;
}
std::string decoded(const std::string& word) {
  std::string out;
  for (size_t i = 0; i < word.size(); ++i) {
    unsigned code = 0;
    const char* digits = word.data() + i + 1;
    if (word[i] == '%' && i + 2 < word.size() && std::from_chars(digits, digits + 2, code, 16).ptr == digits + 2) {
      out += static_cast<char>(code);
      i += 2;
    } else {
      out += word[i];
    }
  }
  return out;
}

}  // namespace

std::string quote(const std::string& word) {
  bool plain = !word.empty() &&
               word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%") ==
                   std::string::npos;
  if (plain) return word;
  std::string result = "'";
  for (char c : word) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

std::vector<u128> parse_inputs(const std::string& values_or_file) {
  std::vector<u128> values;
  for (const std::string& word : words_of(text_or_content(values_or_file))) add_values(values, word);
  return values;
}

std::vector<uint32_t> parse_schedule(const std::string& text_or_file) {
  std::vector<uint32_t> schedule;
  for (const std::string& word : words_of(text_or_content(text_or_file))) add_steps(schedule, word);
  return schedule;
}

std::string counterexample_file(const verdict::Verdict& verdict, const std::string& replay_command,
                                const std::vector<std::string>& files) {
  std::string digests;
  for (const std::string& file : files) digests += fmt::format("program {} {}\n", digest(file), encoded(file));
  return fmt::format("# whittle counterexample: {}\n# {}\n{}inputs {}\nschedule {}\n", verdict::verdict_line(verdict),
                     replay_command, digests, inputs_text(verdict.counterexample),
                     report::schedule_text(verdict.counterexample.schedule));
}

std::string first_change(const ReplayData& data, const std::vector<std::string>& files) {
  for (size_t i = 0; i < std::max(files.size(), data.digests.size()); ++i) {
    if (i >= data.digests.size()) return data.digests.empty() ? "" : files[i] + " was no part of the program then";
    if (i >= files.size()) return data.digests[i].first + " was part of the program then";
    if (digest(files[i]) != data.digests[i].second)
      return files[i] == data.digests[i].first ? files[i] + " has changed since"
                                               : fmt::format("{} is not the {} it was written for", files[i], data.digests[i].first);
  }
  return "";
}

ReplayData read_counterexample(const std::string& file) {
  std::ifstream stream(file);
  if (!stream) fail_input("cannot read {}", file);
  std::istringstream lines(without_comments(stream));
  ReplayData data;
  bool any = false;
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string> words = words_of(line);
    if (words.empty()) continue;
    any = true;
    if (words[0] == "program" && words.size() == 3) {
      data.digests.emplace_back(decoded(words[2]), words[1]);
      continue;
    }
    if (words[0] != "inputs" && words[0] != "schedule")
      fail_input("{} is no counterexample: unknown line `{}`", file, line);
    for (size_t i = 1; i < words.size(); ++i) {
      if (words[0] == "inputs")
        add_values(data.inputs, words[i]);
      else
        add_steps(data.schedule, words[i]);
    }
  }
  if (!any) fail_input("{} is no counterexample: it has neither inputs nor a schedule", file);
  return data;
}

std::string replay_command(const Options& options, const verdict::Counterexample& counterexample,
                           uint64_t formula) {
  std::string command = "whittle run";
  for (const std::string& file : options.input.files) command += " " + quote(file);
  if (is_firmware(options)) command += firmware_arguments(options, formula);
  if (options.input.data_model != "LP64") command += " --data-model " + options.input.data_model;
  if (options.input.entry != "main") command += " --entry " + quote(options.input.entry);
  auto each = [&](const char* option, const std::vector<std::string>& values) {
    for (const std::string& value : values) command += fmt::format(" {} {}", option, quote(value));
  };
  if (!options.input.database.empty()) command += " -p " + quote(options.input.database);
  each("--buffer", options.input.buffers);
  each("--length", options.input.lengths);
  each("--string", options.input.strings);
  each("--null", options.input.nulls);
  if (options.input.depth != InputOptions{}.depth) command += fmt::format(" --depth {}", options.input.depth);
  if (options.input.any_globals) command += " --any-globals";
  each("--stub", options.input.stubs);
  if (options.input.arguments != InputOptions{}.arguments) command += fmt::format(" --args {}", options.input.arguments);
  if (options.input.argument_length != InputOptions{}.argument_length) command += fmt::format(" --arg-length {}", options.input.argument_length);
  each("--ignore", options.input.ignore);
  if (options.input.text_length != InputOptions{}.text_length) command += fmt::format(" --text-length {}", options.input.text_length);
  if (options.input.signals > 0) command += fmt::format(" --signals {}", options.input.signals);
  if (options.input.malloc_may_fail) command += " --malloc-may-fail";
  if (options.input.spurious_wakeups) command += " --spurious-wakeups";
  for (const std::string& path : options.input.include_paths) command += " -I " + quote(path);
  for (const std::string& define : options.input.defines) command += " -D " + quote(define);
  if (!options.property.empty()) command += " --property " + quote(options.property);
  if (!options.counterexample.empty()) {
    command += " --counterexample " + quote(options.counterexample);
  } else {
    if (!counterexample.inputs.empty()) command += " --inputs " + quote(inputs_text(counterexample));
    if (!counterexample.schedule.empty())
      command += " --schedule " + quote(report::schedule_text(counterexample.schedule));
  }
  if (!options.input.clang_flags.empty()) command += " --";
  for (const std::string& flag : options.input.clang_flags) command += " " + quote(flag);
  return command;
}

}  // namespace whittle::app
