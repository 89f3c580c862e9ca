#include "app/native.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <thread>

#include "app/load.h"
#include "app/output.h"
#include "app/replay.h"
#include "base/error.h"
#include "compiler/compiler.h"
#include "frontend/dialect.h"
#include "report/report.h"

namespace whittle::app {

namespace {

namespace fs = std::filesystem;
using verdict::Property;

constexpr int kSanitizerStatus = 77, kAssumptionFails = 84, kDeadlock = 86, kTooMuch = 87;

/// How a violation shows natively.
struct Manifestation {
  std::string sanitizers;   ///< for -fsanitize, or empty
  bool own_library = true;  ///< accesses are reported to replay.c by the thread sanitizer's calls, without its library
  std::string cannot;       ///< why a native run does not show it; empty: it does
};

Manifestation manifestation(Property property) {
  switch (property) {
    case Property::ValidDeref: return {"address,bounds,alignment", false, ""};  // the first object has no guard before it
    case Property::ValidFree: return {"address", false, ""};
    case Property::ValidMemtrack:
    case Property::ValidMemcleanup: return {"address", false, ""};
    case Property::NoOverflow: return {"signed-integer-overflow,shift-base", true, ""};
    case Property::NoDivByZero: return {"integer-divide-by-zero", true, ""};
    case Property::NoBadShift: return {"shift,builtin", true, ""};  // __builtin_clz(0)
    case Property::NoDataRace: return {"thread", false, ""};
    case Property::LockDiscipline:
      return {"", true, "the C library does not check how locks are used: it goes on with a lock that is misused"};
    case Property::Termination: return {"", true, "that a program never ends cannot be seen by running it"};
    default: return {"", true, ""};
  }
}

class Folder {
 public:
  explicit Folder(const std::string& wanted) : temporary_(wanted.empty()) {
    if (temporary_) {
      std::string name = (fs::temp_directory_path() / "whittle-native-XXXXXX").string();
      if (mkdtemp(name.data()) == nullptr) fail_input("cannot make a folder in {}", fs::temp_directory_path().string());
      path_ = name;
    } else {
      std::error_code error;
      fs::create_directories(wanted, error);
      if (error) fail_input("cannot make the folder {}: {}", wanted, error.message());
      path_ = wanted;
    }
  }
  ~Folder() {
    std::error_code error;
    if (temporary_) fs::remove_all(path_, error);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const fs::path& path() const { return path_; }
  bool temporary() const { return temporary_; }
  void write(const std::string& name, const std::string& text) const { write_file((path_ / name).string(), text); }

 private:
  bool temporary_;
  fs::path path_;
};

std::string in_c(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c >= ' ' && c < 127)
      out += c;
    else
      out += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
  }
  return out + "\"";
}

class Native {
 public:
  Native(const Options& options, const exec::NativeScript& script, const exec::NativeCalls& calls, Watch& watch)
      : options_(options), script_(script), calls_(calls), watch_(watch), folder_(options.export_folder),
        surroundings_(report::surroundings(script.counterexample, script.formats)) {
    if (script.violation) how_ = manifestation(script.violation->property);
    // One thread alone waits in the library's own calls, where no one notices.
    threads_ = script.threads > 1 || script.turns.size() > 1 || (script.violation && script.violation->property == Property::NoDeadlock);
  }

  int run() {
    find_sources();
    if (options_.input.entry != "main") write_harness();
    for (const char* file : {"schedule.c", "schedule.h", "replay.c", "replay.h"})
      fs::copy_file(find_own(std::string("native/") + file), folder_.path() / file, fs::copy_options::overwrite_existing);
    write_data({});
    declare_dialects();
    write_makefile();
    build();
    if (!folder_.temporary() && !options_.native) {
      execute({"make", "-s", "-C", folder_.path().string(), "clean"});
      std::fprintf(stderr, "whittle: %s has the program and a Makefile: make run\n", folder_.path().c_str());
      return static_cast<int>(ExitCode::True);
    }
    const std::string note = (folder_.path() / "replay.note").string();
    setenv("WHITTLE_NOTE", note.c_str(), 1);
    if (options_.gdb) return debug();
    const int status = execute({(folder_.path() / "replay").string()});
    std::ifstream stream(note);
    std::getline(stream, note_);
    return conclude(status);
  }

