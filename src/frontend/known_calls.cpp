// Functions known by name: whittle's primitives, the competition's functions, and what must work without any model.
#include <llvm/Analysis/ValueTracking.h>

#include "frontend/dialect.h"
#include "frontend/function_lowering.h"
#include "frontend/library.h"

namespace whittle::frontend {

using verdict::Property;

FunctionLowering::Term FunctionLowering::argument(const llvm::CallBase& call, unsigned i, unsigned width) {
  if (i >= call.arg_size()) return nondet(width, "missing argument", false);
  return terms().resize_unsigned(scalar(call.getArgOperand(i)), width);
}

void FunctionLowering::set_result(const llvm::CallBase& call, Term value) {
  if (!alive() || call.use_empty()) return;
  unsigned width = scalar_width(call.getType(), info_.data());
  if (width == 0) return unsupported("value of type " + type_name(call.getType()));
  set_stable(call, {terms().resize_unsigned(value, width)});
}

std::string FunctionLowering::literal(const llvm::CallBase& call, unsigned i, const char* otherwise) {
  llvm::StringRef text;
  if (i < call.arg_size() && llvm::getConstantStringInfo(call.getArgOperand(i), text)) return text.str();
  return otherwise;
}

void FunctionLowering::halt(Term status, const char* kind) {
  emit(make(Kind::AtomicBegin));  // others may run before the end
  Statement statement = make(Kind::Halt, {}, {status});
  statement.text = kind;
  end_path(std::move(statement));
}

bool FunctionLowering::lower_known(const llvm::CallBase& call, const llvm::Function& callee) {
  llvm::StringRef name = callee.getName();
  if (name.starts_with("__whittle_") && callee.isDeclaration()) return lower_primitive(call, name);
  // These two are what they are called, even where a task defines them as empty functions.
  if (name == "__VERIFIER_atomic_begin") return emit(make(Kind::AtomicBegin)), true;
  if (name == "__VERIFIER_atomic_end") return emit(make(Kind::AtomicEnd)), true;
  // Sizes are known here, and no longer in a model.
  if ((name == "klee_make_symbolic" || name == "__VERIFIER_nondet_memory") &&
      (callee.isDeclaration() || info_.is_runtime(callee))) {
    Term object = argument(call, 0, info_.pointer_width()), size = argument(call, 1, info_.pointer_width());
    return nondet_memory(call, object, size), true;
  }
  // Which pointers a copy has is known here, and no longer in a model, which all calls share.
  if (info_.is_runtime(callee) && !asked(Property::ValidDeref) && lower_bulk(call, name)) return true;
  if (!callee.isDeclaration()) return false;
  return lower_verifier(call, name) || lower_atomic_library(call, name) || lower_fallback(call, name);
}

bool FunctionLowering::lower_primitive(const llvm::CallBase& call, llvm::StringRef full_name) {
  llvm::StringRef name = full_name.drop_front(10);
  unsigned pointer = info_.pointer_width();
  auto plain = [&](Kind kind) { return emit(make(kind)), true; };
  auto property = [&](unsigned i) {
    auto* number = i < call.arg_size() ? llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(i)) : nullptr;
    uint64_t value = number ? number->getZExtValue() : 0;
    return static_cast<Property>(value < verdict::kPropertyCount ? value : 0);
  };
  auto result = [&](Kind kind, unsigned width, std::initializer_list<Term> operands) {
    RegisterId target = fresh(width);
    emit(make(kind, {target}, operands));
    set_result(call, var(target));
    return true;
  };
  if (name == "error") return error(property(0), literal(call, 1, "error")), true;
  if (name == "check") return check(argument(call, 0, 1), property(1), literal(call, 2, "check")), true;
  if (name == "assume") return emit(make(Kind::Assume, {}, {argument(call, 0, 1)})), true;
  if (name == "unsupported") return unsupported(literal(call, 0, "construct without a model")), true;
  if (name == "halt") return halt(argument(call, 0, 32), literal(call, 1, "exit") == "abort" ? "abort" : "exit"), true;
  if (name == "nondet_reuse") return nondet_result(call, "a freed place is given again", false), true;
  if (name == "nondet_memory") return nondet_memory(call, argument(call, 0, pointer), argument(call, 1, pointer)), true;
  if (name.starts_with("nondet_")) return nondet_result(call, full_name.str(), true), true;
  if (name == "heap_alloc") return result(Kind::HeapAlloc, pointer, {argument(call, 0, pointer), argument(call, 1, 1)});
  if (name == "heap_alloc_at")
    return result(Kind::HeapAlloc, pointer,
                  {argument(call, 0, pointer), argument(call, 1, 1), argument(call, 2, pointer)});
  if (name == "freed")
    return result(Kind::Freed, pointer,
                  {argument(call, 0, pointer), argument(call, 1, pointer), argument(call, 2, pointer)});
  if (name == "reuses") return set_result(call, terms().boolean(info_.reuses())), true;
  if (name == "malloc_may_fail") return set_result(call, terms().boolean(info_.options().malloc_may_fail)), true;
  if (name == "text_length") return set_result(call, pointer_constant(info_.options().text_length)), true;
  if (name == "signals") return set_result(call, terms().constant(32, info_.options().signals)), true;
  if (name == "spurious_wakeups") return set_result(call, terms().boolean(info_.options().spurious_wakeups)), true;
  if (name == "heap_free") return emit(make(Kind::HeapFree, {}, {argument(call, 0, pointer)})), true;
  if (name == "object_size") return result(Kind::ObjectSize, pointer, {argument(call, 0, pointer)});
  if (name == "object_offset") return result(Kind::ObjectOffset, pointer, {argument(call, 0, pointer)});
  if (name == "atomic_begin") return plain(Kind::AtomicBegin);
  if (name == "atomic_end") return plain(Kind::AtomicEnd);
  if (name == "await32" || name == "await64") {
    unsigned width = name == "await32" ? 32 : 64;
    Statement statement = access(Kind::Await, argument(call, 0, pointer), width, width / 8, false, Order::Both);
    for (unsigned i = 1; i < 4; ++i) statement.operands.push_back(argument(call, i, width));
    return emit(std::move(statement)), true;
  }
  if (name == "spawn")
    return result(Kind::Spawn, 32,
                  {argument(call, 0, pointer), argument(call, 1, pointer), argument(call, 2, pointer)});
  if (name == "thread_exit") return end_path(make(Kind::ThreadExit)), true;
  if (name == "self") return result(Kind::Self, 32, {});
  if (name == "yield") return plain(Kind::Yield);
  if (name == "output")
    return emit(
               make(Kind::Output, {}, {argument(call, 0, 32), argument(call, 1, pointer), argument(call, 2, pointer)})),
           true;
  if (name == "math1" || name == "math2" || name == "math1f" || name == "math2f") {
    unsigned width = name.ends_with("f") ? 32 : 64;
    RegisterId target = fresh(width);
    Statement statement = make(Kind::HostMath, {target}, {argument(call, 1, width)});
    if (name.starts_with("math2")) statement.operands.push_back(argument(call, 2, width));
    statement.text = literal(call, 0, "");
    emit(std::move(statement));
    return set_result(call, var(target)), true;
  }
  return unsupported("primitive " + full_name.str()), true;
}

