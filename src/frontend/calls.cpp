// Calls: of functions with a body, through pointers, and of functions without a body.
#include <algorithm>

#include "frontend/checks.h"
#include "frontend/folded.h"
#include "frontend/function_lowering.h"
#include "frontend/library.h"

namespace whittle::frontend {

void FunctionLowering::lower_call(const llvm::CallBase& call) {
  if (call.isInlineAsm()) return lower_assembly(call);
  if (auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call)) return lower_intrinsic(*intrinsic);
  auto* callee = llvm::dyn_cast_or_null<llvm::Function>(resolve(call.getCalledOperand()));
  if (!callee) return call_pointer(call);
  if (info_.is_error_function(callee->getName()))
    return error(verdict::Property::UnreachCall, callee->getName().str() + " is called");
  if (callee->getName().starts_with(kCheckPrefix)) return lower_check(call);
  if (callee->getName() == llvm::StringRef(kEvaluated)) return;
  if (lower_known(call, *callee) || !alive()) return;
  if (callee->isDeclaration()) return call_unknown(call, *callee);
  call_function(call, *callee);
}

FunctionLowering::Term FunctionLowering::nondet(unsigned width, const std::string& origin, bool input) {
  RegisterId target = fresh(width);
  Statement statement = make(Kind::Nondet, {target}, {});
  statement.text = origin;
  statement.input = input;
  emit(std::move(statement));
  return var(target);
}

void FunctionLowering::nondet_result(const llvm::CallBase& call, const std::string& origin, bool input) {
  const Layout* parts = layout(call.getType());
  if (!parts || parts->empty()) return;
  if (std::ranges::any_of(*parts, [](const Leaf& leaf) { return is_long_double(leaf.type); }))
    return unsupported("an arbitrary long double");
  // What is never looked at need not be chosen; an input is asked for all the same, so that inputs keep their order.
  if (call.use_empty() && !input) return;
  if (parts->size() == 1)
    if (const llvm::StoreInst* store = direct_store(call, parts->front().width)) {
      RegisterId target = variable_registers_[llvm::cast<llvm::AllocaInst>(store->getPointerOperand())];
      keep_pending(target, nullptr);
      Statement statement = make(Kind::Nondet, {target}, {});
      statement.text = origin;
      statement.input = input;
      emit(std::move(statement));
      done_stores_.insert(store);
      return;
    }
  Leaves value;
  for (const Leaf& leaf : *parts) value.push_back(nondet(leaf.width, origin, input));
  set_stable(call, std::move(value));
}

void FunctionLowering::call_unknown(const llvm::CallBase& call, const llvm::Function& callee) {
  std::string name = callee.getName().str();
  if (needs_model(name)) return unsupported(no_model(name));
  if (info_.options().strict) return unsupported("function without a body: " + name);
  info_.assume_no_body(callee);
  if (call.doesNotReturn()) return halt(terms().constant(32, 1), "abort");
  nondet_result(call, "return value of " + name, false);
}

/// Old code calls functions with whatever it likes: what is missing is arbitrary, what is too much is dropped.
std::vector<FunctionLowering::Term> FunctionLowering::fit_arguments(const llvm::CallBase& call,
                                                                    program::FunctionId callee) {
  const llvm::Function& target = *info_.functions()[callee];
  std::vector<Term> given;
  unsigned fixed = std::min<unsigned>(call.arg_size(), target.arg_size());
  for (unsigned i = 0; i < fixed; ++i) {
    Leaves parts = defined(call.getArgOperand(i));
    given.insert(given.end(), parts.begin(), parts.end());
  }
  if (!alive()) return given;
  const program::Function& made = info_.program().functions[callee];
  size_t wanted = made.parameter_count - (target.isVarArg() && !info_.opaque(target) ? 1 : 0);
  given.resize(std::min(given.size(), wanted));
  for (size_t i = 0; i < wanted; ++i) {
    unsigned width = info_.program().functions[callee].registers[i].width();
    if (i >= given.size()) {
      given.push_back(nondet(width, "missing argument of " + target.getName().str(), false));
    } else if (given[i].width() != width) {
      given[i] = terms().resize_unsigned(given[i], width);
    }
  }
  return given;
}

void FunctionLowering::call_function(const llvm::CallBase& call, const llvm::Function& callee) {
  program::FunctionId id = *info_.id(callee);
  Statement statement = make(Kind::Call);
  statement.callee = id;
  statement.operands = fit_arguments(call, id);
  Term mark;
  if (callee.isVarArg())
    statement.operands.push_back(variable_arguments(call, static_cast<unsigned>(callee.arg_size()), mark));
  if (!alive()) return;

  unsigned width = info_.program().functions[id].return_width;
  const Layout* parts = layout(call.getType());
  if (!parts) return;
  bool wanted = width != 0 && !call.use_empty();
  if (wanted && parts->size() == 1 && parts->front().width == width) {
    if (const llvm::StoreInst* store = direct_store(call, width)) {
      RegisterId target = variable_registers_[llvm::cast<llvm::AllocaInst>(store->getPointerOperand())];
      keep_pending(target, nullptr);
      statement.targets = {target};
      done_stores_.insert(store);
      wanted = false;
    }
  }
  RegisterId result = program::kNone;
  if (wanted) {
    result = parts->size() == 1 ? result_register(call, width) : fresh(width);
    statement.targets = {result};
  }
  emit(std::move(statement));
  if (mark) emit(make(Kind::StackRestore, {}, {mark}));
  if (!call.use_empty() && !done_stores_.contains(llvm::dyn_cast<llvm::StoreInst>(*call.user_begin())))
    bind_result(call, result, width);
}

