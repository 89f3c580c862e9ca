#include "frontend/modules.h"

#include <llvm/AsmParser/Parser.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/TargetParser/Triple.h>

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "frontend/checks.h"
#include "frontend/compile.h"
#include "frontend/harness.h"
#include "frontend/model_choice.h"
#include "frontend/signal_points.h"
#include "frontend/stubs.h"
#include "frontend/vectors.h"

namespace whittle::frontend {
namespace {

enum class FileKind { Source, Bitcode, Assembly };

FileKind kind_of(const std::string& file) {
  size_t dot = file.rfind('.');
  std::string extension = dot == std::string::npos ? "" : file.substr(dot);
  if (extension == ".c" || extension == ".i") return FileKind::Source;
  if (extension == ".bc") return FileKind::Bitcode;
  if (extension == ".ll") return FileKind::Assembly;
  read_input(file);  // a missing file or a directory is the better complaint
  fail_usage("{}: not a .c, .i, .bc, .ll, .elf or .hex file", file);
}

std::string one_line(std::string text) {
  for (char& c : text)
    if (c == '\n') c = ' ';
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

/// Remembers the first error that LLVM reports instead of printing it.
struct Diagnostics : llvm::DiagnosticHandler {
  explicit Diagnostics(std::string& first_error) : first(first_error) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    if (info.getSeverity() == llvm::DS_Error && first.empty()) {
      llvm::raw_string_ostream stream(first);
      llvm::DiagnosticPrinterRawOStream printer(stream);
      info.print(printer);
    }
    return true;
  }
  std::string& first;
};

class ModuleLoader {
 public:
  ModuleLoader(const Options& options, LinkedModule& result) : options_(options), result_(result) {
    result_.context = std::make_unique<llvm::LLVMContext>();
    result_.context->setDiagnosticHandler(std::make_unique<Diagnostics>(error_));
  }

  std::unique_ptr<llvm::Module> load(const std::string& file) {
    std::unique_ptr<llvm::Module> module;
    switch (kind_of(file)) {
      case FileKind::Source: module = load_source(file); break;
      case FileKind::Bitcode: module = parse_bitcode(read_input(file), file); break;
      case FileKind::Assembly: module = parse_assembly(read_input(file), file); break;
    }
    check_architecture(*module, file);
    module->setIsNewDbgInfoFormat(true);
    return module;
  }

  void link(std::unique_ptr<llvm::Module> module, const std::string& file) {
    if (!result_.module) {
      result_.module = std::move(module);
      return;
    }
    module->setDataLayout(result_.module->getDataLayout());
    module->setTargetTriple(result_.module->getTargetTriple());
    if (llvm::Linker::linkModules(*result_.module, std::move(module))) fail_input("{}: {}", file, one_line(error_));
  }

  /// Links the models that the program needs and does not define itself, and notes what came in.
  void link_runtime() {
    llvm::Module& module = *result_.module;
    plain_names();
    // The synthesised start ends with exit(), whether or not the program calls it.
    module.getOrInsertFunction("exit", llvm::Type::getVoidTy(*result_.context),
                               llvm::Type::getInt32Ty(*result_.context));
    if (module.getNamedGlobal("llvm.global_dtors"))
      module.getOrInsertFunction("atexit", llvm::Type::getInt32Ty(*result_.context),
                                 llvm::PointerType::getUnqual(*result_.context));
    if (options_.runtime.empty()) return;
    choose_models(module);
    if (has_arrivals(module, options_.signals)) add_signal_points(module);

    llvm::DenseSet<const llvm::GlobalValue*> own;
    for (const llvm::GlobalValue& value : module.global_values())
      if (!value.isDeclaration()) own.insert(&value);

    auto buffer = llvm::MemoryBuffer::getFile(options_.runtime);
    if (!buffer) fail_internal("{}: {}", options_.runtime, buffer.getError().message());
    auto models =
        llvm::getOwningLazyBitcodeModule(std::move(*buffer), *result_.context, /*ShouldLazyLoadMetadata=*/true);
    if (!models) fail_internal("{}: {}", options_.runtime, one_line(llvm::toString(models.takeError())));
    (*models)->setDataLayout(module.getDataLayout());
    (*models)->setTargetTriple(module.getTargetTriple());
    if (llvm::Linker::linkModules(module, std::move(*models), llvm::Linker::LinkOnlyNeeded))
      fail_internal("{}: {}", options_.runtime, one_line(error_));
    for (const llvm::GlobalValue& value : module.global_values())
      if (!value.isDeclaration() && !own.contains(&value)) result_.runtime.insert(&value);
    decide_uses(module, result_.runtime);
  }

  /// The harness for the entry, if this module defines it.
  std::optional<Harness> harness(const llvm::Module& module) const {
    const llvm::Function* entry = module.getFunction(options_.entry);
    if (options_.entry == "main" || !entry || entry->isDeclaration()) return std::nullopt;
    return make_harness(module, options_.entry, options_.harness);
  }

  /// A static function that nothing in its file uses is not compiled unless something is seen to use it. Null if the file
  /// does not mention it.
  std::unique_ptr<llvm::Module> load_keeping(const std::string& file, const std::string& function) {
    if (read_input(file).find(function) == std::string::npos) return nullptr;
    try {
      std::string use = "static void *__whittle_kept __attribute__((used)) = (void *)" + function + ";\n";
      std::unique_ptr<llvm::Module> module = parse_bitcode(compile(file, options_, use).bitcode, file);
      module->setIsNewDbgInfoFormat(true);
      return module;
    } catch (const Error&) {
      return nullptr;  // it is no function there
    }
  }

