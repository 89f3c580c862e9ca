// Accesses that are more than one step where another thread could look on: struct assignment, memcpy, memset, scalars
// that are larger than a word or not aligned (decision 036). Each piece is a statement of its own there. Whether
// another thread could look on is asked when the program runs (Shared); if none can, all is one statement.
#include <llvm/IR/GlobalVariable.h>

#include "frontend/function_lowering.h"

namespace whittle::frontend {
namespace {

constexpr uint64_t kUnrolled = 4;  ///< pieces of one size in straight code; more are a loop

}  // namespace

bool FunctionLowering::may_tear(bool local) const { return info_.concurrent() && !local && !atomic_; }

/// Calls `piece(offset)` for each of them, in a loop where they are many.
template <typename F>
void FunctionLowering::each_piece(const Pieces& pieces, F piece) {
  if (pieces.count <= kUnrolled) {
    for (uint64_t i = 0; i < pieces.count; ++i) piece(pointer_constant(pieces.offset + i * pieces.size));
    return;
  }
  loop(pointer_constant(pieces.count * pieces.size), pieces.size,
       [&](Term index) { piece(terms().add(index, pointer_constant(pieces.offset))); });
}

/// Calls `body(index)` with 0, step, 2 * step, ... below `end`.
template <typename F>
void FunctionLowering::loop(Term end, uint64_t step, F body) {
  RegisterId index = fresh(info_.pointer_width());
  emit(make(Kind::Assign, {index}, {pointer_constant(0)}));
  LocationId head = here_;
  Term more = terms().ult(var(index), end);
  emit(make(Kind::Assume, {}, {more}));
  body(var(index));
  emit(make(Kind::Assign, {index}, {terms().add(var(index), pointer_constant(step))}));
  goto_location(head);
  here_ = head;
  emit(make(Kind::Assume, {}, {terms().bnot(more)}));
}

/// Emits `yes()` or `no()`, whichever holds when the program gets there.
template <typename Yes, typename No>
void FunctionLowering::either(Term condition, Yes yes, No no) {
  if (condition.is_constant()) return condition.is_true() ? yes() : no();
  LocationId fork = here_, join = graph_.location();
  emit(make(Kind::Assume, {}, {condition}));
  yes();
  goto_location(join);
  here_ = fork;
  emit(make(Kind::Assume, {}, {terms().bnot(condition)}));
  no();
  goto_location(join);
  here_ = join;
}

FunctionLowering::Term FunctionLowering::is_shared(Term address) {
  RegisterId answer = fresh(1);
  emit(make(Kind::Shared, {answer}, {address}));
  return var(answer);
}

/// The value of a term that is used again and again, while nothing that it mentions changes.
FunctionLowering::Term FunctionLowering::settled(Term term) {
  if (term.is_constant() || term.is_variable()) return term;
  RegisterId reg = fresh(term.width());
  emit(make(Kind::Assign, {reg}, {term}));
  return var(reg);
}

void FunctionLowering::copy(Term to, Term from, Term size, bool local) {
  if (size.is_constant(0)) return;
  Statement statement = make(Kind::Copy, {}, {to, from, size});
  statement.local = local;
  emit(std::move(statement));
}

/// If others can access both sides, reading a piece and writing it are two steps.
void FunctionLowering::copy_piece(const Bulk& bulk, Term offset, unsigned size) {
  Term to = terms().add(bulk.to, offset), from = terms().add(bulk.from, offset);
  Term both = terms().boolean(false);
  if (!bulk.private_to && !bulk.private_from) both = terms().band(is_shared(to), is_shared(from));
  either(
      both,
      [&] {
        RegisterId held = fresh(8 * size);
        load_into(held, from, 8 * size, 1, false);
        store_to(to, var(held), 1, false);
      },
      [&] { copy(to, from, pointer_constant(size), false); });
}

void FunctionLowering::copy_bulk(Bulk bulk) {
  if (bulk.size.is_constant(0)) return;
  bool local = bulk.private_to && bulk.private_from;
  bool single = bulk.pieces.size() == 1 && bulk.pieces[0].count == 1;
  if (!may_tear(local) || (single && (bulk.private_to || bulk.private_from)))
    return copy(bulk.to, bulk.from, bulk.size, local);
  bulk.to = settled(bulk.to);
  bulk.from = settled(bulk.from);
  bulk.size = settled(bulk.size);
  Term shared = terms().boolean(false);
  if (!bulk.private_to) shared = is_shared(bulk.to);
  if (!bulk.private_from) shared = terms().bor(shared, is_shared(bulk.from));
  auto bytes = [&] {
    loop(bulk.size, 1, [&](Term index) { copy_piece(bulk, index, 1); });
  };
  either(
      shared,
      [&] {
        if (bulk.overlap) {
          Term last = settled(terms().sub(bulk.size, pointer_constant(1)));
          either(
              terms().ule(bulk.to, bulk.from), bytes,
              [&] { loop(bulk.size, 1, [&](Term index) { copy_piece(bulk, terms().sub(last, index), 1); }); });
        } else if (bulk.pieces.empty()) {
          bytes();
        } else {
          for (const Pieces& pieces : bulk.pieces)
            each_piece(pieces, [&](Term offset) { copy_piece(bulk, offset, pieces.size); });
        }
      },
      [&] { copy(bulk.to, bulk.from, bulk.size, false); });
}

void FunctionLowering::fill_bulk(Term to, Term byte, Term size, uint64_t align, bool local) {
  if (size.is_constant(0)) return;
  auto fill = [&](Term at, Term bytes) {
    Statement statement = make(Kind::Fill, {}, {at, byte, bytes});
    statement.local = local;
    emit(std::move(statement));
  };
  std::vector<Pieces> runs;
  if (size.is_constant()) runs = untyped_pieces(size.value64(), align);
  if (!may_tear(local) || (runs.size() == 1 && runs[0].count == 1)) return fill(to, size);
  to = settled(to);
  size = settled(size);
  byte = settled(byte);
  either(
      is_shared(to),
      [&] {
        if (runs.empty()) loop(size, 1, [&](Term index) { fill(terms().add(to, index), pointer_constant(1)); });
        for (const Pieces& pieces : runs)
          each_piece(pieces, [&](Term offset) { fill(terms().add(to, offset), pointer_constant(pieces.size)); });
      },
      [&] { fill(to, size); });
}

void FunctionLowering::lower_copy(const llvm::MemTransferInst& call) {
  const llvm::Value *to = call.getRawDest(), *from = call.getRawSource();
  auto* constant = llvm::dyn_cast_or_null<llvm::GlobalVariable>(resolve(from));
  Bulk bulk;
  bulk.private_to = storage_.is_private(to);
  bulk.private_from = storage_.is_private(from) || (constant && constant->isConstant());
  bulk.to = scalar(to);
  bulk.from = scalar(from);
  bulk.size = terms().resize_unsigned(scalar(call.getLength()), info_.pointer_width());
  bulk.overlap = call.getIntrinsicID() == llvm::Intrinsic::memmove;
  if (const std::vector<Range> open = open_bytes(call, info_.data()); !open.empty() && bulk.size.is_constant()) {
    // Bytes that have no value there get none here: what is copied lies between them.
    uint64_t begin = 0;
    auto copy_until = [&](uint64_t end) {
      if (end <= begin) return;
      Bulk part = bulk;
      const Term offset = pointer_constant(begin);
      part.to = terms().add(bulk.to, offset);
      part.from = terms().add(bulk.from, offset);
      part.size = pointer_constant(end - begin);
      part.pieces = untyped_pieces(end - begin, 1);
      copy_bulk(std::move(part));
    };
    for (const Range& range : open) {
      copy_until(range.begin);
      begin = range.end;
    }
    return copy_until(bulk.size.value64());
  }
  if (bulk.size.is_constant() && !bulk.overlap) {
    uint64_t bytes = bulk.size.value64();
    uint64_t align = std::min(call.getDestAlign().valueOrOne().value(), call.getSourceAlign().valueOrOne().value());
    bulk.pieces = copied_members(call, bytes, align);
    if (bulk.pieces.empty()) bulk.pieces = untyped_pieces(bytes, align);
  }
  copy_bulk(std::move(bulk));
}

/// How a scalar is read and written where others look on; one piece: at once.
std::vector<Pieces> FunctionLowering::scalar_pieces(const llvm::Value* pointer, unsigned width, uint64_t align) const {
  // A small struct that is passed or returned in a register is loaded and stored like an integer.
  if (auto* variable = llvm::dyn_cast_or_null<llvm::GlobalVariable>(pointer ? resolve(pointer) : nullptr))
    if (llvm::Type* type = variable->getValueType();
        type->isStructTy() && info_.data().getTypeAllocSize(type).getFixedValue() == width / 8)
      return pieces_of(*type, info_.data(), align);
  return untyped_pieces(width / 8, align);
}

}  // namespace whittle::frontend