 private:
  /// Exported: copies, headers included. Else the user's own files, so that a debugger shows those.
  void find_sources() {
    for (const std::string& file : options_.input.files) sources_.push_back(fs::absolute(file).lexically_normal());
    if (folder_.temporary()) return;
    std::set<fs::path> all(sources_.begin(), sources_.end());
    for (const fs::path& source : sources_) {
      std::vector<std::string> command{compiler::default_program(), "-MM", "-w"};
      for (const std::string& flag : user_flags(false)) command.push_back(flag);
      command.push_back(source.string());
      compiler::Outcome outcome = compiler::run(command, "");
      if (!outcome.success) fail_input("{}: its headers cannot be found: {}", source.string(), outcome.diagnostics);
      std::istringstream words(outcome.output);
      for (std::string word; words >> word;)
        if (word != "\\" && !word.ends_with(':')) all.insert(fs::absolute(word).lexically_normal());
    }
    root_ = sources_.front().parent_path();
    for (const fs::path& file : all)
      while (file.lexically_relative(root_).native().starts_with("..")) root_ = root_.parent_path();
    for (const fs::path& file : all) {
      const fs::path target = folder_.path() / "src" / file.lexically_relative(root_);
      fs::create_directories(target.parent_path());
      fs::copy_file(file, target, fs::copy_options::overwrite_existing);
    }
    fs::copy(find_own("include"), folder_.path() / "include", fs::copy_options::recursive | fs::copy_options::overwrite_existing);
    for (fs::path& source : sources_) source = fs::path("src") / source.lexically_relative(root_);
  }

  /// For --entry: the file with the function gets a main that makes its arguments, as the run was given them.
  void write_harness() {
    std::string text = harness_for(options_.input);
    for (size_t i = 0; i < options_.input.files.size(); ++i) {
      const std::string included = "#include \"" + options_.input.files[i] + "\"";
      const size_t at = text.find(included);
      if (at == std::string::npos) continue;
      text.replace(at, included.size(), "extern void *__whittle_new(__SIZE_TYPE__);\nextern unsigned long long whittle_next_input(void);\n#include \"" + sources_[i].string() + "\"");
      sources_[i] = "harness.c";
      break;
    }
    constexpr std::string_view kMalloc = " = malloc(", kNew = " = __whittle_new(";
    for (size_t at = text.find(kMalloc); at != std::string::npos; at = text.find(kMalloc, at)) text.replace(at, kMalloc.size(), kNew);
    const std::regex input("(^|\n)extern ([^\n]*[ *])(nondet_\\w+)\\(void\\);");
    std::string inputs;
    for (std::sregex_iterator at(text.begin(), text.end(), input), end; at != end; ++at)
      inputs += fmt::format("{0}{1}(void) {{\n  union {{ {0}value; unsigned long long bits; }} input = {{.bits = whittle_next_input()}};\n  return input.value;\n}}\n",
                            (*at)[2].str(), (*at)[3].str());
    folder_.write("harness.c", text + "\n// What the run was given.\n" + inputs);
  }

  /// What the harness's objects hold, by number.
  std::string held() const {
    std::string text = "\nstatic const struct { unsigned object, offset, bytes; unsigned long long low, high; } held[] = {\n";
    for (const exec::NativeScript::Held& it : script_.held)
      text += fmt::format("    {{{}, {}, {}, {:#x}u, {:#x}u}},\n", it.object, it.offset, it.bytes, static_cast<uint64_t>(it.value), static_cast<uint64_t>(it.value >> 64));
    return text + "    {~0u, 0, 0, 0, 0}};\n"
                  "void* malloc(__SIZE_TYPE__ size);\n"
                  "void* __whittle_new(__SIZE_TYPE__ size) {\n"
                  "  static unsigned objects;\n"
                  "  unsigned char* object = malloc(size);\n"
                  "  for (__SIZE_TYPE__ i = 0; i < size; i++) object[i] = 0;\n"
                  "  for (unsigned i = 0; held[i].object != ~0u; i++)\n"
                  "    for (unsigned k = 0; held[i].object == objects && k < held[i].bytes; k++)\n"
                  "      object[held[i].offset + k] = (unsigned char)(k < 8 ? held[i].low >> 8 * k : held[i].high >> 8 * (k - 8));\n"
                  "  objects++;\n"
                  "  return object;\n"
                  "}\n";
  }

