// The library form of atomic operations, which clang calls where it cannot be sure of size or alignment:
// __atomic_load(size, ...), __atomic_load_8(...) and their like.
#include "frontend/atomic_order.h"
#include "frontend/function_lowering.h"

namespace whittle::frontend {
namespace {

/// Splits "__atomic_fetch_add_4" into the operation and its size in bytes (0: no size in the name).
std::pair<llvm::StringRef, unsigned> split_size(llvm::StringRef name) {
  auto [stem, digits] = name.rsplit('_');
  unsigned bytes = 0;
  if (!digits.getAsInteger(10, bytes) && (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16))
    return {stem, bytes};
  return {name, 0};
}

std::optional<program::Rmw> fetch_operation(llvm::StringRef name) {
  using program::Rmw;
  static constexpr std::pair<const char*, Rmw> kTable[] = {{"add", Rmw::Add}, {"sub", Rmw::Sub}, {"and", Rmw::And},
                                                           {"or", Rmw::Or},   {"xor", Rmw::Xor}, {"nand", Rmw::Nand}};
  for (auto& [word, operation] : kTable)
    if (name == word) return operation;
  return std::nullopt;
}

}  // namespace

bool FunctionLowering::lower_atomic_library(const llvm::CallBase& call, llvm::StringRef name) {
  if (!name.consume_front("__atomic_")) return false;
  unsigned pointer = info_.pointer_width();
  if (name == "signal_fence") return true;  // orders nothing between threads
  if (name == "is_lock_free") return set_result(call, terms().truth()), true;
  const bool two_orders = name.starts_with("compare_exchange") && call.arg_size() > 1;
  const Atomic order = call.arg_empty() ? Atomic() : order_of(*call.getArgOperand(call.arg_size() - (two_orders ? 2 : 1)));
  const Atomic failure = two_orders ? order_of(*call.getArgOperand(call.arg_size() - 1)) : order;
  if (!order || !failure) return unsupported("__atomic_" + name.str() + " with an order that is no constant"), true;
  if (name == "thread_fence") {
    Statement fence = make(Kind::Fence);
    fence.text = program::text_of(*order);
    return emit(std::move(fence)), true;
  }
  auto [operation, bytes] = split_size(name);
  bool generic = bytes == 0;  // the first argument is the size and values are passed by address
  unsigned first = 0;
  if (generic) {
    auto* size = call.arg_size() > 0 ? llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(0)) : nullptr;
    bytes = size ? static_cast<unsigned>(std::min<uint64_t>(size->getZExtValue(), 1000)) : 0;
    if (bytes == 0) return unsupported("__atomic_" + name.str()), true;
    first = 1;
  }
  unsigned width = 8 * bytes;
  Term object = argument(call, first, pointer);
  if (!alive()) return true;
  if (generic && (width > 128 || (bytes & (bytes - 1)) != 0)) {
    // Odd sizes: copy the bytes in one atomic step.
    if ((operation != "load" && operation != "store") || *order == Order::Relaxed)
      return unsupported("__atomic_" + name.str() + " of " + std::to_string(bytes) + " bytes"), true;
    Term other = argument(call, 2, pointer);
    emit(make(Kind::AtomicBegin));
    copy(operation == "load" ? other : object, operation == "load" ? object : other, pointer_constant(bytes), false);
    emit(make(Kind::AtomicEnd));
    return true;
  }
  auto in = [&](unsigned i) {  // value argument i
    if (!generic) return argument(call, i, width);
    RegisterId value = fresh(width);
    load_into(value, argument(call, i, pointer), width, 1, false);
    return var(value);
  };
  auto out = [&](unsigned i, Term value) {
    if (generic) {
      store_to(argument(call, i, pointer), value, 1, false);
    } else {
      set_result(call, value);
    }
  };
  if (operation == "load") {
    RegisterId value = fresh(width);
    load_into(value, object, width, bytes, false, order);
    return out(2, var(value)), true;
  }
  if (operation == "store") return store_to(object, in(first + 1), bytes, false, order), true;
  if (operation == "compare_exchange") {
    Term place = argument(call, first + 1, pointer);
    RegisterId expected = fresh(width), old = fresh(width), success = fresh(1);
    load_into(expected, place, width, 1, false);
    Statement statement = access(Kind::AtomicCas, object, width, bytes, false, order);
    statement.text = program::text_of(*order, *failure);
    statement.operands.push_back(var(expected));
    statement.operands.push_back(in(first + 2));
    statement.targets = {old, success};
    emit(std::move(statement));
    store_to(place, var(old), 1, false);  // on success it holds that value already
    return set_result(call, var(success)), true;
  }
  bool fetch = operation.consume_front("fetch_");
  bool after = !fetch && operation.consume_back("_fetch");
  std::optional<program::Rmw> rmw = operation == "exchange" ? program::Rmw::Exchange : fetch_operation(operation);
  if (!rmw) return unsupported("__atomic_" + name.str()), true;
  RegisterId old = fresh(width);
  Term value = in(first + 1);
  Statement statement = access(Kind::AtomicRmw, object, width, bytes, false, order);
  statement.rmw = *rmw;
  statement.operands.push_back(value);
  statement.targets = {old};
  emit(std::move(statement));
  if (*rmw == program::Rmw::Exchange) return out(3, var(old)), true;
  Term result = var(old);
  if (after) {
    switch (*rmw) {
      case program::Rmw::Add: result = terms().add(result, value); break;
      case program::Rmw::Sub: result = terms().sub(result, value); break;
      case program::Rmw::And: result = terms().band(result, value); break;
      case program::Rmw::Or: result = terms().bor(result, value); break;
      case program::Rmw::Xor: result = terms().bxor(result, value); break;
      default: result = terms().bnot(terms().band(result, value)); break;
    }
  }
  return set_result(call, result), true;
}

}  // namespace whittle::frontend
