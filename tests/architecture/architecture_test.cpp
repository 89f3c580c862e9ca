#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "layers.h"

namespace whittle::architecture {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = WHITTLE_SOURCE_DIR;

std::string read(const fs::path& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<Layer> our_layers() { return parse_layers(read(kRoot / "src/layers.txt")); }

std::vector<std::string> sources() {
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / "src")) {
    std::string extension = entry.path().extension();
    if (extension == ".h" || extension == ".cpp") files.push_back(fs::relative(entry.path(), kRoot / "src"));
  }
  std::sort(files.begin(), files.end());
  return files;
}

TEST(Layers, IncludesGoUpOnly) {
  std::vector<Layer> layers = our_layers();
  std::vector<std::string> files = sources();
  ASSERT_GT(files.size(), 50u);
  for (const std::string& file : files)
    for (const Include& include : includes(read(kRoot / "src" / file))) {
      // The front end's LLVM headers are the only quoted ones that are not ours.
      if (include.path.starts_with("llvm/") || include.path.starts_with("clang/")) continue;
      std::string reason = objection(layers, file, include.path);
      EXPECT_TRUE(reason.empty()) << "src/" << file << ":" << include.line << " " << reason;
    }
}

TEST(Layers, OnlyTheFrontEndKnowsLlvmsIr) {
  for (const std::string& file : sources()) {
    if (file.starts_with("frontend/")) continue;
    EXPECT_EQ(read(kRoot / "src" / file).find("llvm/IR/"), std::string::npos) << "src/" << file;
  }
}

/// String literals of a source file, without comments and includes.
std::vector<std::string> literals(const std::string& text) {
  std::vector<std::string> found;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("#include")) continue;
    for (size_t i = 0; i < line.size(); ++i) {
      if (line.compare(i, 2, "//") == 0) break;
      if (line[i] == '\'' && line.compare(i, 3, "'\"'") == 0) i += 3;  // the character
      if (i >= line.size() || line[i] != '"') continue;
      std::string literal;
      for (++i; i < line.size() && line[i] != '"'; ++i) literal += line[i] == '\\' ? line[++i] : line[i];
      found.push_back(literal);
    }
  }
  return found;
}

/// Names that the models of threads and processes define: what other parts know of them is said by roles.
std::set<std::string> runtime_names() {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(kRoot / "runtime/src")) {
    if (entry.path().extension() != ".c" && entry.path().extension() != ".h") continue;
    std::string word;
    for (char c : read(entry.path())) {
      if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
        word += c;
        continue;
      }
      for (const char* prefix : {"pthread_", "sem_", "thrd_", "mtx_", "cnd_", "tss_", "__whittle_"})
        if (word.starts_with(prefix)) names.insert(word);
      word.clear();
    }
  }
  return names;
}

TEST(Layers, OnlyTheFrontEndKnowsNamesOfTheRuntime) {
  const std::set<std::string> names = runtime_names();
  ASSERT_TRUE(names.contains("pthread_mutex_lock") && names.contains("__whittle_thread_finish"));
  for (const std::string& file : sources()) {
    if (file.starts_with("frontend/") || file.ends_with("_test.cpp") || file.ends_with("test_support.h")) continue;
    for (const std::string& literal : literals(read(kRoot / "src" / file))) {
      EXPECT_FALSE(names.contains(literal)) << "src/" << file << " names " << literal;
      for (const char* prefix : {"pthread_", "__whittle_"})
        EXPECT_FALSE(literal == prefix) << "src/" << file << " names " << literal;
    }
  }
}

TEST(Layers, EveryFolderIsListed) {
  std::vector<Layer> layers = our_layers();
  std::set<std::string> folders;
  for (const Layer& layer : layers) {
    EXPECT_TRUE(folders.insert(layer.folder).second) << layer.folder << " is listed twice";
    EXPECT_FALSE(layer.holds.empty()) << layer.folder;
    EXPECT_FALSE(layer.never_knows.empty()) << layer.folder;
  }
  for (const std::string& file : sources()) EXPECT_TRUE(layer_of(layers, file)) << "src/" << file;
}

