// Calls: of functions with a body, through pointers, of functions nobody has written, and inline assembly.
#include <llvm/IR/InlineAsm.h>

#include "frontend/function_lowering.h"

namespace whittle::frontend {

void FunctionLowering::lower_call(const llvm::CallBase& call) {
  if (call.isInlineAsm()) return lower_assembly(call);
  if (auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call)) return lower_intrinsic(*intrinsic);
  auto* callee = llvm::dyn_cast_or_null<llvm::Function>(resolve(call.getCalledOperand()));
  if (!callee) return call_pointer(call);
  if (info_.is_error_function(callee->getName()))
    return error(verdict::Property::UnreachCall, callee->getName().str() + " is called");
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
  // What nobody looks at need not be chosen; an input is asked for all the same, so that inputs keep their order.
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

void FunctionLowering::call_pointer(const llvm::CallBase& call) {
  Term target = scalar(call.getCalledOperand());
  std::vector<Term> given;
  unsigned fixed = call.getFunctionType()->isVarArg() ? call.getFunctionType()->getNumParams() : call.arg_size();
  for (unsigned i = 0; i < fixed; ++i) {
    Leaves parts = defined(call.getArgOperand(i));
    given.insert(given.end(), parts.begin(), parts.end());
  }
  const Layout* parts = layout(call.getType());
  if (!parts || !alive()) return;
  unsigned width = 0;
  for (const Leaf& leaf : *parts) width += leaf.width;
  if (width > 128) return unsupported("return value of type " + type_name(call.getType()));

  RegisterId result = width != 0 && !call.use_empty() ? fresh(width) : program::kNone;
  auto indirect = [&](const Term* area) {
    Statement statement = make(Kind::IndirectCall);
    statement.operands.push_back(target);
    statement.operands.insert(statement.operands.end(), given.begin(), given.end());
    if (area) statement.operands.push_back(*area);
    if (result != program::kNone) statement.targets = {result};
    emit(std::move(statement));
  };
  // A call with a variadic type reaches variadic functions, which take a hidden argument, and functions declared
  // without a prototype, which do not.
  std::vector<Term> variadic;
  if (call.getFunctionType()->isVarArg())
    for (program::FunctionId id : info_.variadic_targets())
      variadic.push_back(terms().eq(target, pointer_constant(program::Program::function_address(id))));
  if (variadic.empty()) {
    indirect(nullptr);
  } else {
    Term is_variadic = terms().disjunction(variadic);
    LocationId fork = here_, join = graph_.location();
    emit(make(Kind::Assume, {}, {is_variadic}));
    Term mark;
    Term area = variable_arguments(call, fixed, mark);
    indirect(&area);
    if (mark) emit(make(Kind::StackRestore, {}, {mark}));
    goto_location(join);
    here_ = fork;
    emit(make(Kind::Assume, {}, {terms().bnot(is_variadic)}));
    indirect(nullptr);
    goto_location(join);
    here_ = join;
  }
  if (result != program::kNone) bind_result(call, result, width);
}

void FunctionLowering::lower_assembly(const llvm::CallBase& call) {
  auto* assembly = llvm::cast<llvm::InlineAsm>(call.getCalledOperand());
  llvm::StringRef text = llvm::StringRef(assembly->getAsmString()).trim(" \t\n;");
  if (text == "mfence" || text == "lfence" || text == "sfence") return emit(make(Kind::Fence));
  bool nothing = text.empty() || text == "nop" || text == "pause" || text == "rep; nop" || text == "rep;nop" ||
                 text.starts_with("#");
  if (!nothing) return unsupported("inline assembly: " + text.str());
  if (call.getType()->isVoidTy() || call.use_empty()) return;
  // A barrier for one value: asm("" : "+r"(x)) hands its only input back.
  if (call.arg_size() == 1 && call.getArgOperand(0)->getType() == call.getType()) {
    Leaves same = defined(call.getArgOperand(0));
    if (!alive()) return;
    RegisterId copy = fresh(same[0].width());
    emit(make(Kind::Assign, {copy}, {same[0]}));
    return set_stable(call, {var(copy)});
  }
  unsupported("inline assembly with results");
}

}  // namespace whittle::frontend
