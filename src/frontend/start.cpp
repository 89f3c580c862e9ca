#include "frontend/start.h"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>

#include "frontend/dialect.h"
#include "frontend/folded.h"
#include "frontend/library.h"

namespace whittle::frontend {

using program::Kind;
using program::kNone;
using program::LocationId;
using program::RegisterId;
using program::Statement;
using term::Term;

namespace {

/// Straight-line code of one function.
class Sequence {
 public:
  Sequence(program::Program& program, program::FunctionId id)
      : builder_(program, id), entry_(builder_.location()), here_(entry_) {}
  RegisterId reg(unsigned width) { return builder_.reg(width); }
  Term var(RegisterId reg) const { return builder_.var(reg); }
  void add(Statement statement) {
    LocationId next = builder_.location();
    builder_.edge(here_, next, std::move(statement));
    here_ = next;
  }
  void end(Statement statement) {
    builder_.edge(here_, kNone, std::move(statement));
    builder_.finish(entry_);
  }
  Term nondet(unsigned width, std::string origin, bool input) {
    Statement statement{.kind = Kind::Nondet};
    RegisterId target = reg(width);
    statement.targets = {target};
    statement.text = std::move(origin);
    statement.input = input;
    add(std::move(statement));
    return var(target);
  }
  void unsupported(std::string what) {
    Statement statement{.kind = Kind::Unsupported};
    statement.text = std::move(what);
    end(std::move(statement));
  }
  void halt(Term status, const char* kind = "exit") {
    add(Statement{.kind = Kind::AtomicBegin});  // others may run before the end
    Statement statement{.kind = Kind::Halt};
    statement.operands = {status};
    statement.text = kind;
    end(std::move(statement));
  }

 private:
  program::FunctionBuilder builder_;
  LocationId entry_, here_;
};

/// The first statement of assembly outside of functions that defines something. Other directives mean nothing here.
std::string file_scope_assembly(const llvm::Module& module) {
  static constexpr llvm::StringRef kDefining[] = {".set", ".equ", ".equiv", ".eqv", ".comm", ".lcomm", ".weakref", ".incbin"};
  std::string text = module.getModuleInlineAsm();
  std::ranges::replace(text, ';', '\n');
  llvm::SmallVector<llvm::StringRef, 8> lines;
  llvm::StringRef(text).split(lines, '\n');
  for (llvm::StringRef line : lines) {
    line = line.split('#').first.trim();
    llvm::StringRef word = line.take_until([](char c) { return c == ' ' || c == '\t'; });
    if (!line.empty() && (!line.starts_with(".") || word.ends_with(":") || llvm::is_contained(kDefining, word))) return line.str();
  }
  return {};
}

class StartBuilder {
 public:
  StartBuilder(ModuleInfo& info, program::FunctionId id)
      : info_(info), program_(info.program()), terms_(program_.terms()), code_(program_, id) {}

  void run() {
    if (std::string what = file_scope_assembly(info_.module()); !what.empty())
      return code_.unsupported("assembly outside of functions: " + what);
    for (const llvm::GlobalVariable* variable : info_.undefined_variables()) {
      // Whoever reads such a variable expects what the library keeps in it.
      std::string name = variable->getName().str();
      if (needs_model(name))
        return code_.unsupported((is_library_name(name) ? "library variable `" : "variable `") + name + "` has no model");
      make_arbitrary(*variable);
    }
    for (const llvm::Function* destructor : listed("llvm.global_dtors"))
      if (const llvm::Function* atexit = body("atexit")) register_destructor(*atexit, *destructor);
    for (const llvm::Function* constructor : listed("llvm.global_ctors"))
      if (!is_harmless(*constructor)) call(*constructor, {});
    Term status = call(info_.entry(), entry_arguments());
    if (!status || info_.entry().getName() != "main") status = terms_.constant(32, 0);
    status = terms_.resize_unsigned(status, 32);
    if (const llvm::Function* exit = body("exit")) {
      call(*exit, {status});
    } else if (!body("atexit")) {
      for (const llvm::Function* destructor : listed("llvm.global_dtors")) call(*destructor, {});
    }
    code_.halt(status);
  }

 private:
  const llvm::Function* body(llvm::StringRef name) const {
    const llvm::Function* function = info_.module().getFunction(name);
    return function && !function->isDeclaration() && info_.id(*function) ? function : nullptr;
  }

  /// Checks of constants (folded.h) of which none is left.
  bool is_harmless(const llvm::Function& constructor) const {
    if (!constructor.getName().starts_with(kConstantsPrefix)) return false;
    const std::vector<program::Edge>& edges = program_.functions[*info_.id(constructor)].edges;
    return std::none_of(edges.begin(), edges.end(), [](auto& edge) {
      return edge.statement.kind == Kind::Check || edge.statement.kind == Kind::Unsupported;
    });
  }