  /// Functions of verification dialects need no declaration; a compiler takes them for functions of int.
  void declare_dialects() {
    std::set<std::string> undeclared;
    for (const std::string& file : options_.input.files) {
      std::vector<std::string> command{compiler::default_program(), "-fsyntax-only", "-fno-builtin", "-Wimplicit-function-declaration",
                                       "-Wno-error=implicit-function-declaration"};
      for (const std::string& flag : user_flags(false)) command.push_back(flag);
      command.push_back(file);
      const std::string label = "__CPROVER_ASYNC_";  // a call in a thread of its own; to a compiler, a label
      report::Sources sources;
      for (const std::string& line : sources.lines(file)) {
        if (line.find(label) != std::string::npos) of_verifiers_ = label;
        if (line.find("no_sanitize") != std::string::npos) unsanitized_ = true;
      }
      const std::string said = compiler::run(command, "").diagnostics;
      const std::regex pattern("undeclared function '([A-Za-z_0-9]+)'");
      for (std::sregex_iterator at(said.begin(), said.end(), pattern), end; at != end; ++at) undeclared.insert((*at)[1]);
    }
    for (const std::string& name : undeclared)
      if (std::string text = frontend::dialect_declaration(name); !text.empty()) declared_ += text + "\n";
    if (!declared_.empty()) folder_.write("declared.h", "// Functions that the program does not declare.\n" + declared_);
  }

  std::vector<std::string> user_flags(bool exported) const {
    std::vector<std::string> flags;
    for (const std::string& path : options_.input.include_paths) {
      fs::path folder = fs::absolute(path).lexically_normal();
      fs::path inside = exported ? folder.lexically_relative(root_) : fs::path("..");
      flags.push_back("-I" + (inside.native().starts_with("..") ? folder : fs::path("src") / inside).string());
    }
    flags.push_back("-I" + (exported ? std::string("include") : find_own("include").string()));
    for (const std::string& define : options_.input.defines) flags.push_back("-D" + define);
    flags.insert(flags.end(), options_.input.clang_flags.begin(), options_.input.clang_flags.end());
    return flags;
  }

  /// Values of storage without one can be chosen only as a whole.
  const char* fill() const {
    for (size_t i = 0; i < script_.asked.size(); ++i)
      if (!script_.asked[i] && !script_.placed.contains(i) && script_.counterexample.inputs[i].value != 0) return "pattern";
    return "zero";
  }

