#include "app/load.h"

#include <filesystem>

#include "base/error.h"
#include "compiler/compiler.h"
#include "frontend/frontend.h"

namespace whittle::app {

namespace fs = std::filesystem;

/// In the build tree: BUILD/bin/whittle, BUILD/runtime; installed: PREFIX/share/whittle.
fs::path find_own(const std::string& name) {
  std::error_code error;
  fs::path program = fs::read_symlink("/proc/self/exe", error);
  fs::path prefix = program.parent_path().parent_path();
  for (fs::path candidate : {prefix / "runtime" / name, prefix / "share" / "whittle" / name,
                             prefix.parent_path().parent_path() / "runtime" / name})
    if (fs::exists(candidate, error)) return candidate;
  fail_internal("cannot find {} beside {}: the installation is not complete", name, program.string());
}

program::Program load(const InputOptions& input, const verdict::Specification& specification, bool strict) {
  frontend::Options options;
  options.clang = compiler::default_program();
  options.data_model = input.data_model == "ILP32" ? program::DataModel::ILP32 : program::DataModel::LP64;
  options.entry = input.entry;
  for (const std::string& path : input.include_paths) options.clang_flags.push_back("-I" + path);
  for (const std::string& define : input.defines) options.clang_flags.push_back("-D" + define);
  options.clang_flags.insert(options.clang_flags.end(), input.clang_flags.begin(), input.clang_flags.end());
  options.specification = specification;
  options.strict = strict;
  options.runtime = find_own("whittle_runtime_" + input.data_model + ".bc").string();
  options.include = find_own("include").string();
  return frontend::load_program(input.files, options);
}

verdict::Specification specification_of(const Options& options) {
  return options.property.empty() ? verdict::default_specification() : verdict::parse_specification(options.property);
}

}  // namespace whittle::app