  /// Constructors or destructors, in the order of their priorities.
  std::vector<const llvm::Function*> listed(llvm::StringRef name) const {
    std::vector<std::pair<uint64_t, const llvm::Function*>> found;
    const llvm::GlobalVariable* list = info_.module().getNamedGlobal(name);
    if (list && list->hasInitializer())
      if (auto* array = llvm::dyn_cast<llvm::ConstantArray>(list->getInitializer()))
        for (const llvm::Use& use : array->operands()) {
          auto* entry = llvm::dyn_cast<llvm::ConstantStruct>(use.get());
          auto* function = entry ? llvm::dyn_cast_or_null<llvm::Function>(resolve(entry->getOperand(1))) : nullptr;
          if (function && !function->isDeclaration())
            found.emplace_back(llvm::cast<llvm::ConstantInt>(entry->getOperand(0))->getZExtValue(), function);
        }
    std::stable_sort(found.begin(), found.end(), [](auto& a, auto& b) { return a.first < b.first; });
    std::vector<const llvm::Function*> functions;
    for (auto& [priority, function] : found) functions.push_back(function);
    return functions;
  }

  /// Handlers run last first, so the one registered first, with the smallest priority, runs last.
  void register_destructor(const llvm::Function& atexit, const llvm::Function& destructor) {
    call(atexit, {terms_.constant(info_.pointer_width(), program::Program::function_address(*info_.id(destructor)))});
  }

  Term call(const llvm::Function& function, const std::vector<Term>& arguments) {
    program::FunctionId id = *info_.id(function);
    Statement statement{.kind = Kind::Call};
    statement.callee = id;
    statement.operands = arguments;
    statement.position = program_.functions[id].position;
    unsigned count = program_.functions[id].parameter_count;
    statement.operands.resize(std::min<size_t>(arguments.size(), count));
    for (size_t i = 0; i < count; ++i) {
      unsigned width = program_.functions[id].registers[i].width();
      if (i >= statement.operands.size()) statement.operands.push_back(terms_.constant(width, 0));
      statement.operands[i] = terms_.resize_unsigned(statement.operands[i], width);
    }
    Term result;
    if (unsigned width = program_.functions[id].return_width; width != 0) {
      RegisterId target = code_.reg(width);
      statement.targets = {target};
      result = code_.var(target);
    }
    code_.add(std::move(statement));
    return result;
  }

  /// main(1, {"program", NULL}, {NULL}), or any arguments if that is asked for; any other function gets inputs.
  std::vector<Term> entry_arguments() {
    program::FunctionId id = *info_.id(info_.entry());
    unsigned count = program_.functions[id].parameter_count;
    std::vector<Term> arguments;
    const bool main = info_.entry().getName() == "main";
    unsigned read = 0;  // parameters up to the last one that main looks at
    for (unsigned i = 0; main && i < count; ++i)
      if (is_read(*info_.entry().getArg(i))) read = i + 1;
    if (read > 0 && info_.options().arguments > 0) return any_arguments(read);
    if (main) {
      unsigned pointer = info_.pointer_width();
      auto address = [&](const char* name) {
        std::optional<program::ObjectId> object = program_.find_object(name);
        return terms_.constant(pointer, object ? program_.objects[*object].address : 0);
      };
      arguments = {terms_.constant(32, 1), address("__whittle_argv"), address("__whittle_envp")};
      arguments.resize(std::min<size_t>(count, 3));
      if (read > 0) program_.assumptions.push_back("main is called without arguments: argc is 1 (--args N: up to N)");
      return arguments;
    }
    for (unsigned i = 0; i < count; ++i) {
      const program::Register& parameter = program_.functions[id].registers[i];
      std::string name = parameter.name.empty() ? "argument " + std::to_string(i + 1) : parameter.name;
      arguments.push_back(code_.nondet(parameter.width(), name, true));
    }
    return arguments;
  }

  /// Is the parameter used, other than by being kept in a variable that is not read?
  static bool is_read(const llvm::Argument& parameter) {
    for (const llvm::User* user : parameter.users()) {
      auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
      auto* variable = store && store->getValueOperand() == &parameter ? llvm::dyn_cast<llvm::AllocaInst>(store->getPointerOperand()) : nullptr;
      if (!variable) return true;
      for (const llvm::User* other : variable->users())
        if (other != store && !llvm::isa<llvm::DbgInfoIntrinsic>(other)) return true;
    }
    return false;
  }

