// How the analysis reads and writes memory.
#include "engines/shape/analysis.h"

namespace whittle::engines::shape {

namespace {

constexpr uint64_t kMostBytes = 1 << 16;
constexpr const char* kNoAddress = "an address that is not known";

/// The address leads into an object.
Pointer known(Memory& memory, Term address) {
  auto at = memory.pointer(address);
  if (!at) throw GiveUp{kNoAddress};
  return *at;
}

}  // namespace

Blocks Analysis::blocks(Memory& memory) {
  return Blocks(memory, [this, &memory](Term condition) { return holds(memory, condition); },
                [this](Term t) { return known_before(t); });
}

void Analysis::access(Memory& memory, Term address, Term size, unsigned align, bool write) {
  auto at = memory.pointer(address);
  if (!at) throw GiveUp{"it is not known where an address leads"};
  Blocks in = blocks(memory);
  const bool block = in.concerns(*at) || !size.is_constant();
  const Node& node = memory.node(*at);
  if (write && node.constant) throw GiveUp{"a constant may be changed"};
  if (block) {
    if (auto why = in.outside(*at, size, align)) throw GiveUp{*why, false, !memory.relations};
    return;
  }
  if (at->offset < 0 || at->offset + size.value64() > node.size) throw GiveUp{"an access may be out of bounds"};
  const uint64_t start = at->base ? 0 : program_.objects[at->object].address % align;
  const bool aligned = at->base ? node.align % align == 0 && at->offset % align == 0 : (start + at->offset) % align == 0;
  if (!aligned) throw GiveUp{"an access may not be aligned"};
}

Term Analysis::load(Memory& memory, Term address, unsigned bytes) {
  Pointer at = known(memory, address);
  Blocks in = blocks(memory);
  return in.concerns(at) ? in.load(at, bytes) : memory.read(memory.node(at), at.offset, bytes);
}

void Analysis::store(Memory& memory, const program::Statement& statement, Term address, Term value) {
  auto at = memory.pointer(address);
  if (!at) give_up(memory, statement, kNoAddress);
  Blocks in = blocks(memory);
  if (in.concerns(*at)) return in.store(*at, value.width() / 8, value);
  // One of two constants: objects with each of them are told apart.
  const bool chosen = value.op() == term::Op::Ite && value.kid(1).is_constant() && value.kid(2).is_constant();
  const bool truth = (value.op() == term::Op::ZExt || value.op() == term::Op::SExt) && value.kid(0).width() == 1;
  if ((chosen || truth) && known_before(value.kid(0))) throw Split{.condition = value.kid(0)};
  memory.write(memory.node(*at), at->offset, value.width() / 8, value);
}

void Analysis::bulk(Memory& memory, const semantics::Write& w, Term size) {
  const bool copies = w.kind == semantics::Write::Kind::Copy;
  Blocks in = blocks(memory);
  Pointer to = known(memory, now(memory, w.address)), from;
  bool block = in.concerns(to) || !size.is_constant() || size.value64() > kMostBytes;
  Term byte;
  if (copies) {
    from = known(memory, now(memory, w.value));
    block = in.concerns(from) || block;
  } else {
    byte = now(memory, w.value);
  }
  if (block) {
    size = memory.store().resize_unsigned(size, program_.pointer_width());
    return copies ? in.copy(to, from, size) : in.fill(to, size, byte);
  }
  const auto bytes = static_cast<int64_t>(size.value64());
  std::vector<std::pair<int64_t, Cell>> pieces;
  for (int64_t done = 0; done < bytes;) {
    int64_t length = std::min<int64_t>(bytes - done, 8);
    Term value = byte;
    if (copies) {  // as the source is cut, so that addresses stay whole
      Node& source = memory.node(from);
      auto cell = source.cells.lower_bound(from.offset + done);
      if (cell != source.cells.end() && cell->first == from.offset + done)
        length = std::min<int64_t>(bytes - done, cell->second.bytes);
      else if (cell != source.cells.end())
        length = std::min(length, cell->first - from.offset - done);
      value = memory.read(source, from.offset + done, static_cast<unsigned>(length));
    } else {
      for (int64_t i = 1; i < length; ++i) value = memory.store().concat(byte, value);
    }
    pieces.emplace_back(done, Cell{static_cast<unsigned>(length), value});
    done += length;
  }
  Node& target = memory.node(to);
  for (const auto& [offset, cell] : pieces) memory.write(target, to.offset + offset, cell.bytes, cell.value);
}

void Analysis::set_size(Memory& memory, Node& node, Term base, Term size) {
  if (size.is_constant()) {
    node.size = size.value64();
    return;
  }
  term::Store& store = memory.store();
  const unsigned width = program_.pointer_width();
  if (width < 32 || size.width() != width) throw GiveUp{"an object of a size that is not known"};
  if (!memory.relations) throw GiveUp{"an object of a size that is not known", false, true};
  node.length = size;
  // It lies where objects lie, and does not wrap around.
  memory.facts.push_back(store.bnot(store.ult(base, store.constant(width, program::layout::kDynamicBase))));
  memory.facts.push_back(store.bnot(store.ult(store.add(base, size), base)));
}

}  // namespace whittle::engines::shape
