// The build's own database, compile_commands.json: which files there are and how each is compiled.
//
//   Database database = read_database("build");          // or the file itself
//   database.flags_of("src/parse.c");                     // -I, -D, -std, ... with folders that hold from here
#pragma once

#include <map>
#include <string>
#include <vector>

namespace whittle::app {

class Database {
 public:
  /// C files, as paths from here where that is possible, in the order of the database.
  const std::vector<std::string>& files() const { return files_; }
  /// What matters to a checker: folders and files to include, macros, the standard, sizes of types. Throws Error (bad
  /// input) if the database does not have the file.
  std::vector<std::string> flags_of(const std::string& file) const;
  bool has(const std::string& file) const;

 private:
  friend Database read_database(const std::string& folder_or_file);
  std::string name_;
  std::vector<std::string> files_;
  std::map<std::string, std::vector<std::string>> flags_;  ///< by absolute path
};

/// Throws Error (bad input) if there is no such file or it is none.
Database read_database(const std::string& folder_or_file);

/// The words of a shell command, as far as build systems write them: quotes and backslashes.
std::vector<std::string> shell_words(const std::string& command);

}  // namespace whittle::app