  /// Any command line up to a bound. The characters of the arguments are not initialised: any, chosen when they are read.
  std::vector<Term> any_arguments(unsigned count) {
    const unsigned pointer = info_.pointer_width(), most = info_.options().arguments, length = info_.options().argument_length;
    auto address = [&](const char* name) {
      std::optional<program::ObjectId> object = program_.find_object(name);
      return terms_.constant(pointer, object ? program_.objects[*object].address : 0);
    };
    // Every value of the input is a number of arguments, 0 is none: runs with random inputs, or without any, are runs.
    Term number = terms_.urem(code_.nondet(8, "number of arguments", true), terms_.constant(8, most + 1));
    Term argc = terms_.add(terms_.zext(number, 32), terms_.constant(32, 1));
    program_.assumptions.push_back("main has a name and up to " + std::to_string(most) + " arguments of up to " + std::to_string(length) +
                                   " characters (--args, --arg-length)");
    if (count < 2) return {argc};
    const unsigned word = pointer / 8;
    Term argv = object("argv", uint64_t{word} * (most + 2), word);
    auto store = [&](Term at, Term value) {
      Statement statement{.kind = Kind::Store};
      statement.width = static_cast<uint16_t>(value.width());
      statement.operands = {at, value};
      code_.add(std::move(statement));
    };
    std::optional<program::ObjectId> name = program_.find_object("__whittle_argv0");
    store(argv, terms_.constant(pointer, name ? program_.objects[*name].address : 0));
    for (unsigned i = 1; i <= most + 1; ++i) {
      Term text = terms_.constant(pointer, 0);
      if (i <= most) {
        text = object("argv[" + std::to_string(i) + "]", length + 1, 1);
        store(terms_.add(text, terms_.constant(pointer, length)), terms_.constant(8, 0));
        text = terms_.ite(terms_.slt(terms_.constant(32, i), argc), text, terms_.constant(pointer, 0));
      }
      store(terms_.add(argv, terms_.constant(pointer, uint64_t{word} * i)), text);
    }
    std::vector<Term> arguments = {argc, argv, address("__whittle_envp")};
    arguments.resize(std::min<size_t>(count, 3));
    return arguments;
  }

  /// A new object that lives as long as the program.
  Term object(std::string name, uint64_t size, unsigned align) {
    Statement statement{.kind = Kind::StackAlloc};
    RegisterId target = code_.reg(info_.pointer_width());
    statement.targets = {target};
    statement.operands = {terms_.constant(info_.pointer_width(), size)};
    statement.align = static_cast<uint8_t>(align);
    statement.text = std::move(name);
    code_.add(std::move(statement));
    return code_.var(target);
  }

  /// A variable that is declared and nowhere defined can hold anything.
  void make_arbitrary(const llvm::GlobalVariable& variable) {
    std::string name = variable.getName().str();
    const program::Object& object = program_.objects[*info_.id(variable)];
    program_.assumptions.push_back("variable `" + name + "` is defined nowhere: it starts with any value");
    std::optional<Layout> parts =
        variable.getValueType()->isSized() ? layout_of(variable.getValueType(), info_.data()) : std::nullopt;
    if (!parts || object.thread_local_) {
      program_.assumptions.back() = "variable `" + name + "` is defined nowhere: it starts as zero";
      return;
    }
    uint64_t base = object.address;
    for (const Leaf& leaf : *parts) {
      Statement store{.kind = Kind::Store};
      Term value = code_.nondet(leaf.memory_width, "undefined variable " + name, false);
      store.operands = {terms_.constant(info_.pointer_width(), base + leaf.offset), value};
      store.width = static_cast<uint16_t>(leaf.memory_width);
      code_.add(std::move(store));
    }
  }

  ModuleInfo& info_;
  program::Program& program_;
  term::Store& terms_;
  Sequence code_;
};

}  // namespace

program::FunctionId make_start(ModuleInfo& info) {
  program::Program& program = info.program();
  auto id = static_cast<program::FunctionId>(program.functions.size());
  program.functions.emplace_back();
  program.functions.back().name = "__whittle_start";
  program.functions.back().runtime = true;
  StartBuilder(info, id).run();
  return id;
}

void make_opaque_body(ModuleInfo& info, const llvm::Function& function, program::FunctionId id) {
  program::Program& program = info.program();
  Sequence code(program, id);
  std::string name = function.getName().str();
  if (info.is_error_function(name)) {
    if (!info.options().specification.has(verdict::Property::UnreachCall))
      return code.halt(program.terms().constant(32, 134), "abort");
    Statement error{.kind = Kind::Error};
    error.text = name + " is called";
    error.position = program.functions[id].position;
    return code.end(std::move(error));
  }
  if (name == "abort") return code.halt(program.terms().constant(32, 134), "abort");
  bool input = is_input_name(name) && function.arg_empty();
  if (!input && needs_model(name)) return code.unsupported(no_model(name));
  if (!input && info.options().strict) return code.unsupported("function without a body: " + name);
  if (!input) info.assume_no_body(function);
  if (function.doesNotReturn()) return code.halt(program.terms().constant(32, 1));
  Statement result{.kind = Kind::Return};
  if (unsigned width = program.functions[id].return_width; width != 0)
    result.operands = {code.nondet(width, input ? name : "return value of " + name, input)};
  code.end(std::move(result));
}

}  // namespace whittle::frontend
