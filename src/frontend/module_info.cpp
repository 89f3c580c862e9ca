#include "frontend/module_info.h"

#include <llvm/IR/GlobalAlias.h>
#include <llvm/IR/GlobalIFunc.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

#include <algorithm>

#include "base/error.h"
#include "base/nearest.h"
#include "frontend/roles.h"

namespace whittle::frontend {

const llvm::GlobalValue* resolve(const llvm::Value* value) {
  value = value->stripPointerCastsAndAliases();
  if (auto* ifunc = llvm::dyn_cast<llvm::GlobalIFunc>(value))
    fail_input("`{}` is an ifunc: which function it stands for is decided at run time", ifunc->getName().str());
  return llvm::dyn_cast<llvm::GlobalValue>(value);
}

ModuleInfo::ModuleInfo(const LinkedModule& linked, const Options& options, program::Program& program)
    : linked_(linked), options_(options), program_(program), data_(linked.module->getDataLayout()), debug_(program) {
  find_entry();
  reach_all();
  number();
  make_functions();
  make_objects();
  program_.place_objects();
  fill_objects();
}

void ModuleInfo::find_entry() {
  entry_ = module().getFunction(linked_.entry);
  if (entry_ && !entry_->isDeclaration()) return;
  std::vector<std::string> names;
  for (const llvm::Function& function : module())
    if (!function.isDeclaration() && !is_runtime(function)) names.push_back(function.getName().str());
  if (names.empty()) fail_input("no function `{}`: nothing is defined in the input", options_.entry);
  std::string near = suggestion(options_.entry, names);
  if (near.empty()) near = " (there is `" + names.front() + "`; --entry names another start)";
  fail_input("no function `{}`{}", options_.entry, near);
}

void ModuleInfo::reach(const llvm::GlobalValue* value) {
  if (value && reached_.insert(value).second) work_.push_back(value);
}

void ModuleInfo::reach_operands(const llvm::User& user) {
  // Constants are trees of other constants; globals end them.
  llvm::SmallVector<const llvm::User*, 16> stack{&user};
  llvm::DenseSet<const llvm::User*> seen;
  while (!stack.empty()) {
    const llvm::User* at = stack.pop_back_val();
    auto* call = llvm::dyn_cast<llvm::CallBase>(at);
    for (const llvm::Use& use : at->operands()) {
      const llvm::Value* operand = use.get();
      if (llvm::isa<llvm::GlobalIFunc>(operand) || llvm::isa<llvm::GlobalAlias>(operand)) operand = resolve(operand);
      if (!operand) continue;
      if (auto* function = llvm::dyn_cast<llvm::Function>(operand)) {
        // What is only called needs no number if there is no body to call.
        bool called = call && call->isCallee(&use);
        if (!function->isIntrinsic() && !(called && opaque(*function))) reach(function);
      } else if (auto* global = llvm::dyn_cast<llvm::GlobalValue>(operand)) {
        reach(global);
      } else if (auto* constant = llvm::dyn_cast<llvm::Constant>(operand)) {
        if (constant->getNumOperands() != 0 && seen.insert(constant).second) stack.push_back(constant);
      }
    }
  }
}

void ModuleInfo::reach_all() {
  reach(entry_);
  for (const char* name : {"exit", "atexit"})
    if (const llvm::Function* function = module().getFunction(name); function && !function->isDeclaration())
      if (llvm::StringRef(name) == "exit" || module().getNamedGlobal("llvm.global_dtors")) reach(function);
  for (const char* name : {"llvm.global_ctors", "llvm.global_dtors"})
    if (const llvm::GlobalVariable* list = module().getNamedGlobal(name); list && list->hasInitializer())
      reach_operands(*list);
  while (!work_.empty()) {
    const llvm::GlobalValue* value = work_.back();
    work_.pop_back();
    if (auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(value)) {
      if (variable->hasInitializer()) reach_operands(*variable);
    } else if (auto* function = llvm::dyn_cast<llvm::Function>(value)) {
      if (opaque(*function)) continue;
      for (const llvm::BasicBlock& block : *function)
        for (const llvm::Instruction& instruction : block) reach_operands(instruction);
    }
  }
  concurrent_ = calls_primitive("__whittle_spawn");
  reuses_ = concurrent_ && calls_primitive("__whittle_heap_free") && compares_addresses();
}

bool ModuleInfo::calls_primitive(llvm::StringRef name) const {
  const llvm::Function* primitive = module().getFunction(name);
  if (!primitive) return false;
  for (const llvm::User* user : primitive->users()) {
    auto* call = llvm::dyn_cast<llvm::CallBase>(user);
    if (!call || reached_.contains(call->getFunction())) return true;
  }
  return false;
}

namespace {

/// Comparing with null tells no address from another.
bool looks_at_address(const llvm::Instruction& instruction) {
  if (llvm::isa<llvm::PtrToIntInst>(instruction) || llvm::isa<llvm::AtomicCmpXchgInst>(instruction)) return true;
  if (auto* compare = llvm::dyn_cast<llvm::ICmpInst>(&instruction))
    return compare->getOperand(0)->getType()->isPointerTy() &&
           !llvm::isa<llvm::ConstantPointerNull>(compare->getOperand(0)) &&
           !llvm::isa<llvm::ConstantPointerNull>(compare->getOperand(1));
  if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
    if (const llvm::Function* callee = call->getCalledFunction())
      return callee->getName().contains("memcmp") || callee->getName() == "bcmp" ||
             callee->getName().contains("compare_exchange") || callee->getName().contains("compare_and_swap");
  return false;
}

}  // namespace

bool ModuleInfo::compares_addresses() const {
  for (const llvm::Function& function : module())
    if (reached_.contains(&function) && !is_runtime(function))
      for (const llvm::BasicBlock& block : function)
        for (const llvm::Instruction& instruction : block)
          if (looks_at_address(instruction)) return true;
  return false;
}

void ModuleInfo::number() {
  for (const llvm::Function& function : module())
    if (reached_.contains(&function)) {
      function_ids_[&function] = static_cast<program::FunctionId>(functions_.size());
      if (function.hasAddressTaken()) address_taken_.push_back(static_cast<program::FunctionId>(functions_.size()));
      functions_.push_back(&function);
    }
  constexpr uint64_t kMost = (program::layout::kStaticBase - program::layout::kFunctionBase) / 16 - 1;
  if (functions_.size() >= kMost) fail_input("more than {} functions", kMost);
  for (const llvm::GlobalVariable& variable : module().globals())
    if (reached_.contains(&variable) && !variable.getName().starts_with("llvm.")) {
      object_ids_[&variable] = static_cast<program::ObjectId>(variables_.size());
      variables_.push_back(&variable);
    }
}

/// "scanf" of "__isoc99_scanf", which is what glibc's headers call it, and of names that model_choice.h gives; empty: the name is what
/// the source says.
static std::string plain_library_name(const std::string& name) {
  for (const std::string_view prefix : {"__isoc99_", "__isoc23_", "__whittle_sign_", "__whittle_failing_"})
    if (name.starts_with(prefix)) return name.substr(prefix.size());
  constexpr std::string_view kPrefix = "__whittle_", kRemembered = "_remembered";
  if (name.starts_with(kPrefix) && name.ends_with(kRemembered)) return name.substr(kPrefix.size(), name.size() - kPrefix.size() - kRemembered.size());
  if (name == "__whittle_signal_point") return "arrival of a signal";
  return "";
}

void ModuleInfo::make_functions() {
  program_.functions.resize(functions_.size());
  for (size_t i = 0; i < functions_.size(); ++i) {
    program::Function& made = program_.functions[i];
    made.name = functions_[i]->getName().str();
    made.runtime = is_runtime(*functions_[i]);
    if (made.runtime) made.role = role(made.name);
    if (made.runtime) made.source_name = plain_library_name(made.name);
    if (const llvm::DISubprogram* subprogram = functions_[i]->getSubprogram()) {
      made.position = debug_.position(subprogram->getFile(), subprogram->getLine());
      if (!made.runtime && !subprogram->getName().empty() && subprogram->getName() != made.name) made.source_name = subprogram->getName().str();
      if (const llvm::DISubroutineType* type = subprogram->getType(); type && type->getTypeArray().size() > 0)
        made.return_type = debug_.type(type->getTypeArray()[0]);
    }
  }
}

/// What a role says of waiting and locking does not hold where threads are cancelled or locks outlive their owner: then
/// the bodies say what happens.
program::FunctionRole ModuleInfo::role(llvm::StringRef name) const {
  using enum program::FunctionRole;
  const program::FunctionRole role = function_role(std::string_view(name));
  const bool waits = role == JoinThread || role == WaitCondition;
  const bool locks = role == InitMutex || role == DestroyMutex || role == LockMutex || role == UnlockMutex;
  if ((waits || locks) && uses("pthread_cancel")) return Threads;
  if ((waits || locks) && uses("pthread_mutexattr_setrobust")) return Threads;
  return role;
}

bool ModuleInfo::uses(llvm::StringRef model) const {
  const llvm::Function* function = module().getFunction(model);
  return function && is_runtime(*function) && reached_.contains(function);
}

void ModuleInfo::make_objects() {
  for (const llvm::GlobalVariable* variable : variables_) {
    program::Object object;
    object.name = variable->getName().str();
    object.size =
        variable->getValueType()->isSized() ? data_.getTypeAllocSize(variable->getValueType()).getFixedValue() : 0;
    object.align = static_cast<uint32_t>(data_.getPreferredAlign(variable).value());
    if (variable->getAlign()) object.align = static_cast<uint32_t>(variable->getAlign()->value());
    object.constant =
        variable->isConstant() && variable->hasInitializer();  // without one it gets any value at the start
    object.thread_local_ = variable->isThreadLocal();
    object.runtime = is_runtime(*variable);
    llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> debug;
    variable->getDebugInfo(debug);
    if (!debug.empty()) {
      const llvm::DIGlobalVariable* source = debug.front()->getVariable();
      // (Its own name: a static variable gets another one where the program has the same.)
      if (object.runtime && !object.thread_local_) object.role = object_role(source->getName());
      if (!object.runtime && !source->getName().empty() && source->getName() != object.name) object.source_name = source->getName().str();
      object.type = debug_.type(source->getType());
      object.position = debug_.position(source->getFile(), source->getLine());
    }
    constexpr uint64_t kLargest = uint64_t{1} << 28;
    if (object.size > kLargest)
      fail_input("variable `{}` has {} bytes; {} is the most", object.name, object.size, kLargest);
    if (!variable->hasInitializer()) undefined_.push_back(variable);
    object.initial.assign(object.size, 0);
    program_.objects.push_back(std::move(object));
  }
  make_main_arguments();
}

/// What main gets: {"program", NULL} and {NULL}.
void ModuleInfo::make_main_arguments() {
  if (entry_->getName() != "main" || entry_->arg_size() < 2) return;
  auto add = [&](const char* name, uint64_t size, uint32_t align) {
    program::Object object;
    object.name = name;
    object.size = size;
    object.align = align;
    object.runtime = true;
    object.initial.assign(size, 0);
    program_.objects.push_back(std::move(object));
    return program_.objects.size() - 1;
  };
  uint32_t word = pointer_width() / 8;
  static constexpr char kName[] = "program";
  size_t name = add("__whittle_argv0", sizeof kName, 1);
  std::copy(std::begin(kName), std::end(kName), program_.objects[name].initial.begin());
  add("__whittle_argv", 2 * word, word);
  add("__whittle_envp", word, word);
}

void ModuleInfo::fill_objects() {
  for (size_t i = 0; i < variables_.size(); ++i)
    if (variables_[i]->hasInitializer() && !variables_[i]->getInitializer()->isNullValue())
      fill(*variables_[i]->getInitializer(), 0, program_.objects[i].initial);
  if (std::optional<program::ObjectId> argv = program_.find_object("__whittle_argv")) {
    uint64_t name = program_.objects[*argv - 1].address;
    for (unsigned i = 0; i < pointer_width() / 8; ++i)
      program_.objects[*argv].initial[i] = static_cast<uint8_t>(name >> (8 * i));
  }
}

void ModuleInfo::fill(const llvm::Constant& constant, uint64_t offset, std::vector<uint8_t>& bytes) const {
  if (constant.isNullValue() || llvm::isa<llvm::UndefValue>(constant)) return;
  llvm::Type* type = constant.getType();
  if (auto* data = llvm::dyn_cast<llvm::ConstantDataSequential>(&constant)) {
    llvm::StringRef raw = data->getRawDataValues();  // x86 is little endian, like the host
    std::copy(raw.bytes_begin(), raw.bytes_end(), bytes.begin() + static_cast<long>(offset));
    return;
  }
  if (auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
    const llvm::StructLayout* layout = data_.getStructLayout(structure);
    for (unsigned i = 0; i < structure->getNumElements(); ++i)
      fill(*constant.getAggregateElement(i), offset + layout->getElementOffset(i).getFixedValue(), bytes);
    return;
  }
  if (type->isArrayTy() || type->isVectorTy()) {
    llvm::Type* element =
        type->isArrayTy() ? type->getArrayElementType() : llvm::cast<llvm::VectorType>(type)->getElementType();
    uint64_t count =
        type->isArrayTy() ? type->getArrayNumElements() : llvm::cast<llvm::FixedVectorType>(type)->getNumElements();
    uint64_t stride = data_.getTypeAllocSize(element).getFixedValue();
    for (uint64_t i = 0; i < count; ++i)
      fill(*constant.getAggregateElement(static_cast<unsigned>(i)), offset + i * stride, bytes);
    return;
  }
  std::optional<u128> value = this->constant(&constant);
  if (type->isX86_FP80Ty()) value = bits_of(llvm::cast<llvm::ConstantFP>(constant));
  uint64_t size = data_.getTypeStoreSize(type).getFixedValue();
  if (!value || size > 16) fail_input("a global initialiser of type {} cannot be evaluated", type_name(type));
  for (uint64_t i = 0; i < size; ++i) bytes[offset + i] = static_cast<uint8_t>(*value >> (8 * i));
}

std::optional<program::FunctionId> ModuleInfo::id(const llvm::Function& function) const {
  auto found = function_ids_.find(&function);
  if (found == function_ids_.end()) return std::nullopt;
  return found->second;
}

std::optional<program::ObjectId> ModuleInfo::id(const llvm::GlobalVariable& variable) const {
  auto found = object_ids_.find(&variable);
  if (found == object_ids_.end()) return std::nullopt;
  return found->second;
}

bool ModuleInfo::result_is_ignored(const llvm::Function& function) const {
  for (const llvm::Use& use : function.uses()) {
    auto* call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
    if (!call) return false;
    if (call->isCallee(&use)) {
      if (!call->use_empty()) return false;
      continue;
    }
    auto* receiver = llvm::dyn_cast_or_null<llvm::Function>(resolve(call->getCalledOperand()));
    if (!receiver || !(receiver->isDeclaration() || is_runtime(*receiver))) return false;
    if (results_are_joined()) return false;
  }
  return true;
}

bool ModuleInfo::results_are_joined() const {
  for (const char* name : {"pthread_join", "pthread_tryjoin_np", "pthread_timedjoin_np", "pthread_clockjoin_np", "thrd_join"}) {
    const llvm::Function* join = module().getFunction(name);
    if (!join) continue;
    for (const llvm::User* user : join->users()) {
      auto* call = llvm::dyn_cast<llvm::CallBase>(user);
      if (!call || is_runtime(*call->getFunction())) continue;
      if (call->arg_size() < 2 || !llvm::isa<llvm::ConstantPointerNull>(call->getArgOperand(1))) return true;
    }
  }
  return false;
}

bool ModuleInfo::is_error_function(llvm::StringRef name) const {
  return options_.specification.error_functions.contains(name.str());
}

bool ModuleInfo::opaque(const llvm::Function& function) const {
  return function.isDeclaration() || is_error_function(function.getName());
}

void ModuleInfo::assume(std::string assumption) {
  std::vector<std::string>& known = program_.assumptions;
  if (std::find(known.begin(), known.end(), assumption) == known.end()) known.push_back(std::move(assumption));
}

void ModuleInfo::assume_no_body(const llvm::Function& function) {
  std::string effect = function.doesNotReturn() ? "ends the program" : "returns any value, changes nothing";
  assume("function `" + function.getName().str() + "` has no body: " + effect);
}

}  // namespace whittle::frontend
