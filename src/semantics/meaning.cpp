#include "semantics/meaning.h"

#include "base/error.h"
#include "program/rmw.h"

namespace whittle::semantics {

using program::Kind;
using program::Statement;

namespace {

class Definition {
 public:
  Definition(const program::Program& program, program::FunctionId function, const Statement& statement)
      : function_(program.functions[function]), s_(statement), store_(program.terms()) {}

  Meaning take() {
    define();
    return std::move(m_);
  }

 private:
  void define();

  /// Memory is accessed in whole bytes; registers may be narrower.
  Term stored(size_t operand) { return store_.resize_unsigned(s_.operands[operand], s_.width); }
  void assign(size_t target, Term value) {
    if (target >= s_.targets.size() || s_.targets[target] == program::kNone) return;
    const unsigned width = function_.registers[s_.targets[target]].width();
    m_.assigns.push_back({s_.targets[target], Assign::Source::Value, store_.resize_unsigned(value, width)});
  }
  void assign(Assign::Source source) {
    if (!s_.targets.empty()) m_.assigns.push_back({s_.targets[0], source, {}});
  }
  void write(Term value) { m_.writes.push_back({Write::Kind::Value, s_.operands[0], value, {}}); }
  Term memory() { return store_.read(s_.operands[0], s_.width); }

  const program::Function& function_;
  const Statement& s_;
  term::Store& store_;
  Meaning m_;
};

void Definition::define() {
  switch (s_.kind) {
    case Kind::Assign:
      for (size_t i = 0; i < s_.operands.size(); ++i) assign(i, s_.operands[i]);
      return;
    case Kind::Assume: m_.guard = s_.operands[0]; return;
    case Kind::Load: return assign(0, memory());
    case Kind::Store: return write(stored(1));
    case Kind::AtomicRmw: {
      Term old = memory();
      assign(0, old);
      return write(program::combine(store_, s_.rmw, old, stored(1)));
    }
    case Kind::AtomicCas: {
      Term old = memory(), same = store_.eq(old, stored(1));
      assign(0, old);
      assign(1, same);
      return write(store_.ite(same, stored(2), old));
    }
    case Kind::Await: {
      Term seen = store_.band(memory(), stored(1));
      m_.wait = store_.band(store_.sle(stored(2), seen), store_.sle(seen, stored(3)));
      return;
    }
    case Kind::Copy: m_.writes.push_back({Write::Kind::Copy, s_.operands[0], s_.operands[1], s_.operands[2]}); return;
    case Kind::Fill: m_.writes.push_back({Write::Kind::Fill, s_.operands[0], s_.operands[1], s_.operands[2]}); return;
    case Kind::Nondet: return assign(Assign::Source::Choice);
    case Kind::StackAlloc:
    case Kind::HeapAlloc: {
      const bool heap = s_.kind == Kind::HeapAlloc;
      m_.object = NewObject{heap, s_.operands[0], heap ? s_.operands[1] : store_.falsity()};
      return assign(Assign::Source::Object);
    }
    case Kind::Spawn: return assign(Assign::Source::Machine);
    case Kind::Skip:
    case Kind::Check:  // a demand
    case Kind::HeapFree:
    case Kind::StackRestore:
    case Kind::Call:
    case Kind::IndirectCall:
    case Kind::Return:
    case Kind::Fence:
    case Kind::AtomicBegin:
    case Kind::AtomicEnd:
    case Kind::ThreadExit:
    case Kind::Yield:
    case Kind::Output:
    case Kind::Error:
    case Kind::Halt:
    case Kind::Unsupported: return;
    default:
      if (!program::asks(s_.kind)) fail_internal("a statement without a meaning");
      return assign(Assign::Source::Machine);
  }
}

}  // namespace

Meaning meaning_of(const program::Program& program, program::FunctionId function, uint32_t edge) {
  return Definition(program, function, program.functions[function].edges[edge].statement).take();
}

const Meaning& Meanings::of(program::FunctionId function, uint32_t edge) {
  if (made_.size() <= function) made_.resize(program_.functions.size());
  auto& edges = made_[function];
  if (edges.size() <= edge) edges.resize(program_.functions[function].edges.size());
  auto& made = edges[edge];
  if (!made) made = std::make_unique<const Meaning>(meaning_of(program_, function, edge));
  return *made;
}

}  // namespace whittle::semantics