  void write_data(const std::set<std::string>& undefined) {
    std::string text = "// The run to repeat: see replay.h.\n#include \"replay.h\"\n\n";
    text += "const struct whittle_turn whittle_turns[] = {\n";
    for (const exec::NativeScript::Turn& turn : script_.turns)
      text += fmt::format("    {{{}, {}, {}}},\n", turn.thread, in_c(turn.until), turn.count);
    text += fmt::format("    {{0, \"\", 0}}}};\nconst int whittle_turn_count = {};\n\n", threads_ ? script_.turns.size() : 0);
    text += "const struct whittle_input whittle_inputs[] = {\n";
    size_t count = 0;
    for (size_t i = 0; i < script_.asked.size(); ++i) {
      const verdict::Input& input = script_.counterexample.inputs[i];
      if (!script_.asked[i]) continue;
      ++count;
      text += fmt::format("    {{{}, {:#x}u, {:#x}u, {}}},  // {} = {}\n", script_.input_threads[i],
                          static_cast<uint64_t>(input.value), static_cast<uint64_t>(input.value >> 64), (input.width + 7) / 8,
                          input.origin, report::value_text(input));
    }
    text += fmt::format("    {{0, 0, 0, 0}}}};\nconst int whittle_input_count = {};\n\n", count);
    for (size_t i = 0; i < surroundings_.arguments.size(); ++i)
      text += fmt::format("static char argument{}[] = {};\n", i + 1, in_c(surroundings_.arguments[i]));
    text += "char* const whittle_arguments[] = {";
    for (size_t i = 0; i < surroundings_.arguments.size(); ++i) text += fmt::format("argument{}, ", i + 1);
    text += fmt::format("0}};\nconst int whittle_argument_count = {};\n",
                        surroundings_.has_arguments ? static_cast<int>(surroundings_.arguments.size()) : -1);
    text += fmt::format("const char whittle_text[] = {};\nconst long whittle_text_size = {};\n\n", in_c(surroundings_.text),
                        surroundings_.has_text ? static_cast<long>(surroundings_.text.size()) : -1);
    const std::string common = fmt::format("exitcode={}:abort_on_error=0:handle_abort=0", kSanitizerStatus);
    const bool leaks = script_.violation && (script_.violation->property == Property::ValidMemtrack ||
                                             script_.violation->property == Property::ValidMemcleanup);
    const bool all = leaks && script_.violation->property == Property::ValidMemcleanup;  // also what can still be reached
    text += fmt::format(
        "const char* __asan_default_options(void) {{\n  return \"{}:detect_stack_use_after_return=1:detect_leaks={}:\"\n"
        "         \"max_malloc_fill_size=1048576:malloc_fill_byte={}:allocator_may_return_null=1\";\n}}\n",
        common, leaks ? 1 : 0, std::string(fill()) == "zero" ? 0 : 170);
    for (const char* name : {"tsan", "ubsan", "lsan"})
      text += fmt::format("const char* __{}_default_options(void) {{ return \"{}{}\"; }}\n", name, common,
                          std::string(name) != "lsan" ? ":halt_on_error=1"
                          : all                       ? ":use_globals=0:use_stacks=0:use_registers=0:use_tls=0"
                                                      : "");
    if (options_.input.entry != "main") text += held();
    if (!undefined.empty()) text += "\n// Functions without a body: any value, no effect.\nunsigned long long whittle_next_input(void);\n";
    for (const std::string& name : undefined) {
      const bool asked = std::ranges::any_of(script_.counterexample.inputs, [&](const verdict::Input& input) {
        return input.origin.find(name) != std::string::npos;
      });
      text += fmt::format("long {}() {{ return {}; }}\n", name, asked ? "(long)whittle_next_input()" : "0");
    }
    folder_.write("replay_data.c", text);
  }

  /// The thread sanitizer's calls tell of atomic updates, too, but there are none for 32 bits, or beside another sanitizer's library.
  bool tsan_calls() const { return how_.own_library && options_.input.data_model == "LP64"; }

  std::string instrumentation() const {
    std::string flags;
    auto add = [&](const std::string& flag) { flags += " " + flag; };
    if (!how_.sanitizers.empty()) add("-fsanitize=" + how_.sanitizers + " -fno-sanitize-recover=all");
    if (threads_ && tsan_calls())
      add("-fsanitize=thread -mllvm -tsan-instrument-read-before-write=1 -mllvm -tsan-instrument-func-entry-exit=0");
    else if (threads_)
      add("-fsanitize-coverage=func,trace-loads,trace-stores");
    return flags;
  }