 private:
  std::unique_ptr<llvm::Module> load_source(const std::string& file) {
    Compiled compiled = compile(file, options_);
    for (std::string& warning : compiled.warnings) result_.warnings.push_back(std::move(warning));
    std::unique_ptr<llvm::Module> module = parse_bitcode(compiled.bitcode, file);
    module->setIsNewDbgInfoFormat(true);
    std::optional<Harness> made = harness(*module);
    if (!made && options_.entry != "main")
      if (std::unique_ptr<llvm::Module> kept = load_keeping(file, options_.entry)) made = harness(*kept);
    if (made) {
      result_.entry = "__whittle_harness";
      result_.assumptions = made->assumptions;
      const llvm::Function* main = module->getFunction("main");
      module = parse_bitcode(compile(file, options_, harness_function(*made, result_.entry, main && !main->isDeclaration())).bitcode, file);
    }
    mark_checked(*module);
    return module;
  }

  std::unique_ptr<llvm::Module> parse_bitcode(const std::string& bytes, const std::string& file) {
    if (!llvm::isBitcode(reinterpret_cast<const unsigned char*>(bytes.data()),
                         reinterpret_cast<const unsigned char*>(bytes.data() + bytes.size())))
      fail_input("{}: not LLVM bitcode", file);
    auto module = llvm::parseBitcodeFile(llvm::MemoryBufferRef(bytes, file), *result_.context);
    if (!module) fail_input("{}: broken bitcode: {}", file, one_line(llvm::toString(module.takeError())));
    verify(**module, file);
    return std::move(*module);
  }

  std::unique_ptr<llvm::Module> parse_assembly(const std::string& text, const std::string& file) {
    llvm::SMDiagnostic diagnostic;
    auto module = llvm::parseAssembly(llvm::MemoryBufferRef(text, file), diagnostic, *result_.context);
    if (!module)
      fail_input("{}:{}:{}: error: {}", file, diagnostic.getLineNo(), diagnostic.getColumnNo() + 1,
                 one_line(diagnostic.getMessage().str()));
    verify(*module, file);
    return module;
  }

  /// What comes from a file need not have been written by a compiler.
  void verify(llvm::Module& module, const std::string& file) {
    if (kind_of(file) == FileKind::Source) return;
    std::string message;
    llvm::raw_string_ostream stream(message);
    bool broken_debug_info = false;
    if (llvm::verifyModule(module, &stream, &broken_debug_info))
      fail_input("{}: invalid LLVM code: {}", file, one_line(message));
    if (broken_debug_info) llvm::StripDebugInfo(module);
  }

  void check_architecture(const llvm::Module& module, const std::string& file) {
    llvm::Triple triple(module.getTargetTriple());
    bool unknown = module.getTargetTriple().empty();
    if (!unknown && !triple.isX86())
      fail_input("{}: code for {}, not for x86 (compile with -m32 or -m64)", file, triple.getArchName().str());
    unsigned wanted = options_.data_model == program::DataModel::ILP32 ? 32 : 64;
    unsigned width = module.getDataLayout().getPointerSizeInBits();
    if (width != wanted)
      fail_input("{}: {}-bit code, but the data model is {}; use --data-model {}", file, width,
                 wanted == 32 ? "ILP32" : "LP64", wanted == 32 ? "LP64" : "ILP32");
  }

  /// Assembler names (`int f(void) __asm__("g")`) carry a mark that the models' names do not have.
  void plain_names() {
    llvm::Module& module = *result_.module;
    std::vector<llvm::GlobalValue*> marked;
    for (llvm::GlobalValue& value : module.global_values())
      if (value.getName().starts_with("\1")) marked.push_back(&value);
    for (llvm::GlobalValue* value : marked) {
      std::string plain = value->getName().drop_front().str();
      if (llvm::GlobalValue* other = module.getNamedValue(plain); !other) {
        value->setName(plain);
      } else if (value->isDeclaration()) {
        value->replaceAllUsesWith(other);
      }
    }
  }

  const Options& options_;
  LinkedModule& result_;
  std::string error_;
};

}  // namespace

LinkedModule link_files(const std::vector<std::string>& files, const Options& options) {
  if (files.empty()) fail_usage("no input file");
  LinkedModule result;
  result.entry = options.entry;
  ModuleLoader loader(options, result);
  for (const std::string& file : files) {
    std::unique_ptr<llvm::Module> module = loader.load(file);
    drop_stubbed(*module, options.stubs);
    loader.link(std::move(module), file);
  }
  for (const Stub& stub : options.stubs)
    if (stub.kind == Stub::Kind::File && std::ranges::find(files, stub.file) == files.end()) loader.link(loader.load(stub.file), stub.file);
  make_stubs(*result.module, options.stubs, result.assumptions);
  loader.link_runtime();
  gather_checks(*result.module);
  pass_long_vectors_as_elements(*result.module);
  split_long_vectors(*result.module);
  return result;
}

std::string harness_text(const std::vector<std::string>& files, const Options& options) {
  LinkedModule result;
  Options plain = options;
  plain.entry = "main";  // of the source as it is
  ModuleLoader loader(plain, result);
  auto has = [](const llvm::Module& module, const std::string& name) {
    const llvm::Function* function = module.getFunction(name);
    return function && !function->isDeclaration();
  };
  for (const std::string& file : files) {
    if (kind_of(file) != FileKind::Source) continue;
    std::unique_ptr<llvm::Module> module = loader.load(file);
    if (!has(*module, options.entry)) module = loader.load_keeping(file, options.entry);
    if (!module || !has(*module, options.entry)) continue;
    return harness_file(make_harness(*module, options.entry, options.harness), file, options.entry, has(*module, "main"));
  }
  fail_input("no function `{}` with a body in {}", options.entry, files.front());
}

}  // namespace whittle::frontend
