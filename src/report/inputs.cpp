// Inputs as people name them: texts rather than bytes.
#include <fmt/format.h>

#include <charconv>
#include <map>
#include <optional>
#include <set>

#include "report/report.h"
#include "report/scanned.h"

namespace whittle::report {

namespace {

/// "argv[1][3]": which argument, and which character of it.
struct ArgumentByte {
  std::string argument;
  size_t offset = 0;
};
std::optional<ArgumentByte> argument_byte(const std::string& origin) {
  const size_t bracket = origin.rfind('[');
  if (!origin.starts_with("argv[") || bracket <= 4 || !origin.ends_with(']')) return std::nullopt;
  ArgumentByte result{origin.substr(0, bracket), 0};
  std::from_chars(origin.data() + bracket + 1, origin.data() + origin.size() - 1, result.offset);
  return result;
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const bool digit_follows = i + 1 < text.size() && text[i + 1] >= '0' && text[i + 1] <= '7';
    if (c == '"' || c == '\\')
      out += fmt::format("\\{}", text[i]);
    else if (c == '\n')
      out += "\\n";
    else if (c >= ' ' && c < 127)
      out += text[i];
    else
      out += digit_follows ? fmt::format("\\{:03o}", c) : fmt::format("\\{:o}", c);
  }
  return out + "\"";
}

/// "name" and 3 of "name[3]".
std::optional<std::pair<std::string_view, size_t>> element_of(std::string_view variable) {
  const size_t bracket = variable.rfind('[');
  size_t number = 0;
  if (bracket == std::string_view::npos || !variable.ends_with(']')) return std::nullopt;
  const auto end = std::from_chars(variable.data() + bracket + 1, variable.data() + variable.size() - 1, number).ptr;
  return end == variable.data() + variable.size() - 1 ? std::optional(std::pair(variable.substr(0, bracket), number)) : std::nullopt;
}

/// Characters of one array, read one after the other from memory that had no value: the number of the last one.
size_t end_of_text(const Run& run, size_t first) {
  const std::vector<verdict::Input>& inputs = run.verdict.counterexample.inputs;
  const auto begin = element_of(input_name(run, first));
  size_t end = first + 1;
  auto is_character = [&](size_t k) { return inputs[k].width == 8 && inputs[k].origin.starts_with("uninitialised") && (inputs[k].value == 0 || (inputs[k].value >= ' ' && inputs[k].value <= '~')); };
  if (!begin || !is_character(first)) return end;
  for (; end < inputs.size() && is_character(end) && inputs[end].origin == inputs[first].origin; ++end) {
    const auto next = element_of(input_name(run, end));
    if (!next || next->first != begin->first || next->second != begin->second + (end - first)) break;
  }
  return end;
}

/// Characters that no run looked at may be anything.
std::string argument_text(const std::map<size_t, char>& bytes) {
  std::string text;
  for (const auto& [offset, byte] : bytes) {
    text.resize(std::max(text.size(), offset), '?');
    if (byte == 0) break;
    text += byte;
  }
  return text;
}

/// What objects of a harness hold was put there by whoever calls the function.
std::string origin_of(const verdict::Input& input) {
  return input.origin.find(" allocated at harness:") == std::string::npos ? input.origin : "from the caller";
}

/// Functions that read from standard input, or from a file.
const std::set<std::string> kReaders{"getchar", "getchar_unlocked", "fgetc",   "fgetc_unlocked", "getc",  "getc_unlocked", "_IO_getc", "gets",
                                     "fgets",   "fgets_unlocked",   "getline", "getdelim",       "fread", "fread_unlocked", "read"};
const char* const kCount = "number of arguments";

}  // namespace

Surroundings surroundings(const verdict::Counterexample& counterexample, const std::vector<std::string>& formats) {
  Surroundings result;
  std::map<std::string, std::map<size_t, char>> arguments;
  size_t count = 0;
  ReadText text;
  bool met_end = false;  // the last scanf
  for (size_t i = 0; i < counterexample.inputs.size(); ++i) {
    const verdict::Input& input = counterexample.inputs[i];
    if (i < formats.size() && !formats[i].empty()) {
      result.has_text = true;
      i = text.add_scanf(formats[i], counterexample.inputs, i) - 1;
      met_end = text.ended();
      result.known.resize(i + 1, true);
      continue;
    }
    bool known = true;
    if (result.has_text && input.origin.ends_with("scanf")) {  // did it meet the end, and if it did, was that an error?
      if (!met_end && input.value == 0) text.has_more();
      result.known.push_back(!met_end || input.value == 0);
      met_end = !met_end && input.value != 0;
      continue;
    }
    if (std::optional<ArgumentByte> byte = argument_byte(input.origin)) {
      for (unsigned k = 0; k < input.width / 8; ++k) arguments[byte->argument][byte->offset + k] = static_cast<char>(input.value >> (8 * k));
    } else if (input.origin == kCount) {
      result.has_arguments = true;
      count = static_cast<size_t>(input.value);
    } else if (kReaders.contains(input.origin)) {
      result.has_text = true;
      known = input.origin != "read" || input.width != 1 || input.value == 0;  // that it fails is not on standard input
      if (input.width == 8) text.add(static_cast<char>(input.value));
    } else {
      known = false;
    }
    result.known.push_back(known);
  }
  result.text = text.text();
  for (size_t i = 1; i <= count; ++i) result.arguments.push_back(argument_text(arguments[fmt::format("argv[{}]", i)]));
  return result;
}

