#include "app/load.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "app/compile_commands.h"
#include "base/error.h"
#include "compiler/compiler.h"
#include "frontend/frontend.h"
#include "program/claims.h"

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

namespace {

/// NAME and what follows the separator.
std::pair<std::string, std::string> named(const std::string& option, const std::string& text, char separator) {
  size_t at = text.find(separator);
  if (at == std::string::npos || at == 0 || at + 1 == text.size())
    fail_usage("{} {}: write NAME{}VALUE", option, text, separator);
  return {text.substr(0, at), text.substr(at + 1)};
}

std::map<std::string, uint64_t> sizes(const std::string& option, const std::vector<std::string>& texts) {
  std::map<std::string, uint64_t> result;
  for (const std::string& text : texts) {
    auto [name, value] = named(option, text, '=');
    uint64_t number = 0;
    auto [rest, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc() || rest != value.data() + value.size()) fail_usage("{} {}: `{}` is no number", option, text, value);
    result[name] = number;
  }
  return result;
}

frontend::HarnessOptions harness_options(const InputOptions& input) {
  frontend::HarnessOptions options;
  options.buffers = sizes("--buffer", input.buffers);
  options.strings = sizes("--string", input.strings);
  for (const std::string& text : input.lengths) options.lengths.insert(named("--length", text, ':'));
  options.may_be_null.insert(input.nulls.begin(), input.nulls.end());
  options.depth = input.depth;
  options.any_globals = input.any_globals;
  return options;
}

std::vector<frontend::Stub> stubs(const InputOptions& input) {
  std::vector<frontend::Stub> result;
  for (const std::string& text : input.stubs) {
    auto [name, what] = named("--stub", text, '=');
    using Kind = frontend::Stub::Kind;
    if (what == "any")
      result.push_back({name, Kind::Any, {}});
    else if (what == "havoc-arguments")
      result.push_back({name, Kind::HavocArguments, {}});
    else if (what == "zero")
      result.push_back({name, Kind::Zero, {}});
    else if (what.find('.') != std::string::npos)
      result.push_back({name, Kind::File, what});
    else
      fail_usage("--stub {}: write any, havoc-arguments, zero or the name of a file, not `{}`", text, what);
  }
  return result;
}

/// A harness is no part of the build: it takes the flags of the first file beside it that is.
void take_flags(const Database& database, const std::vector<std::string>& files, frontend::Options& options, std::vector<std::string>& warnings) {
  auto lender = std::ranges::find_if(files, [&](const std::string& file) { return database.has(file); });
  for (const std::string& file : files) {
    if (!file.ends_with(".c")) continue;
    const bool borrows = lender != files.end() && !database.has(file);
    options.file_flags[file] = database.flags_of(borrows ? *lender : file);
    if (borrows) warnings.push_back(fmt::format("the build has no entry for {}: it gets the flags of {}", file, *lender));
  }
}

frontend::Options frontend_options(const InputOptions& input, const verdict::Specification& specification, bool strict, std::vector<std::string>& warnings) {
  frontend::Options options;
  options.clang = compiler::default_program();
  options.data_model = input.data_model == "ILP32" ? program::DataModel::ILP32 : program::DataModel::LP64;
  options.entry = input.entry;
  options.harness = harness_options(input);
  if (input.entry == "main" && options.harness.given())
    fail_usage("--buffer, --length, --string, --null and --any-globals are about the arguments of a function: --entry names it");
  options.stubs = stubs(input);
  options.arguments = input.arguments;
  options.argument_length = input.argument_length;
  options.text_length = input.text_length;
  options.signals = input.signals;
  options.malloc_may_fail = input.malloc_may_fail;
  options.spurious_wakeups = input.spurious_wakeups;
  if (!input.database.empty()) take_flags(read_database(input.database), input.files, options, warnings);
  for (const std::string& path : input.include_paths) options.clang_flags.push_back("-I" + path);
  for (const std::string& define : input.defines) options.clang_flags.push_back("-D" + define);
  options.clang_flags.insert(options.clang_flags.end(), input.clang_flags.begin(), input.clang_flags.end());
  options.specification = specification;
  options.strict = strict;
  options.runtime = find_own("whittle_runtime_" + input.data_model + ".bc").string();
  options.include = find_own("include").string();
  return options;
}

}  // namespace

std::string harness_for(const InputOptions& input) {
  std::vector<std::string> warnings;
  return frontend::write_harness(input.files, frontend_options(input, verdict::default_specification(), false, warnings));
}

std::map<std::string, std::string> made_texts(const InputOptions& input) {
  if (input.entry == "main") return {};
  try {
    return {{"harness", harness_for(input)}};
  } catch (const Error&) {
    return {};  // of bitcode, parameters are inputs
  }
}

program::Program load(const InputOptions& input, const verdict::Specification& specification, bool strict) {
  std::vector<std::string> warnings;
  const frontend::Options options = frontend_options(input, specification, strict, warnings);
  program::Program program = frontend::load_program(input.files, options);
  program.warnings.insert(program.warnings.begin(), warnings.begin(), warnings.end());
  return input.ignore.empty() ? std::move(program) : passing_over(program, input.ignore);
}

program::Program passing_over(const program::Program& program, const std::vector<std::string>& places) {
  std::vector<program::Site> sites;
  for (const std::string& place : places) {
    std::vector<program::Site> here = program::sites_at(program, place);
    if (here.empty()) fail_usage("--ignore {}: nothing can be violated there (write FILE:LINE or FILE:LINE:COLUMN)", place);
    for (const program::Site& site : here)
      if (std::ranges::find(sites, site) == sites.end()) sites.push_back(site);
  }
  program::Program result = program::ignoring(program, sites);
  for (const std::string& place : places) result.assumptions.push_back("what is violated at " + place + " is passed over");
  return result;
}

verdict::Specification specification_of(const Options& options) {
  verdict::Specification specification =
      options.property.empty() ? verdict::default_specification() : verdict::parse_specification(options.property);
  if (!options.error_function.empty()) {
    if (!specification.has(verdict::Property::UnreachCall)) specification.error_functions.clear();
    specification.properties.insert(verdict::Property::UnreachCall);
    specification.error_functions.insert(options.error_function);
  }
  return specification;
}

}  // namespace whittle::app
