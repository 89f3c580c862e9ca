#include "frontend/compile.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <optional>

#include "base/error.h"
#include "compiler/compiler.h"
#include "frontend/checks.h"
#include "frontend/cprover_syntax.h"
#include "frontend/dialect.h"
#include "frontend/folded.h"
#include "frontend/syntax_tree.h"

namespace whittle::frontend {
namespace {

using compiler::Outcome;

/// A file descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

std::string read_descriptor(int fd) {
  std::string content;
  char buffer[1 << 16];
  for (;;) {
    ssize_t n = read(fd, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return content;
    content.append(buffer, static_cast<size_t>(n));
  }
}

/// Where a line marker (`# 12 "file.c" 1`, `#line 12 "file.c"`) begins and ends, and the file it names.
struct LineMarker {
  size_t begin, end;
  std::string file;  ///< empty: the same file
};

std::vector<LineMarker> line_markers(const std::string& source) {
  std::vector<LineMarker> found;
  auto skip_blanks = [&](size_t i, size_t end) {
    while (i < end && (source[i] == ' ' || source[i] == '\t')) ++i;
    return i;
  };
  for (size_t begin = 0; begin < source.size();) {
    size_t end = std::min(source.find('\n', begin), source.size());
    size_t i = skip_blanks(begin, end);
    if (i < end && source[i] == '#') {
      i = skip_blanks(i + 1, end);
      bool marker = (i < end && source[i] >= '0' && source[i] <= '9') || source.compare(i, 5, "line ") == 0;
      if (marker) {
        size_t open = source.find('"', i), close = open < end ? source.find('"', open + 1) : end;
        found.push_back({begin, end, open < end && close < end ? source.substr(open + 1, close - open - 1) : ""});
      }
    }
    begin = end + 1;
  }
  return found;
}

/// Lines count as lines of the file itself: all of a .i file, the one file a user has, and of a .c file that was made
/// from files which are not there. Returns whether there was something to blank.
bool blank_line_markers(std::string& source, bool all) {
  std::vector<LineMarker> markers = line_markers(source);
  bool gone = std::any_of(markers.begin(), markers.end(), [](const LineMarker& marker) {
    return !marker.file.empty() && access(marker.file.c_str(), R_OK) != 0;
  });
  if (!all && !gone) return false;
  for (const LineMarker& marker : markers)
    std::fill(source.begin() + static_cast<long>(marker.begin), source.begin() + static_cast<long>(marker.end), ' ');
  return true;
}

/// Comments count as words for whoever looks at the text.
void blank_comments(std::string& source) {
  for (size_t i = 0; i < source.size();) {
    bool line = source.compare(i, 2, "//") == 0;
    if (!line && source.compare(i, 2, "/*") != 0) {
      i = token_end(source, i);
      continue;
    }
    size_t end = std::min(line ? source.find('\n', i) : source.find("*/", i + 2), source.size());
    if (!line) end = std::min(end + 2, source.size());
    for (; i < end; ++i)
      if (source[i] != '\n') source[i] = ' ';
  }
}

bool has_extension(const std::string& file, std::string_view extension) {
  return file.size() >= extension.size() &&
         file.compare(file.size() - extension.size(), extension.size(), extension) == 0;
}

std::vector<std::string> command_line(const std::string& file, const Options& options) {
  std::vector<std::string> command = {
      options.clang, "-c", "-emit-llvm", "-g", "-fno-discard-value-names",
      // What clang itself emits is what the lowering understands best: no pass touches it. At -O0 it would leave out
      // the bodies of inline functions.
      "-O1", "-U__OPTIMIZE__", "-Xclang", "-disable-llvm-passes", "-Xclang", "-disable-lifetime-markers",
      // Aliasing rules are for passes; what they say about structs tells which members a copy is made of.
      "-fstrict-aliasing", "-Xclang", "-new-struct-path-tbaa",
      // Calls of libc stay calls, and arithmetic stays what the source says.
      "-fno-builtin", "-ffp-contract=off", "-fno-stack-protector", "-fcf-protection=none", "-U_FORTIFY_SOURCE",
      // CBMC's names for types.
      "-D__CPROVER_bool=_Bool", "-D__CPROVER_size_t=__SIZE_TYPE__", "-D__CPROVER_ssize_t=__PTRDIFF_TYPE__",
      "-D__CPROVER_thread_local=_Thread_local",
      // `int x;` in several files is one variable, as it is to most linkers and was to gcc.
      "-fcommon",
      // Old code compiles; only what changes its meaning is worth a word.
      "-Wno-everything", "-Wimplicit-function-declaration", "-Wno-error=implicit-function-declaration",
      "-Wno-error=implicit-int", "-Wno-error=int-conversion", "-Wno-error=incompatible-pointer-types",
      "-Wno-error=incompatible-function-pointer-types", "-Wno-error=return-mismatch", "-Wno-error=return-type",
      "-Qunused-arguments",  // of the preprocessor, for .i files
      "-fno-color-diagnostics", "-fno-caret-diagnostics", "-ferror-limit=1"};
  bool ilp32 = options.data_model == program::DataModel::ILP32;
  command.push_back(ilp32 ? "-m32" : "-m64");
  if (ilp32) command.push_back("-msse2");  // no excess precision
  // Debian's headers for 32 bits are only those that differ; the kernel's come from the folder for 64 bits.
  if (ilp32) command.insert(command.end(), {"-idirafter", "/usr/include/x86_64-linux-gnu"});
  for (std::string& flag : check_flags()) command.push_back(std::move(flag));
  for (std::string& flag : fold_warnings()) command.push_back(std::move(flag));
  if (!options.include.empty()) {
    command.push_back("-idirafter");
    command.push_back(options.include);
  }
  if (auto own = options.file_flags.find(file); own != options.file_flags.end())
    command.insert(command.end(), own->second.begin(), own->second.end());
  command.insert(command.end(), options.clang_flags.begin(), options.clang_flags.end());
  std::erase(command,
             "-w");  // nothing is shown anyway that the user has not to know, and folded.h wants to see the rest
  return command;
}

std::vector<std::string> lines_with(const std::string& text, std::string_view word) {
  std::vector<std::string> found;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    if (line.find(word) != std::string::npos) found.push_back(std::move(line));
    begin = end + 1;
  }
  return found;
}

}  // namespace

std::string read_input(const std::string& file) {
  struct stat status;
  if (stat(file.c_str(), &status) != 0)
    fail_input("{}: {}", file, errno == ENOENT ? "no such file" : std::strerror(errno));
  if (S_ISDIR(status.st_mode)) fail_input("{} is a directory", file);
  Descriptor descriptor(open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (descriptor.get() < 0) fail_input("{} cannot be read: {}", file, std::strerror(errno));
  std::string content = read_descriptor(descriptor.get());
  if (content.find_first_not_of(" \t\r\n\f\v") == std::string::npos) fail_input("{} is empty", file);
  return content;
}

namespace {

/// What clang says of calls of undeclared functions: the name, and the type if it knows one (that of a function of
/// libc, if those are built in).
struct Undeclared {
  std::string name, type;
};

std::vector<Undeclared> undeclared_functions(const std::string& diagnostics) {
  std::vector<Undeclared> found;
  for (const std::string& line : lines_with(diagnostics, "-Wimplicit-function-declaration")) {
    std::vector<std::string> quoted;
    for (size_t open = line.find('\''); open != std::string::npos; open = line.find('\'', open + 1)) {
      size_t close = line.find('\'', open + 1);
      if (close == std::string::npos) break;
      quoted.push_back(line.substr(open + 1, close - open - 1));
      open = close;
    }
    if (quoted.empty()) continue;
    quoted.resize(2);
    auto same = [&](const Undeclared& other) { return other.name == quoted[0]; };
    if (std::none_of(found.begin(), found.end(), same)) found.push_back({quoted[0], quoted[1]});
  }
  return found;
}

/// Where code that was added to a file comes from, in traces.
constexpr std::string_view kHarnessFile = "harness";

/// One source file on its way through clang.
class Compilation {
 public:
  Compilation(const std::string& file, const Options& options, const std::string& more)
      : file_(file), command_(command_line(file, options)), source_(read_input(file)) {
    bool preprocessed = has_extension(file, ".i");
    if (preprocessed) language_ = "cpp-output";
    bool changed = blank_line_markers(source_, preprocessed);
    if (preprocessed && source_.find("__CPROVER_") != std::string::npos) {  // macros come too late
      types_ = "typedef _Bool __CPROVER_bool;\ntypedef __SIZE_TYPE__ __CPROVER_size_t;\ntypedef __PTRDIFF_TYPE__ __CPROVER_ssize_t;\n";
      changed = true;
    }
    if (has_cprover_syntax(source_)) {
      std::string plain = source_;
      blank_comments(plain);
      if (rewrite_cprover_syntax(plain)) {
        source_ = std::move(plain);
        changed = true;
        if (source_.find("__CPROVER_async") != std::string::npos) command_.emplace_back("-fblocks");
      }
    }
    if (!more.empty()) source_ += "\n# 1 \"" + std::string(kHarnessFile) + "\"\n" + more;
    if (changed || !more.empty()) read_text("");
  }

  /// Code older than C99 may need its own rules; the first complaint is the one to show.
  Outcome run_by_any_rules() {
    Outcome outcome = run_with({});
    while (!outcome.success && (rename_defined_builtin(outcome.diagnostics) || declare_identifier(outcome.diagnostics))) outcome = run_with({});
    bool standard_given = std::any_of(command_.begin(), command_.end(),
                                      [](const std::string& flag) { return flag.rfind("-std=", 0) == 0; });
    if (outcome.success || standard_given) return outcome;
    command_.insert(command_.begin() + 1, "-std=gnu89");
    if (Outcome second = run_with({}); second.success) return second;
    return outcome;
  }

  /// Undeclared functions that a dialect or the compiler knows get their right types. A file that declares one of them
  /// itself further down, or uses it as something else, keeps what it has.
  void declare_known(Outcome& outcome) {
    if (undeclared_functions(outcome.diagnostics).empty()) return;
    std::vector<std::pair<std::string, std::string>> declarations;
    for (const Undeclared& function : undeclared_functions(run_with({"-fbuiltin", "-fsyntax-only"}).diagnostics)) {
      std::string text = dialect_declaration(function.name);
      if (text.empty() && !function.type.empty()) text = "__typeof__(" + function.type + ") " + function.name + ";";
      if (!text.empty()) declarations.emplace_back(function.name, text + "\n");
    }
    while (!declarations.empty()) {
      std::string prelude, before = input_;
      for (const auto& [name, text] : declarations) prelude += text;
      read_text(prelude);
      Outcome second = run_with({});
      if (second.success) {
        outcome.output = std::move(second.output);
        return;
      }
      input_ = std::move(before);
      std::vector<std::string> errors = lines_with(second.diagnostics, "error:");
      size_t dropped = std::erase_if(declarations, [&](const auto& declaration) {
        return !errors.empty() && errors.front().find("'" + declaration.first + "'") != std::string::npos;
      });
      if (dropped == 0) return;
    }
  }

  /// Adds checks of what clang would fold unchecked. Where that does not work the program says so when it starts.
  void check_constants(Outcome& outcome) {
    if (!may_fold(source_) && !warns_of_fold(outcome.diagnostics)) return;
    std::optional<std::string> checked = checked_text();
    if (checked && checked->empty()) return;
    if (checked) {
      input_ = std::move(*checked);
      if (Outcome second = run_with({}); second.success) {
        outcome.output = std::move(second.output);
        return;
      }
    }
    input_ = refuse_folded(file_) + text_;
    Outcome second = run_with({});
    if (!second.success) fail_internal("{}: clang reads it only once", file_);
    outcome.output = std::move(second.output);
  }

 private:
  /// Output of CIL defines functions that clang has built in, __builtin_expect above all, and clang refuses that. Here
  /// they are functions of the program under a name of the same length. False: clang complains of something else.
  bool rename_defined_builtin(const std::string& diagnostics) {
    static constexpr std::string_view kComplaint = "error: definition of builtin function '__builtin_";
    static constexpr std::string_view kPrefix = "__builtin_", kOurs = "__defined_";
    static_assert(kPrefix.size() == kOurs.size());
    const size_t at = diagnostics.find(kComplaint);
    if (at == std::string::npos) return false;
    const size_t begin = at + kComplaint.size() - kPrefix.size();
    const std::string name = diagnostics.substr(begin, diagnostics.find('\'', begin) - begin);
    auto in_word = [&](size_t i) {
      return i < source_.size() && (std::isalnum(static_cast<unsigned char>(source_[i])) || source_[i] == '_');
    };
    bool found = false;
    for (size_t i = source_.find(name); i != std::string::npos; i = source_.find(name, i + 1)) {
      if ((i > 0 && in_word(i - 1)) || in_word(i + name.size())) continue;
      source_.replace(i, kOurs.size(), kOurs);
      found = true;
    }
    if (found) read_text("");
    return found;
  }

  /// C23 has no undeclared functions; those of a dialect need no declaration there either. False: clang complains of something else.
  bool declare_identifier(const std::string& diagnostics) {
    static constexpr std::string_view kComplaint = "error: use of undeclared identifier '";
    const size_t at = diagnostics.find(kComplaint);
    if (at == std::string::npos) return false;
    const size_t begin = at + kComplaint.size();
    const std::string text = dialect_declaration(diagnostics.substr(begin, diagnostics.find('\'', begin) - begin)) + "\n";
    if (text.size() == 1 || types_.find(text) != std::string::npos) return false;
    types_ += text;
    read_text("");
    return true;
  }

  /// Lets clang read the source as it is here, after `prelude`, instead of the file.
  void read_text(const std::string& prelude) { input_ = types_ + prelude + "# 1 \"" + file_ + "\"\n" + source_; }

  /// What check_folded makes of the preprocessed text.
  std::optional<std::string> checked_text() {
    if (language_ == "cpp-output") {
      if (input_.empty()) read_text("");
      blank_comments(input_);
    } else {
      Outcome text = run_with({"-E"});
      if (!text.success) return std::nullopt;
      input_ = std::move(text.output);
      language_ = "cpp-output";
    }
    text_ = input_;
    blank_line_markers(input_, true);
    input_.insert(0, kTreeMarker);
    Outcome tree = run_with({"-fsyntax-only", "-Xclang", "-ast-dump"});
    if (!tree.success) return std::nullopt;
    return check_folded(text_, tree.output, tree.diagnostics);
  }

  Outcome run_with(const std::vector<std::string>& flags) const {
    std::vector<std::string> command = command_;
    command.insert(command.end(), flags.begin(), flags.end());
    size_t slash = file_.rfind('/');
    if (!input_.empty() && language_ == "c")
      command.insert(command.end(), {"-iquote", slash == std::string::npos ? "." : file_.substr(0, slash + 1)});
    command.insert(command.end(), {"-x", language_, "-o", "-", input_.empty() ? file_ : "-"});
    return compiler::run(command, input_);
  }

  const std::string& file_;
  std::vector<std::string> command_;
  std::string source_;
  std::string types_;  ///< and functions of a dialect, that the source uses
  std::string input_;  ///< what clang reads instead of the file; empty: the file itself
  std::string text_;   ///< the preprocessed source
  std::string language_ = "c";
};

}  // namespace

Compiled compile(const std::string& file, const Options& options, const std::string& more) {
  Compilation compilation(file, options, more);
  Outcome outcome = compilation.run_by_any_rules();
  if (!outcome.success) {
    std::vector<std::string> errors = lines_with(outcome.diagnostics, "error:");
    if (errors.empty())
      fail_input("{}: clang failed: {}", file, outcome.diagnostics.substr(0, outcome.diagnostics.find('\n')));
    fail_input("{}", errors.front());
  }
  compilation.declare_known(outcome);
  Compiled compiled;
  compiled.warnings = lines_with(outcome.diagnostics, "warning:");
  // A dialect's functions need no declaration, and undefined arithmetic is for the verdict.
  std::erase_if(compiled.warnings, [](const std::string& line) {
    std::vector<Undeclared> undeclared = undeclared_functions(line);
    return warns_of_fold(line) || (!undeclared.empty() && is_dialect(undeclared.front().name));
  });
  compilation.check_constants(outcome);
  compiled.bitcode = std::move(outcome.output);
  return compiled;
}

}  // namespace whittle::frontend