void FunctionLowering::bind_result(const llvm::CallBase& call, RegisterId packed, unsigned packed_width) {
  const Layout* parts = layout(call.getType());
  if (!parts) return;
  unsigned expected = 0;
  for (const Leaf& leaf : *parts) expected += leaf.width;
  if (packed == program::kNone || expected > 128)
    return nondet_result(call, "value of a call that returns none", false);
  Term value = var(packed);
  if (packed_width != expected) value = terms().resize_unsigned(value, expected);
  set_stable(call, unpack(value, *parts));
}

/// How a function whose address is taken answers a call through a pointer that was made for other functions.
FunctionLowering::Fit FunctionLowering::fit(const llvm::CallBase& call, const llvm::Function& target,
                                            program::FunctionId id, llvm::ArrayRef<Term> given,
                                            unsigned result_width) const {
  const program::Function& made = info_.program().functions[id];
  bool hidden = target.isVarArg() && !info_.opaque(target);
  unsigned wanted = made.parameter_count - (hidden ? 1 : 0);
  if (wanted > given.size()) return Fit::No;
  for (unsigned i = 0; i < wanted; ++i)
    if (made.registers[i].width() != given[i].width()) return Fit::No;
  bool same_result = result_width == 0 || made.return_width == result_width;
  if (!hidden && wanted == given.size() && same_result) return Fit::Exact;
  // In a program's own calls a function of another type is undefined behaviour, unless it was defined without a
  // prototype; the models call what they were given (`void *f()` as a thread).
  const llvm::DISubprogram* subprogram = target.getSubprogram();
  bool prototyped = subprogram && subprogram->isPrototyped();
  bool variadic = hidden && call.getFunctionType()->isVarArg();
  return !prototyped || variadic || info_.is_runtime(function_) ? Fit::Adapted : Fit::No;
}

/// A function of a kindred type can be called through a pointer: arguments that it does not take are dropped (`void
/// *f()` as a thread), variable ones are put where it looks for them. Each such function gets a branch of its own.
void FunctionLowering::call_pointer(const llvm::CallBase& call) {
  Term target = scalar(call.getCalledOperand());
  Leaves given;
  unsigned fixed = call.getFunctionType()->isVarArg() ? call.getFunctionType()->getNumParams() : call.arg_size();
  for (unsigned i = 0; i < fixed; ++i) given.append(defined(call.getArgOperand(i)));
  const Layout* parts = layout(call.getType());
  if (!parts || !alive()) return;
  unsigned width = 0;
  for (const Leaf& leaf : *parts) width += leaf.width;
  if (width > 128) return unsupported("return value of type " + type_name(call.getType()));
  RegisterId result = width != 0 && !call.use_empty() ? fresh(width) : program::kNone;

  LocationId join = graph_.location();
  std::vector<Term> others;
  LocationId fork = here_;
  for (program::FunctionId id : info_.address_taken()) {
    const llvm::Function& function = *info_.functions()[id];
    if (fit(call, function, id, given, result == program::kNone ? 0 : width) != Fit::Adapted) continue;
    Term is_target = terms().eq(target, pointer_constant(program::Program::function_address(id)));
    if (is_target.is_false()) continue;
    here_ = fork;
    others.push_back(terms().bnot(is_target));
    emit(make(Kind::Assume, {}, {is_target}));
    call_adapted(call, id, given, result);
    goto_location(join);
  }
  here_ = fork;
  if (!others.empty()) emit(make(Kind::Assume, {}, {terms().conjunction(others)}));
  Statement statement = make(Kind::IndirectCall);
  statement.operands.push_back(target);
  statement.operands.insert(statement.operands.end(), given.begin(), given.end());
  if (result != program::kNone) statement.targets = {result};
  emit(std::move(statement));
  goto_location(join);
  here_ = join;
  if (result != program::kNone) bind_result(call, result, width);
}

void FunctionLowering::call_adapted(const llvm::CallBase& call, program::FunctionId id, llvm::ArrayRef<Term> given,
                                    RegisterId result) {
  const llvm::Function& function = *info_.functions()[id];
  bool hidden = function.isVarArg() && !info_.opaque(function);
  size_t wanted = info_.program().functions[id].parameter_count - (hidden ? 1 : 0);
  Statement statement = make(Kind::Call);
  statement.callee = id;
  statement.operands.assign(given.begin(), given.begin() + static_cast<long>(wanted));
  Term mark;
  if (hidden) statement.operands.push_back(variable_arguments(call, static_cast<unsigned>(function.arg_size()), mark));
  unsigned width = info_.program().functions[id].return_width;
  RegisterId returned = result != program::kNone && width != 0 ? fresh(width) : program::kNone;
  if (returned != program::kNone) statement.targets = {returned};
  emit(std::move(statement));
  if (mark) emit(make(Kind::StackRestore, {}, {mark}));
  if (result == program::kNone) return;
  unsigned expected = var(result).width();
  // What a thread returns is kept by the models, mostly without need.
  if (returned == program::kNone && !info_.result_is_ignored(function) &&
      !function.getName().starts_with(kConstantsPrefix))
    info_.assume("where `" + function.getName().str() + "` is called for a value, which it does not return, that is 0");
  Term value =
      returned == program::kNone ? terms().constant(expected, 0) : terms().resize_unsigned(var(returned), expected);
  emit(make(Kind::Assign, {result}, {value}));
}

}  // namespace whittle::frontend
