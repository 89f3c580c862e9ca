#include "engines/programs.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "compiler/compiler.h"
#include "frontend/frontend.h"

namespace whittle::test {

namespace fs = std::filesystem;

unsigned program_count(unsigned usual, unsigned all) { return std::getenv("WHITTLE_LONG") != nullptr ? all : usual; }

namespace {

/// Deleted with everything in it.
struct Folder {
  fs::path path;
  Folder() {
    std::string name = (fs::temp_directory_path() / "whittle-test-XXXXXX").string();
    path = mkdtemp(name.data());
  }
  ~Folder() {
    std::error_code error;
    fs::remove_all(path, error);
  }
};

}  // namespace

program::Program load_text(const std::string& text, const verdict::Specification& specification) {
  Folder folder;
  fs::path source = folder.path / "program.c";
  std::ofstream(source) << text;
  frontend::Options load;
  load.specification = specification;
  load.runtime = WHITTLE_RUNTIME;
  return frontend::load_program({source.string()}, load);
}

void for_each_program(generate::Options options, unsigned count,
                      const std::function<void(program::Program&, uint64_t, const std::string&)>& use,
                      const std::function<void(generate::Options&)>& options_for) {
  auto text_of = [&](uint64_t seed) {
    generate::Options own = options;
    own.seed = seed;
    if (options_for) options_for(own);
    return generate::generate(own, std::to_string(seed));
  };
  for_each_text(generate::prelude(), options.seed, count, text_of, use);
}

void for_each_text(const std::string& prelude, uint64_t first_seed, unsigned count,
                   const std::function<std::string(uint64_t)>& text_of,
                   const std::function<void(program::Program&, uint64_t, const std::string&)>& use) {
  constexpr unsigned kBatch = 50;
  Folder folder;
  uint64_t next = first_seed;
  for (unsigned done = 0; done < count;) {
    unsigned size = std::min(kBatch, count - done);
    std::vector<std::pair<uint64_t, std::string>> batch;
    fs::path source = folder.path / "batch.c", bitcode = folder.path / "batch.bc";
    {
      std::ofstream out(source);
      out << prelude;
      for (unsigned i = 0; i < size; ++i, ++next) {
        batch.emplace_back(next, text_of(next));
        out << batch.back().second;
      }
    }
    std::string compile = compiler::default_program() + " -w -O0 -Xclang -disable-O0-optnone -g -emit-llvm -c -o " +
                          bitcode.string() + " " + source.string();
    ASSERT_EQ(std::system(compile.c_str()), 0) << compile;
    for (const auto& [seed, text] : batch) {
      frontend::Options load;
      load.entry = "main_" + std::to_string(seed);
      load.specification = verdict::default_specification();
      load.runtime = WHITTLE_RUNTIME;
      program::Program program = frontend::load_program({bitcode.string()}, load);
      use(program, seed, text);
      if (testing::Test::HasFatalFailure()) return;
    }
    done += size;
  }
}

}  // namespace whittle::test
