// Helpers of the front end's tests: snippets through the real clang, and shapes of what comes out.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/error.h"
#include "frontend/frontend.h"

namespace whittle::frontend::test {

/// A folder that goes away with the test.
class Folder {
 public:
  Folder() {
    std::string pattern = std::filesystem::temp_directory_path() / "whittle-test-XXXXXX";
    path_ = mkdtemp(pattern.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string file(const std::string& name) const { return (path_ / name).string(); }
  std::string write(const std::string& name, const std::string& content) const {
    std::ofstream(path_ / name, std::ios::binary) << content;
    return file(name);
  }
  size_t count() const {
    size_t n = 0;
    for ([[maybe_unused]] auto& entry : std::filesystem::directory_iterator(path_)) ++n;
    return n;
  }

 private:
  std::filesystem::path path_;
};

inline Options standard_options() {
  Options options;
  options.specification = verdict::default_specification();
  return options;
}

inline program::Program lower(const std::string& source, Options options = standard_options()) {
  Folder folder;
  program::Program program = load_program({folder.write("test.c", source)}, options);
  program.validate();
  return program;
}

inline const program::Function& function(const program::Program& program, const std::string& name) {
  auto id = program.find_function(name);
  if (!id) throw std::runtime_error("no function " + name);
  return program.functions[*id];
}

/// The statements of one kind in a function.
inline std::vector<program::Statement> statements(const program::Program& program, const std::string& name,
                                                  program::Kind kind) {
  std::vector<program::Statement> found;
  for (const program::Edge& edge : function(program, name).edges)
    if (edge.statement.kind == kind) found.push_back(edge.statement);
  return found;
}

inline size_t count(const program::Program& program, const std::string& name, program::Kind kind) {
  return statements(program, name, kind).size();
}

/// C text of an operand.
inline std::string text(const program::Program& program, term::Term term) { return term::to_c(program.terms(), term); }

/// The code and message of the Error that `f` throws; code 0 if it throws none.
template <typename F>
std::pair<int, std::string> error_of(F f) {
  try {
    f();
  } catch (const Error& error) {
    return {static_cast<int>(error.code()), error.what()};
  }
  return {0, ""};
}

}  // namespace whittle::frontend::test
