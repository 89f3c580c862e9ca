// clang as a library. It runs in a process of its own, which shares this program's pages: what it allocates is gone when it
// ends, and its crash on a strange source is a failed compilation, not the end of whittle.
#include <clang/Basic/Diagnostic.h>
#include <clang/CodeGen/CodeGenAction.h>
#include <clang/Driver/Compilation.h>
#include <clang/Driver/Driver.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Frontend/FrontendActions.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <llvm/Passes/PassPlugin.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/TargetParser/Host.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>

#include "base/error.h"
#include "compiler/compiler.h"
#include "compiler/streams.h"

/// Debian's clang is linked with Polly, an optimiser. No pass is run here, so an empty one does.
[[gnu::weak]] llvm::PassPluginLibraryInfo getPollyPluginInfo();
llvm::PassPluginLibraryInfo getPollyPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "none", "", [](llvm::PassBuilder&) {}};
}

namespace whittle::compiler {
namespace {

/// What the front end asks of clang; nothing else is linked.
std::unique_ptr<clang::FrontendAction> action_of(clang::frontend::ActionKind kind) {
  switch (kind) {
    case clang::frontend::EmitBC: return std::make_unique<clang::EmitBCAction>();
    case clang::frontend::EmitLLVM: return std::make_unique<clang::EmitLLVMAction>();
    case clang::frontend::ParseSyntaxOnly: return std::make_unique<clang::SyntaxOnlyAction>();
    case clang::frontend::ASTDump: return std::make_unique<clang::ASTDumpAction>();
    case clang::frontend::RunPreprocessorOnly: return std::make_unique<clang::PreprocessOnlyAction>();  // -MM
    case clang::frontend::PrintPreprocessedInput: return std::make_unique<clang::PrintPreprocessedAction>();
    default: return nullptr;
  }
}

bool compile(llvm::ArrayRef<const char*> arguments) {
  clang::CompilerInstance compiler;
  compiler.createDiagnostics();
  bool good = clang::CompilerInvocation::CreateFromArgs(compiler.getInvocation(), arguments, compiler.getDiagnostics());
  // Again, as the arguments have it: without colours and carets.
  compiler.createDiagnostics();
  std::unique_ptr<clang::FrontendAction> action = action_of(compiler.getFrontendOpts().ProgramAction);
  if (!action) {
    llvm::errs() << "error: whittle asks clang for LLVM code only; an option after -- asks for something else\n";
    return false;
  }
  bool done = good && compiler.ExecuteAction(*action);
  action.release();  // the process ends: nothing is worth freeing
  return done;
}

/// clang's own headers (stddef.h, ...): installed with whittle, or where they were at build time.
std::string resource_folder() {
  std::error_code error;
  std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  std::filesystem::path own = program.parent_path().parent_path() / "share/whittle/clang";
  return std::filesystem::exists(own, error) ? own.string() : WHITTLE_CLANG_RESOURCES;
}

/// What the driver makes of the command line; it says itself what is wrong with it.
bool drive(const std::vector<std::string>& command) {
  llvm::IntrusiveRefCntPtr<clang::DiagnosticOptions> options(new clang::DiagnosticOptions);
  auto* printer = new clang::TextDiagnosticPrinter(llvm::errs(), options.get());
  printer->setPrefix("clang");
  clang::DiagnosticsEngine diagnostics(new clang::DiagnosticIDs, options, printer);
  clang::driver::Driver driver(command[0], llvm::sys::getDefaultTargetTriple(), diagnostics);
  std::vector<const char*> arguments;
  for (const std::string& argument : command) arguments.push_back(argument.c_str());
  const std::string resources = resource_folder();
  arguments.insert(arguments.begin() + 1, {"-resource-dir", resources.c_str()});
  std::unique_ptr<clang::driver::Compilation> jobs(driver.BuildCompilation(arguments));
  if (!jobs || diagnostics.hasErrorOccurred()) return false;
  for (const clang::driver::Command& job : jobs->getJobs()) {
    const llvm::opt::ArgStringList& words = job.getArguments();
    if (words.empty() || llvm::StringRef(words[0]) != "-cc1") return false;
    if (!compile(llvm::ArrayRef(words).drop_front())) return false;
  }
  (void)jobs.release();
  return true;
}

[[noreturn]] void work(const std::vector<std::string>& command, const Streams& streams, pid_t parent) {
  // Nothing works on when the other process is gone, whatever ended it.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  dup2(streams.in(), 0);
  dup2(streams.out(), 1);
  dup2(streams.err(), 2);
  for (int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE}) std::signal(signal, SIG_DFL);
  bool good = drive(command);
  llvm::outs().flush();
  llvm::errs().flush();
  _exit(good ? 0 : 1);
}

}  // namespace

Outcome run(const std::vector<std::string>& command, const std::string& input) {
  Streams streams(input);
  pid_t parent = getpid(), child = fork();
  if (child < 0) fail_internal("cannot start a process: {}", std::strerror(errno));
  if (child == 0) work(command, streams, parent);
  return streams.outcome_of(child);
}

}  // namespace whittle::compiler