/// What loads, stores and atomic updates mean stands in semantics; engines and wp read it there. They may name statements
/// that move between frames, threads and lifetimes, which each of them keeps in its own way.
TEST(Layers, EnginesDoNotKnowWhatAccessesMean) {
  unsigned looked = 0;
  for (const std::string& file : sources()) {
    if ((!file.starts_with("engines/") && !file.starts_with("wp/")) || file.ends_with("_test.cpp") ||
        file.ends_with("test_support.h"))
      continue;
    const std::string text = read(kRoot / "src" / file);
    for (const char* kind : {"Kind::Load", "Kind::Store", "Kind::AtomicRmw", "Kind::AtomicCas"}) {
      const size_t at = text.find(kind);
      EXPECT_EQ(at, std::string::npos) << "src/" << file << " names " << kind;
    }
    ++looked;
  }
  EXPECT_GT(looked, 50u);
}

TEST(Architecture, TableIsCurrent) {
  const std::string begin = "<!-- table: made from src/layers.txt -->\n", end = "<!-- end of table -->\n";
  fs::path path = kRoot / "docs/architecture.md";
  std::string text = read(path);
  size_t from = text.find(begin), to = text.find(end);
  ASSERT_TRUE(from != std::string::npos && to != std::string::npos && from < to);
  from += begin.size();
  std::string expected = markdown(our_layers());
  if (std::getenv("WHITTLE_UPDATE") != nullptr) {
    std::ofstream(path) << text.substr(0, from) << expected << text.substr(to);
    return;
  }
  EXPECT_EQ(text.substr(from, to - from), expected)
      << "docs/architecture.md is out of date: run WHITTLE_UPDATE=1 architecture_test";
}

/// Files named in the pages for contributors must be there: such lists go stale silently.
TEST(Architecture, PagesNameFilesThatExist) {
  for (const char* page : {"CONTRIBUTING.md", "docs/architecture.md"}) {
    std::istringstream words(read(kRoot / page));
    unsigned checked = 0;
    for (std::string word; words >> word;) {
      size_t open = word.find('`'), close = word.find('`', open + 1);
      if (open == std::string::npos || close == std::string::npos) continue;
      std::string name = word.substr(open + 1, close - open - 1);
      bool path = name.find('/') != std::string::npos && name.find_first_of("*<>{}$()=") == std::string::npos;
      bool known = name.starts_with("src/") || name.starts_with("runtime/") || name.starts_with("tests/") ||
                   name.starts_with("docs/") || name.starts_with("cmake/");
      if (!path || !known || name.find("NAME") != std::string::npos) continue;
      EXPECT_TRUE(fs::exists(kRoot / name)) << page << " names " << name;
      ++checked;
    }
    EXPECT_GT(checked, 3u) << page;
  }
}

TEST(Rules, OnAMadeUpTable) {
  auto layers = parse_layers(
      "# comment\nbase | a | b\nprogram | c | d\nprogram/analysis | e | f\nengines | g | h\n"
      "engines/x | i | j\nengines/y | k | l\n");
  ASSERT_EQ(layers.size(), 6u);
  EXPECT_EQ(layers[1].holds, "c");
  EXPECT_EQ(layer_of(layers, "program/a.h"), 1u);
  EXPECT_EQ(layer_of(layers, "program/analysis/a.h"), 2u);
  EXPECT_EQ(layer_of(layers, "programs/a.h"), std::nullopt);
  EXPECT_EQ(objection(layers, "program/a.cpp", "base/b.h"), "");
  EXPECT_EQ(objection(layers, "program/a.cpp", "program/b.h"), "");
  EXPECT_NE(objection(layers, "base/a.cpp", "program/b.h"), "");
  EXPECT_NE(objection(layers, "program/a.cpp", "program/analysis/b.h"), "");
  EXPECT_EQ(objection(layers, "program/a_test.cpp", "program/analysis/b.h"), "");
  EXPECT_NE(objection(layers, "engines/y/a.cpp", "engines/x/b.h"), "");
  EXPECT_EQ(objection(layers, "engines/y/a.cpp", "engines/b.h"), "");
  EXPECT_NE(objection(layers, "program/a.cpp", "b.h"), "");
  auto found = includes("#include <x>\n  # include \"a/b.h\" // c\nint i; // #include \"no\"\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].line, 2u);
  EXPECT_EQ(found[0].path, "a/b.h");
}

}  // namespace
}  // namespace whittle::architecture