/// A function that takes a condition as its first argument.
FunctionLowering::Term FunctionLowering::condition_argument(const llvm::CallBase& call, llvm::StringRef name) {
  if (call.arg_size() == 0 || call.getArgOperand(0)->getType()->isFloatingPointTy()) {
    unsupported(name.str() + (call.arg_size() == 0 ? " without a condition" : " of a floating-point number"));
    return terms().truth();
  }
  Term value = scalar(call.getArgOperand(0));
  return terms().ne(value, terms().constant(value.width(), 0));
}

bool FunctionLowering::lower_verifier(const llvm::CallBase& call, llvm::StringRef name) {
  if (is_input_name(name.str())) return lower_input(call, name), true;
  for (const char* assumption : {"__VERIFIER_assume", "__CPROVER_assume", "__ESBMC_assume", "klee_assume"})
    if (name == assumption) {
      Term condition = condition_argument(call, name);
      if (alive()) emit(make(Kind::Assume, {}, {condition}));
      return set_result(call, terms().constant(32, 0)), true;
    }
  for (const char* assertion : {"assert", "__VERIFIER_assert", "__CPROVER_assert", "__ESBMC_assert", "klee_assert"})
    if (name == assertion) {
      Term condition = condition_argument(call, name);
      if (alive()) check(condition, Property::UnreachCall, literal(call, 1, "assertion failed"));
      return set_result(call, terms().constant(32, 0)), true;
    }
  if (name == "__assert_fail" || name == "__assert" || name == "__assert_rtn") {
    unsigned which = name == "__assert_rtn" ? 3 : 0;
    std::string text = literal(call, which, "");
    return error(Property::UnreachCall, text.empty() ? "assertion failed" : "assertion `" + text + "` failed"), true;
  }
  for (const char* jump : {"vfork", "fork", "getcontext", "setcontext", "makecontext", "swapcontext"})
    if (name == jump) return unsupported(name.str()), true;
  return false;
}

