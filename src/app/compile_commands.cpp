#include "app/compile_commands.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/nearest.h"

namespace whittle::app {

namespace {

namespace fs = std::filesystem;

/// Options with a folder or file as their value, in the same word or in the next.
constexpr std::array<std::string_view, 7> kWithPath = {"-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-isysroot", "-I"};
constexpr std::array<std::string_view, 2> kMacros = {"-D", "-U"};
constexpr std::array<std::string_view, 7> kPlain = {"-funsigned-char", "-fsigned-char",   "-fshort-enums", "-fshort-wchar",
                                                    "-fms-extensions", "-fwrapv",         "-ansi"};

std::string absolute(const std::string& path, const fs::path& folder) {
  fs::path p(path);
  return (p.is_absolute() ? p : folder / p).lexically_normal().string();
}

std::vector<std::string> kept_flags(const std::vector<std::string>& words, const fs::path& folder) {
  std::vector<std::string> flags;
  for (size_t i = 1; i < words.size(); ++i) {
    const std::string& word = words[i];
    auto value = [&](std::string_view option) {
      return word.size() > option.size() ? word.substr(option.size()) : i + 1 < words.size() ? words[++i] : std::string();
    };
    auto begins = [&](std::string_view option) { return word.starts_with(option); };
    if (auto path = std::ranges::find_if(kWithPath, begins); path != kWithPath.end()) {
      flags.emplace_back(*path);
      flags.push_back(absolute(value(*path), folder));
    } else if (auto macro = std::ranges::find_if(kMacros, begins); macro != kMacros.end()) {
      flags.push_back(std::string(*macro) + value(*macro));
    } else if (word.starts_with("-std=") || std::ranges::find(kPlain, word) != kPlain.end()) {
      flags.push_back(word);
    }
  }
  return flags;
}

std::string from_here(const std::string& path) {
  std::error_code error;
  fs::path relative = fs::path(path).lexically_relative(fs::current_path(error));
  return !error && !relative.empty() && *relative.begin() != ".." ? relative.string() : path;
}

}  // namespace

std::vector<std::string> shell_words(const std::string& command) {
  std::vector<std::string> words;
  std::string word;
  bool any = false;
  char quote = 0;
  for (size_t i = 0; i < command.size(); ++i) {
    const char c = command[i];
    if (quote == 0 && (c == ' ' || c == '\t' || c == '\n')) {
      if (any) words.push_back(std::move(word));
      word.clear();
      any = false;
      continue;
    }
    any = true;
    if (quote != '\'' && c == '\\' && i + 1 < command.size())
      word += command[++i];
    else if (quote == 0 && (c == '"' || c == '\''))
      quote = c;
    else if (quote != 0 && c == quote)
      quote = 0;
    else
      word += c;
  }
  if (any) words.push_back(std::move(word));
  return words;
}

bool Database::has(const std::string& file) const {
  std::error_code error;
  return flags_.contains(absolute(file, fs::current_path(error)));
}

std::vector<std::string> Database::flags_of(const std::string& file) const {
  std::error_code error;
  auto found = flags_.find(absolute(file, fs::current_path(error)));
  if (found == flags_.end()) fail_input("{} has no entry for {}{}", name_, file, suggestion(file, files_));
  return found->second;
}

Database read_database(const std::string& folder_or_file) {
  std::error_code error;
  fs::path file = folder_or_file;
  if (fs::is_directory(file, error)) file /= "compile_commands.json";
  std::ifstream stream(file);
  if (!stream) fail_input("{}: no such file (cmake writes it with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, bear for make)", file.string());
  nlohmann::json document = nlohmann::json::parse(stream, nullptr, false);
  if (!document.is_array()) fail_input("{} is no compilation database", file.string());
  Database database;
  database.name_ = file.string();
  for (const nlohmann::json& entry : document) {
    if (!entry.is_object() || !entry.contains("file")) fail_input("{} is no compilation database", file.string());
    const fs::path folder = absolute(entry.value("directory", "."), fs::absolute(file, error).parent_path());
    const std::string source = absolute(entry.value("file", ""), folder);
    std::vector<std::string> words;
    if (entry.contains("arguments"))
      for (const nlohmann::json& word : entry["arguments"]) words.push_back(word.is_string() ? word.get<std::string>() : "");
    else
      words = shell_words(entry.value("command", ""));
    if (!database.flags_.emplace(source, kept_flags(words, folder)).second) continue;  // a file that is compiled twice
    if (source.ends_with(".c")) database.files_.push_back(from_here(source));
  }
  return database;
}

}  // namespace whittle::app