  void write_makefile() {
    std::string flags, renames = " -Dlongjmp=__longjmp_chk -Dsiglongjmp=__longjmp_chk -D_longjmp=__longjmp_chk", sources, objects;
    for (const std::string& flag : user_flags(!folder_.temporary())) flags += " " + quote(flag);
    if (threads_)
      for (const std::string& name : calls_.all) renames += fmt::format(" -D{0}=whittle_call_{0}", name);
    if (!declared_.empty()) flags += " -include declared.h";
    for (const std::string& name : defined_builtins_) flags += fmt::format(" -D{}=whittle_defined_{}", name, name);
    std::string rules;
    for (size_t i = 0; i < sources_.size(); ++i) {
      const std::string object = fmt::format("program{}.o", i);
      objects += " " + object;
      const std::string kind = sources_[i].extension() == ".i" || sources_[i].extension() == ".c" ? "-x c " : "";
      rules += fmt::format("{}:\n\t$(CC) $(CFLAGS) $(PROGRAM) $(RENAMED) -c -o $@ {}{}\n", object, kind,
                           quote(sources_[i].string()));
    }
    const bool narrow = options_.input.data_model == "ILP32";
    const std::string model = narrow ? " -m32 -march=i686 -idirafter /usr/include/x86_64-linux-gnu" : "";
    // Systems with libraries of 32 bits, but without the compiler's own part of them (crtbegin.o, libgcc.a).
    const std::string folder = "/usr/lib32/";
    const std::string start = bare_ ? fmt::format("-no-pie -nostartfiles -nodefaultlibs {0}crt1.o {0}crti.o ", folder) : "";
    const std::string end = bare_ ? fmt::format(" -lc -ldl {0}libgcc_s.so.1 {0}crtn.o", folder) : "";
    std::string makefile = fmt::format(
        "# Builds the program so that it repeats one run. `make run` runs it, `make gdb` does so in a debugger.\n"
        "CC = {}\n"
        "CFLAGS = -g -O0 -w -fno-omit-frame-pointer -fno-builtin -ftrivial-auto-var-init={}{}\n"
        "PROGRAM ={}{} -Wno-error=implicit-function-declaration -Wno-error=implicit-int -Wno-error=int-conversion "
        "-Wno-error=incompatible-pointer-types -Wno-error=incompatible-function-pointer-types "
        "-Wno-error=return-mismatch -Wno-error=return-type\n"
        "RENAMED ={}\n"
        "LINK = -Wl,-z,muldefs,--wrap=main{}\n\n",
        compiler::default_program(), fill(), model, flags, instrumentation(), renames,
        how_.sanitizers.empty() ? "" : " -fsanitize=" + how_.sanitizers);
    makefile += "replay: replay.o schedule.o replay_data.o" + objects +
                "\n\t$(CC) $(CFLAGS) $(LINK) -o $@ " + start + "replay.o schedule.o replay_data.o" + objects + " -lpthread -lm" + end + "\n";
    makefile += fmt::format("replay.o: replay.c replay.h\n\t$(CC) $(CFLAGS){} -c -o $@ replay.c\n",
                            threads_ && tsan_calls() ? " -DWHITTLE_ACCESSES_TSAN" : "");
    makefile += "schedule.o: schedule.c schedule.h replay.h\n\t$(CC) $(CFLAGS) -DWHITTLE_REPLAY -c -o $@ schedule.c\n";
    makefile += "replay_data.o: replay_data.c replay.h\n\t$(CC) $(CFLAGS) -c -o $@ replay_data.c\n";
    makefile += rules;
    const std::string frame = gdb_frame().empty() ? "" : " -ex " + quote(gdb_frame());
    makefile += "run: replay\n\t./replay\ngdb: replay\n\tgdb -q -ex run -ex backtrace" + frame + " ./replay\n";
    makefile += "clean:\n\trm -f replay *.o\n.PHONY: run gdb clean\n";
    folder_.write("Makefile", makefile);
  }

  /// Functions without a body are known when the program is linked.
  void build() {
    std::string said;
    for (int round = 0; round < 4; ++round) {
      if (make(said) == 0) return;
      std::set<std::string> undefined;
      const std::regex pattern("undefined (?:reference to|symbol:) [`']?([A-Za-z_0-9]+)");
      for (std::sregex_iterator at(said.begin(), said.end(), pattern), end; at != end; ++at) undefined.insert((*at)[1]);
      if (!undefined.empty()) {
        for (const std::string& name : undefined)
          if (!frontend::dialect_declaration(name).empty()) of_verifiers_ = name;
        write_data(undefined);
        continue;
      }
      // Output of CIL defines functions that clang has built in.
      const std::regex builtin("definition of builtin function '([A-Za-z_0-9]+)'");
      const size_t before = defined_builtins_.size();
      for (std::sregex_iterator at(said.begin(), said.end(), builtin), end; at != end; ++at) defined_builtins_.insert((*at)[1]);
      if (defined_builtins_.size() != before) {
        write_makefile();
        continue;
      }
      if (options_.input.data_model != "ILP32" || bare_) break;
      bare_ = true;
      write_makefile();
    }
    std::fwrite(said.data(), 1, said.size(), stderr);
    std::smatch quantifier;
    if (std::regex_search(said, quantifier, std::regex("__CPROVER_(forall|exists)")))
      fail_input("the native program cannot be built: `{}` is CBMC's, and no compiler knows it", quantifier.str());
    fail_input("the native program cannot be built");
  }

