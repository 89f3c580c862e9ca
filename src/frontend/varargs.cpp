// Variable arguments. The caller puts them into an object of its frame, laid out like the part of the stack where the
// System V ABI passes arguments that find no register, and hands its address over as a hidden last argument.
//
//   LP64   slots of 8 bytes; va_list { gp_offset = 48, fp_offset = 176, area, 0 } says that all registers are used up
//   ILP32  slots of 4 bytes; va_list is a pointer into the area
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>

#include "frontend/function_lowering.h"

namespace whittle::frontend {

namespace {

/// An object of two words that is passed as two values, of which this is the first: how it is aligned. An __int128 takes an even place where it finds no register,
/// and whoever asks for it looks there; two longs do not. 1: none is seen.
uint64_t align_of_pair(const llvm::Value* value, const llvm::DataLayout& data) {
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(value);
  const auto* first = load ? llvm::dyn_cast<llvm::GetElementPtrInst>(load->getPointerOperand()) : nullptr;
  const auto* pair = first ? llvm::dyn_cast<llvm::StructType>(first->getSourceElementType()) : nullptr;
  if (!pair || !pair->isLiteral() || !first->hasAllZeroIndices()) return 1;  // a struct of the program has a name
  const llvm::Value* object = first->getPointerOperand();
  llvm::Type* type = nullptr;
  if (const auto* local = llvm::dyn_cast<llvm::AllocaInst>(object)) type = local->getAllocatedType();
  if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(object)) type = global->getValueType();
  return type && type->isSized() ? data.getABITypeAlign(type).value() : 1;
}

}  // namespace

FunctionLowering::Term FunctionLowering::variable_arguments(const llvm::CallBase& call, unsigned first, Term& mark) {
  const llvm::DataLayout& data = info_.data();
  uint64_t slot = info_.pointer_width() / 8;
  struct Argument {
    const llvm::Value* value;
    uint64_t offset;
    uint64_t size;
    llvm::Type* by_value;  ///< what is copied; null: the value itself
    uint64_t align;
  };
  std::vector<Argument> arguments;
  uint64_t end = 0;
  for (unsigned i = first; i < call.arg_size(); ++i) {
    const llvm::Value* value = call.getArgOperand(i);
    bool by_value = call.isByValArgument(i);
    llvm::Type* type = by_value ? call.getParamByValType(i) : value->getType();
    uint64_t align = by_value ? call.getParamAlign(i).valueOrOne().value() : std::max(data.getABITypeAlign(type).value(), align_of_pair(value, data));
    bool wide =
        align > slot && (slot == 8 || by_value);  // 32-bit code aligns arguments to four bytes, whatever they are
    uint64_t offset = llvm::alignTo(end, wide ? align : slot);
    uint64_t size = data.getTypeAllocSize(type).getFixedValue();
    arguments.push_back({value, offset, size, by_value ? type : nullptr, align});
    end = llvm::alignTo(offset + size, slot);
  }
  if (arguments.empty()) return pointer_constant(0);

  // Values first: the object must be the newest when the mark is restored.
  std::vector<Leaves> values;
  for (const Argument& argument : arguments) values.push_back(defined(argument.value));
  if (!alive()) return pointer_constant(0);
  RegisterId saved = fresh(info_.pointer_width()), area = fresh(info_.pointer_width());
  emit(make(Kind::StackSave, {saved}, {}));
  mark = var(saved);
  Statement object = make(Kind::StackAlloc, {area}, {pointer_constant(end)});
  object.text = "variable arguments";
  object.align = 16;
  emit(std::move(object));
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Argument& argument = arguments[i];
    Term at = terms().add(var(area), pointer_constant(argument.offset));
    if (argument.by_value) {
      copy_bulk({at, values[i][0], pointer_constant(argument.size), true, false, false,
                 pieces_of(*argument.by_value, data, argument.align)});
      continue;
    }
    const Layout* parts = layout(argument.value->getType());
    if (!parts) return pointer_constant(0);
    for (size_t k = 0; k < parts->size(); ++k) {
      const Leaf& leaf = (*parts)[k];
      // A small argument fills its slot: va_arg of a promoted type may read all of it.
      unsigned width =
          parts->size() == 1 && leaf.width < 8 * slot ? static_cast<unsigned>(8 * slot) : leaf.memory_width;
      store_to(terms().add(at, pointer_constant(leaf.offset)), to_memory(leaf, values[i][k], width), 1, true);
    }
  }
  return var(area);
}

void FunctionLowering::va_start(const llvm::CallBase& call) {
  Term list = scalar(call.getArgOperand(0));
  if (!alive()) return;
  if (!variable_area_) return unsupported("va_start in a function without variable arguments");
  bool local = storage_.is_private(call.getArgOperand(0));
  if (info_.pointer_width() == 32) return store_to(list, variable_area_, 4, local);
  auto field = [&](uint64_t offset) { return terms().add(list, pointer_constant(offset)); };
  store_to(field(0), terms().constant(32, 48), 4, local);
  store_to(field(4), terms().constant(32, 176), 4, local);
  store_to(field(8), variable_area_, 8, local);
  store_to(field(16), pointer_constant(0), 8, local);
}

void FunctionLowering::va_copy(const llvm::CallBase& call) {
  Term to = scalar(call.getArgOperand(0)), from = scalar(call.getArgOperand(1));
  if (!alive()) return;
  bool local = storage_.is_private(call.getArgOperand(0)) && storage_.is_private(call.getArgOperand(1));
  copy(to, from, pointer_constant(info_.pointer_width() == 32 ? 4 : 24), local);
}

}  // namespace whittle::frontend