/// Inputs come as values; what would write them somewhere has a model or is not followed.
void FunctionLowering::lower_input(const llvm::CallBase& call, llvm::StringRef name) {
  for (const llvm::Use& argument : call.args())
    if (argument->getType()->isPointerTy()) return unsupported(no_model(name.str()));
  nondet_result(call, name.str(), true);
}

/// What even a program without models needs.
bool FunctionLowering::lower_fallback(const llvm::CallBase& call, llvm::StringRef name) {
  unsigned pointer = info_.pointer_width();
  auto allocate_heap = [&](Term size, bool zeroed) {
    RegisterId target = fresh(pointer);
    emit(make(Kind::HeapAlloc, {target}, {size, terms().boolean(zeroed)}));
    set_result(call, var(target));
    return true;
  };
  if (name == "abort") return halt(terms().constant(32, 134), "abort"), true;
  if (name == "exit" || name == "_exit" || name == "_Exit") return halt(argument(call, 0, 32), "exit"), true;
  if (name == "malloc") return allocate_heap(argument(call, 0, pointer), false);
  if (name == "calloc") return allocate_heap(terms().mul(argument(call, 0, pointer), argument(call, 1, pointer)), true);
  if (name == "free") return emit(make(Kind::HeapFree, {}, {argument(call, 0, pointer)})), true;
  return lower_bulk(call, name);
}

/// As one statement of the caller.
bool FunctionLowering::lower_bulk(const llvm::CallBase& call, llvm::StringRef name) {
  const unsigned pointer = info_.pointer_width();
  if (name == "memcpy" || name == "memmove") {
    Term to = argument(call, 0, pointer);
    copy_bulk({to, argument(call, 1, pointer), argument(call, 2, pointer), false, false, name == "memmove", {}});
    return set_result(call, to), true;
  }
  if (name == "memset") {
    Term to = argument(call, 0, pointer);
    fill_bulk(to, argument(call, 1, 8), argument(call, 2, pointer), 1, false);
    return set_result(call, to), true;
  }
  return false;
}

/// Arbitrary bytes: one input if there is an integer of that size, else one for each byte.
void FunctionLowering::nondet_memory(const llvm::CallBase& call, Term object, Term size) {
  if (!alive()) return;
  std::string origin = literal(call, 2, "");
  if (origin.empty() && call.getCalledFunction()) origin = call.getCalledFunction()->getName().str();
  constexpr uint64_t kUnrolled = 16;
  if (size.is_constant() && size.value() <= kUnrolled) {
    uint64_t bytes = size.value64();
    if (bytes != 0 && (bytes & (bytes - 1)) == 0)
      return store_to(object, nondet(static_cast<unsigned>(8 * bytes), origin, true), 1, false);
    for (uint64_t i = 0; i < bytes; ++i)
      store_to(terms().add(object, pointer_constant(i)), nondet(8, origin, true), 1, false);
    return;
  }
  RegisterId index = fresh(info_.pointer_width()), start = fresh(info_.pointer_width()),
             length = fresh(info_.pointer_width());
  Statement begin = make(Kind::Assign, {index, start, length}, {pointer_constant(0), object, size});
  emit(std::move(begin));
  LocationId head = here_;
  Term more = terms().ult(var(index), var(length));
  emit(make(Kind::Assume, {}, {more}));
  store_to(terms().add(var(start), var(index)), nondet(8, origin, true), 1, false);
  emit(make(Kind::Assign, {index}, {terms().add(var(index), pointer_constant(1))}));
  goto_location(head);
  here_ = head;
  emit(make(Kind::Assume, {}, {terms().bnot(more)}));
}

}  // namespace whittle::frontend