  int make(std::string& said) {
    said.clear();
    const std::string log = (folder_.path() / "build.log").string();
    const int status = execute({"make", "-s", "-C", folder_.path().string(), "replay"}, log);
    std::ifstream stream(log);
    said.assign(std::istreambuf_iterator<char>(stream), {});
    std::error_code error;
    fs::remove(log, error);
    return status;
  }

  /// Exit status, or 128 + signal. `log`: where its output goes; empty: ours.
  int execute(const std::vector<std::string>& command, const std::string& log = {}) {
    std::vector<char*> words;
    for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child < 0) fail_internal("cannot start {}", command.front());
    if (child == 0) {
      if (!log.empty()) {
        const int file = open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
        dup2(file, 1), dup2(file, 2);
      }
      sigset_t none;
      sigemptyset(&none);
      sigprocmask(SIG_SETMASK, &none, nullptr);
      execvp(words[0], words.data());
      _exit(127);
    }
    for (int status = 0;;) {
      if (waitpid(child, &status, options_.gdb && log.empty() ? 0 : WNOHANG) == child)
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
      if (watch_.limits().poll_now() != Stop::No) kill(child, SIGKILL);
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  }

  /// The program's own frame, not the one of the library that noticed it.
  std::string gdb_frame() const {
    return script_.violation && !script_.violation->function.empty() ? "frame function " + script_.violation->function : "";
  }

  int debug() {
    const std::string program = (folder_.path() / "replay").string();
    std::vector<std::string> command{"gdb", "-q", "-ex", "set breakpoint pending on", "-ex", "break __sanitizer::Die"};
    if (how_.sanitizers.empty()) command.resize(2);
    if (isatty(STDIN_FILENO) != 1) command.emplace_back("-batch");
    for (const char* word : {"-ex", "run", "-ex", "backtrace"}) command.emplace_back(word);
    if (const std::string frame = gdb_frame(); !frame.empty()) command.insert(command.end(), {"-ex", frame});
    command.push_back(program);
    const int status = execute(command);
    if (status == 127) fail_input("gdb is not installed");
    return static_cast<int>(ExitCode::False);
  }

  int conclude(int status) const {
    const bool failed = status == kSanitizerStatus || status == kDeadlock || status > 128;
    if (watch_.limits().stopped() != Stop::No && status == 128 + SIGKILL) {
      std::fprintf(stderr, "whittle: native: stopped: %s%s\n", to_string(watch_.limits().stopped()).c_str(),
                   explanation(status).c_str());
      return static_cast<int>(ExitCode::Unknown);
    }
    if (failed) {
      const std::string what = status == kSanitizerStatus ? "a sanitizer reports it"
                               : status == kDeadlock      ? "all threads wait"
                                                          : fmt::format("signal {}", strsignal(status - 128));
      std::fprintf(stderr, "whittle: native: the program fails: %s\n", what.c_str());
      return static_cast<int>(ExitCode::False);
    }
    std::fprintf(stderr, "whittle: native: the program does not fail (exit status %d)%s\n", status, explanation(status).c_str());
    return static_cast<int>(script_.violation ? ExitCode::Unknown : ExitCode::True);
  }

  /// The line, or nothing.
  static std::string source_line(const std::string& file, unsigned line) {
    report::Sources sources;
    return sources.line(file, line);
  }
  /// The line that made the object of the violation, as "allocated at a.c:9" tells it.
  std::string maker() const {
    std::smatch place;
    if (!std::regex_search(script_.violation->message, place, std::regex("allocated at (.+):([0-9]+)"))) return "";
    return source_line(place[1], static_cast<unsigned>(std::stoul(place[2])));
  }

  static bool is_assembly(const exec::NativeScript::Position& position) {
    report::Sources sources;
    const std::vector<std::string>& lines = sources.lines(position.file);
    if (position.line == 0 || position.line > lines.size() || position.column == 0) return false;
    const std::string& line = lines[position.line - 1];
    return position.column <= line.size() && std::regex_search(line.substr(position.column - 1), std::regex("^(asm|__asm|__asm__)\\b"));
  }