std::vector<InputRow> input_rows(const Run& run) {
  const std::vector<verdict::Input>& inputs = run.verdict.counterexample.inputs;
  std::vector<InputRow> rows;
  std::map<std::string, std::pair<size_t, std::map<size_t, char>>> arguments;  // row, and characters
  for (size_t i = 0; i < inputs.size(); ++i) {
    const verdict::Input& input = inputs[i];
    if (std::optional<ArgumentByte> byte = argument_byte(input.origin)) {
      auto [found, fresh] = arguments.try_emplace(byte->argument, rows.size(), std::map<size_t, char>());
      if (fresh) rows.push_back({i, i, "", "command line", "", 0});
      rows[found->second.first].last = i;
      for (unsigned k = 0; k < input.width / 8; ++k) found->second.second[byte->offset + k] = static_cast<char>(input.value >> (8 * k));
      continue;
    }
    if (i < run.trace.inputs.size() && !run.trace.inputs[i].format.empty()) {
      ReadText text;
      const size_t end = text.add_scanf(run.trace.inputs[i].format, inputs, i);
      rows.push_back({i, end - 1, quoted(text.text()), input.origin, input.file, input.line});
      i = end - 1;
      continue;
    }
    if (i < run.trace.inputs.size() && !run.trace.inputs[i].whole.empty()) {
      const verdict::DetailedTrace::InputName& name = run.trace.inputs[i];
      rows.push_back({i, i + name.count - 1, name.variable + " = " + name.whole, input.origin, input.file, input.line});
      i += name.count - 1;
      continue;
    }
    if (const size_t end = end_of_text(run, i); end > i + 1) {
      const auto [array, at] = *element_of(input_name(run, i));
      std::string text;
      for (size_t k = i; k < end; ++k) text += static_cast<char>(inputs[k].value);
      while (text.size() > 1 && text.back() == 0) text.pop_back();
      rows.push_back({i, end - 1, (at == 0 ? std::string(array) : fmt::format("{}[{}..{}]", array, at, at + end - i - 1)) + " = " + quoted(text), origin_of(input), input.file, input.line});
      i = end - 1;
      continue;
    }
    // Bytes that a function of the library read; what a program asks for byte by byte it means as numbers.
    auto is_byte = [&](size_t k) {
      const std::string& origin = inputs[k].origin;
      return inputs[k].width == 8 && input_name(run, k).empty() && origin.find("nondet") == std::string::npos && origin.find(' ') == std::string::npos;
    };
    auto together = [&](size_t k) {
      return is_byte(k) && inputs[k].origin == input.origin && inputs[k].file == input.file && inputs[k].line == input.line;
    };
    size_t end = i + 1;
    if (is_byte(i) && !input.file.empty())
      while (end < inputs.size() && together(end)) ++end;
    InputRow row{i, end - 1, "", input.origin, input.file, input.line};
    if (end == i + 1) {
      row.value = (input_name(run, i).empty() ? "" : input_name(run, i) + " = ") + value_text(input);
      if (i < run.trace.inputs.size() && !run.trace.inputs[i].text.empty())
        row.value = fmt::format("{} = {} ({})", input_name(run, i), run.trace.inputs[i].text, value_text(input));
      const bool character = kReaders.contains(input.origin) && input.width == 8;
      if (character && row.value == value_text(input) && input.value >= ' ' && input.value <= '~')
        row.value = fmt::format("'{}' ({})", static_cast<char>(input.value), row.value);
      row.origin = origin_of(input);
      if (i < run.trace.inputs.size() && run.trace.inputs[i].inside && !character) row.origin = "choice in " + input.origin;
    } else {
      std::string text;
      for (size_t k = i; k < end; ++k) text += static_cast<char>(inputs[k].value);
      while (text.size() > 1 && text.back() == 0) text.pop_back();
      row.value = quoted(text);
    }
    rows.push_back(std::move(row));
    i = end - 1;
  }
  for (const auto& [name, argument] : arguments) rows[argument.first].value = name + " = " + quoted(argument_text(argument.second));
  return rows;
}

}  // namespace whittle::report