  std::string explanation(int status) const {
    if (!script_.violation) return "";
    if (!how_.cannot.empty()) return ": " + how_.cannot;
    for (size_t i = 0; i < script_.asked.size(); ++i)
      if (!script_.asked[i] && !surroundings_.known[i] && !script_.placed.contains(i))
        return fmt::format(": the violation depends on `{}`, which a native run does not choose",
                           script_.counterexample.inputs[i].origin);
    if (!script_.callback.empty())
      return fmt::format(": the C library's {} may call the program in another order", script_.callback);
    const verdict::Violation& violation = *script_.violation;
    if (!script_.library.empty() && !how_.sanitizers.empty())
      return fmt::format(": it happens in the C library's {}, where the sanitizer does not look", script_.library);
    if (!how_.sanitizers.empty() && std::regex_search(source_line(violation.file, violation.line), std::regex("\\b(asm|__asm|__asm__)\\b")))
      return ": it happens in inline assembly, where the sanitizer does not look";
    if (maker().find("open_memstream") != std::string::npos)
      return ": the violation depends on when open_memstream takes a larger buffer, which a native run does not choose";
    if (!script_.interrupted.empty())
      return fmt::format(": the run stops in the middle of the C library's {}, which a native run cannot", script_.interrupted);
    if (!script_.torn.empty())
      return fmt::format(": the run stops in the middle of an access at {}, which is one step here", script_.torn);
    for (const exec::NativeScript::Position& position : script_.inside)
      if (is_assembly(position))
        return fmt::format(": the run stops in the middle of the inline assembly at {}:{}, which is one step here", position.file,
                           position.line);
    if (!note_.empty()) return ": " + note_;
    if (!of_verifiers_.empty()) return fmt::format(": the program uses `{}`, which only verifiers have", of_verifiers_);
    if (surroundings_.has_text) return ": what the run reads is on standard input, and the C library may take more or less of it at once";
    if (violation.property == Property::ValidDeref && violation.message.find("after its lifetime ended") != std::string::npos)
      return ": the sanitizer does not see every end of a lifetime inside a function, and after a jump none";
    if (violation.property == Property::NoDataRace && script_.atomics)
      return ": the thread sanitizer takes atomic operations for more order than C gives them";
    if (unsanitized_ && !how_.sanitizers.empty()) return ": the program turns sanitizers off for some of its functions (no_sanitize)";
    if (status == kAssumptionFails) return ": it went another way";
    const bool arithmetic = violation.property == Property::NoOverflow || violation.property == Property::NoBadShift || violation.property == Property::NoDivByZero;
    if (arithmetic && script_.constant)
      return ": the sanitizer does not check what the compiler computes itself (constants)";
    if (!script_.unscheduled.empty())
      return fmt::format(": the schedule depends on when {} takes effect, which a native run does not choose", script_.unscheduled);
    return "";
  }

  const Options& options_;
  const exec::NativeScript& script_;
  const exec::NativeCalls& calls_;
  Watch& watch_;
  Folder folder_;
  const report::Surroundings surroundings_;
  Manifestation how_;
  std::string note_;  ///< what the program itself says about why it did not fail
  bool threads_ = false, bare_ = false;
  bool unsanitized_ = false;  ///< parts of the program are left out by sanitizers, as it says itself
  std::vector<fs::path> sources_;
  std::string of_verifiers_;                 ///< something that the program uses and no compiler or library has
  std::string declared_;                     ///< declarations that the program leaves out
  std::set<std::string> defined_builtins_;   ///< the program's own functions with names of the compiler's
  fs::path root_;
};

}  // namespace

int run_native(const Options& options, const exec::NativeScript& script, const exec::NativeCalls& calls, Watch& watch) {
  return Native(options, script, calls, watch).run();
}

exec::NativeCalls read_native_calls() {
  exec::NativeCalls calls;
  std::ifstream stream(find_own("native/calls.txt"));
  for (std::string line; std::getline(stream, line);) {
    std::istringstream words(line);
    std::string name, moment;
    if (line.starts_with('#') || !(words >> name >> moment)) continue;
    if (moment == "object") {
      calls.makers.insert(name);
      continue;
    }
    calls.all.insert(name);
    if (moment == "copy")
      calls.copies.insert(name);
    else if (moment != "renamed")
      calls.moments[name] = moment;
  }
  return calls;
}

}  // namespace whittle::app
