// Control-flow automata to instruction streams: chains of locations become straight code, branches compare and jump.
#include <algorithm>

#include "exec/term_compiler.h"

namespace whittle::exec {
namespace {

using program::Kind;
using program::kNone;
using program::LocationId;
using program::Statement;
using term::Op;
using term::Term;

constexpr uint32_t kMaxCount = 60'000;  ///< statements that one instruction can count

class StreamCompiler {
 public:
  StreamCompiler(CodeImpl& impl, FunctionCode& function, bool marks)
      : impl_(impl),
        code_(function),
        f_(*function.function),
        stream_(function.streams[marks]),
        marks_(marks),
        terms_(impl, function, stream_) {}

  /// False: too many slots.
  bool run() {
    stream_.entry.assign(f_.locations.size(), kNone);
    for (LocationId l = static_cast<LocationId>(f_.locations.size()); l-- > 0;) work_.push_back(l);
    work_.push_back(f_.entry);
    while (!work_.empty()) {
      LocationId l = work_.back();
      work_.pop_back();
      if (stream_.entry[l] == kNone) chain(l);
    }
    for (size_t i = 0; i < stubs_.size(); ++i) stub(stubs_[i]);
    for (const Fix& fix : fixes_) {
      uint32_t target = fix.stub ? stubs_[fix.target].at : stream_.entry[fix.target];
      Instruction& in = stream_.code[fix.instruction];
      (fix.high ? in.hi : in.lo) = target;
    }
    for (const auto& [table, first] : case_fixes_)
      for (auto& [value, target] : code_.switches[table].cases) target = stream_.entry[target];
    for (const auto& [table, first] : case_fixes_) code_.switches[table].otherwise = first;
    return !terms_.overflowed();
  }

 private:
  struct Stub {
    Opcode op;  ///< Fail, Prune, or Mark and then Jump
    uint32_t edge;
    LocationId to;
    uint32_t at = 0;
  };
  struct Fix {
    uint32_t instruction;
    bool high;
    bool stub;
    uint32_t target;  ///< location or stub
  };

  void chain(LocationId l) {
    count_ = 0;
    while (stream_.entry[l] == kNone) {
      stream_.entry[l] = static_cast<uint32_t>(stream_.code.size());
      const program::Location& location = f_.locations[l];
      if (location.edge_count == 0) {
        terms_.emit(Opcode::Prune, 0, 0, 0, 0u, kNone);
        return;
      }
      if (location.edge_count > 1) return branch(l);
      uint32_t e = location.first_edge;
      if (marks_) terms_.emit(Opcode::Mark, 0, 0, 0, 0u, e);
      ++count_;
      statement(e);
      l = f_.edges[e].to;
      if (l == kNone) return;
      if (count_ > kMaxCount) break;
    }
    if (f_.locations[l].edge_count == 2) return branch(l);  // a copy: cheaper than a jump to it
    jump(take_count(), l);
  }

  uint16_t take_count() {
    uint32_t n = count_;
    count_ = 0;
    return static_cast<uint16_t>(n);
  }

  // Branches

  void branch(LocationId l) {
    const program::Location& location = f_.locations[l];
    terms_.begin_statement();
    at_ = l;
    ++count_;
    uint32_t first = location.first_edge, end = first + location.edge_count;
    if (location.edge_count > 3 && try_switch(first, end)) return;
    for (uint32_t e = first; e + 1 < end; ++e) test(e, e + 2 == end && complementary(first, end));
    if (!complementary(first, end)) last(end - 1);
  }
  /// Two edges, the second being what the first is not.
  bool complementary(uint32_t first, uint32_t end) {
    if (end - first != 2) return end - first > 2;  // more: the program promises that exactly one holds
    return impl_.program.terms().bnot(condition(first)) == condition(first + 1);
  }
  Term condition(uint32_t edge) const { return f_.edges[edge].statement.operands[0]; }

  /// Goes along edge e if its condition holds, else along the next one (if `closing`) or to the code that follows.
  void test(uint32_t e, bool closing) {
    TermCompiler::Branch b = conditional(condition(e));
    to_edge(b.instruction, b.swapped, e);
    if (closing)
      to_edge(b.instruction, !b.swapped, e + 1);
    else
      set(b.instruction, !b.swapped, static_cast<uint32_t>(stream_.code.size()));
  }
  void last(uint32_t e) {
    TermCompiler::Branch b = conditional(condition(e));
    to_edge(b.instruction, b.swapped, e);
    to_stub(b.instruction, !b.swapped, {Opcode::Prune, e, 0});
  }
  void to_edge(uint32_t instruction, bool high, uint32_t e) {
    if (marks_) return to_stub(instruction, high, {Opcode::Mark, e, f_.edges[e].to});
    fix(instruction, high, f_.edges[e].to);
  }

  bool try_switch(uint32_t first, uint32_t end) {
    if (marks_) return false;
    Term on;
    SwitchTable table;
    std::vector<uint32_t> rest;
    for (uint32_t e = first; e < end; ++e) {
      Term c = condition(e);
      bool is_case = c.op() == Op::Eq && c.kid(1).is_constant() && c.kid(0).width() <= 64 && (!on || on == c.kid(0));
      if (!is_case) {
        rest.push_back(e);
        continue;
      }
      on = c.kid(0);
      table.cases.push_back({c.kid(1).value64(), f_.edges[e].to});
    }
    if (table.cases.size() < 3 || rest.empty()) return false;
    std::sort(table.cases.begin(), table.cases.end());
    for (const auto& [value, target] : table.cases) work_.push_back(target);
    uint32_t index = static_cast<uint32_t>(code_.switches.size());
    code_.switches.push_back(std::move(table));
    terms_.emit(Opcode::Switch, take_count(), terms_.value(on), 0, uint64_t{index});
    case_fixes_.push_back({index, static_cast<uint32_t>(stream_.code.size())});
    terms_.begin_statement();
    for (size_t i = 0; i + 1 < rest.size(); ++i) test(rest[i], false);
    work_.push_back(f_.edges[rest.back()].to);
    jump(take_count(), f_.edges[rest.back()].to);
    return true;
  }

  void set(uint32_t instruction, bool high, uint32_t target) {
    Instruction& in = stream_.code[instruction];
    (high ? in.hi : in.lo) = target;
  }
  void fix(uint32_t instruction, bool high, LocationId to) {
    fixes_.push_back({instruction, high, false, to});
    if (stream_.entry[to] == kNone) work_.push_back(to);
  }
  void to_stub(uint32_t instruction, bool high, Stub stub) {
    fixes_.push_back({instruction, high, true, static_cast<uint32_t>(stubs_.size())});
    if (stub.op == Opcode::Mark) work_.push_back(stub.to);
    stubs_.push_back(stub);
  }
  void stub(Stub& s) {
    s.at = static_cast<uint32_t>(stream_.code.size());
    terms_.emit(s.op, 0, 0, 0, 0u, s.edge);
    if (s.op == Opcode::Mark) jump(0, s.to);
  }
  void jump(uint16_t count, LocationId to) {
    uint32_t at = terms_.emit(Opcode::Jump, count, 0, 0, uint64_t{0});
    stream_.branches.push_back({at, to});
    fix(at, false, to);
  }
  TermCompiler::Branch conditional(Term condition) {
    TermCompiler::Branch b = terms_.branch(condition, take_count());
    stream_.branches.push_back({b.instruction, at_});
    return b;
  }

  // Statements

  void statement(uint32_t e) {
    const Statement& s = f_.edges[e].statement;
    switch (s.kind) {
      case Kind::Skip: return;
      case Kind::Fence:
        if (impl_.orders.fenced || impl_.orders.pending) slow(e);
        return;
      case Kind::Assign: return assign(s);
      case Kind::Assume: return guard(e, Opcode::Prune);
      case Kind::Check:
        if (checked(s.property)) guard(e, Opcode::Fail);
        return;
      case Kind::Load: return load(e);
      case Kind::Store: return store(e);
      case Kind::Call: return call(e);
      case Kind::Return: {
        terms_.begin_statement();
        uint16_t a = s.operands.empty() ? kNoSlot : terms_.value(s.operands[0]);
        terms_.emit(Opcode::Return, take_count(), a,
                    s.operands.empty()           ? 0
                    : s.operands[0].width() > 64 ? 2
                                                 : 1,
                    0u, e);
        return;
      }
      default: return slow(e);
    }
  }

  /// Violated checks that were not asked for: overflow wraps, locks are the runtime's business; the rest is undefined.
  bool checked(verdict::Property property) const {
    using verdict::Property;
    return impl_.specification.has(property) ||
           !(property == Property::NoOverflow || property == Property::LockDiscipline ||
             property == Property::NoDeadlock);
  }

  void assign(const Statement& s) {
    terms_.begin_statement();
    std::vector<std::pair<uint16_t, size_t>> late;
    for (size_t i = 0; i < s.targets.size(); ++i) {
      uint16_t d = code_.slot[s.targets[i]];
      if (read_later(s, i)) {
        uint16_t t = terms_.temporary(s.operands[i].width());
        terms_.into(s.operands[i], t);
        late.push_back({t, i});
      } else {
        terms_.into(s.operands[i], d);
      }
    }
    for (auto [from, i] : late)
      terms_.emit(s.operands[i].width() > 64 ? Opcode::Move2 : Opcode::Move, code_.slot[s.targets[i]], from, 0,
                  uint64_t{0});
  }
  /// Does an operand after i mention target i?
  bool read_later(const Statement& s, size_t i) const {
    Term variable = f_.registers[s.targets[i]].variable;
    for (size_t j = i + 1; j < s.operands.size(); ++j)
      for (Term v : term::variables(s.operands[j]))
        if (v == variable) return true;
    return false;
  }

  void guard(uint32_t e, Opcode otherwise) {
    Term c = condition(e);
    if (c.is_true()) return;
    terms_.begin_statement();
    at_ = f_.edges[e].from;
    TermCompiler::Branch b = conditional(c);
    set(b.instruction, b.swapped, static_cast<uint32_t>(stream_.code.size()));
    to_stub(b.instruction, !b.swapped, {otherwise, e, 0});
  }

  // Memory

  /// Slot and constant offset of an address.
  std::pair<uint16_t, int32_t> address(Term t) {
    if (t.op() == Op::Add && t.kid(1).is_constant()) {
      int64_t offset = sign_extend64(t.kid(1).value64(), t.width());
      if (offset == static_cast<int32_t>(offset)) return {terms_.value(t.kid(0)), static_cast<int32_t>(offset)};
    }
    return {terms_.value(t), 0};
  }
  static int size_index(unsigned width) {
    return width == 8 ? 0 : width == 16 ? 1 : width == 32 ? 2 : width == 64 ? 3 : -1;
  }
  static Opcode sized(Opcode first, int index) { return static_cast<Opcode>(static_cast<int>(first) + index); }
  /// Edge, alignment and locality in one word: see kEdgeMask.
  uint32_t access_word(uint32_t e) const {
    const Statement& s = f_.edges[e].statement;
    uint32_t align = 0;
    if (impl_.options.check_alignment && impl_.specification.has(verdict::Property::ValidDeref))
      while (align < 7 && (2u << align) <= s.align) ++align;
    return e | align << 24 | (s.local ? 1u << 31 : 0);
  }
  /// The static object that the access stays inside, if the address is constant and well aligned.
  const StaticObject* static_target(const Statement& s) const {
    if (!s.operands[0].is_constant()) return nullptr;
    uint64_t at = s.operands[0].value64();
    const StaticObject* object = impl_.static_at(at);
    if (!object || at - object->address + s.width / 8 > object->size || at % s.align != 0) return nullptr;
    return object;
  }

  void load(uint32_t e) {
    const Statement& s = f_.edges[e].statement;
    int size = size_index(s.width);
    if (size < 0) return slow(e);
    terms_.begin_statement();
    uint16_t d = code_.slot[s.targets[0]];
    const StaticObject* object = static_target(s);
    if (object && (!marks_ || object->frozen)) {
      uint32_t host = object->host + static_cast<uint32_t>(s.operands[0].value64() - object->address);
      terms_.emit(sized(object->frozen || s.local ? Opcode::LoadC8 : Opcode::LoadS8, size), d, 0, take_count(), host,
                  access_word(e));
      return;
    }
    auto [a, offset] = address(s.operands[0]);
    terms_.emit(sized(Opcode::Load8, size), d, a, take_count(), static_cast<uint32_t>(offset), access_word(e));
  }

  void store(uint32_t e) {
    const Statement& s = f_.edges[e].statement;
    int size = size_index(s.width);
    if (size < 0) return slow(e);
    terms_.begin_statement();
    uint16_t value = terms_.value(s.operands[1]);
    const StaticObject* object = static_target(s);
    if (object && !object->frozen && !marks_) {
      uint32_t host = object->host + static_cast<uint32_t>(s.operands[0].value64() - object->address);
      terms_.emit(sized(s.local ? Opcode::StoreC8 : Opcode::StoreS8, size), take_count(), 0, value, host,
                  access_word(e));
      return;
    }
    auto [a, offset] = address(s.operands[0]);
    terms_.emit(sized(Opcode::Store8, size), take_count(), a, value, static_cast<uint32_t>(offset), access_word(e));
  }

  // Calls and everything else

  uint32_t call_site(uint32_t e) {
    if (code_.call_of_edge[e] != kNone) return code_.call_of_edge[e];
    const program::Edge& edge = f_.edges[e];
    CallSite site;
    site.callee = edge.statement.kind == Kind::Call ? edge.statement.callee : kNone;
    site.edge = e;
    site.to = edge.to;
    if (!edge.statement.targets.empty()) {
      program::RegisterId target = edge.statement.targets[0];
      site.target = {code_.slot[target], static_cast<uint16_t>(f_.registers[target].width())};
    }
    code_.calls.push_back(site);
    return code_.call_of_edge[e] = static_cast<uint32_t>(code_.calls.size() - 1);
  }
  /// Puts arguments where the callee's frame will begin.
  std::vector<SlotRef> arguments(const Statement& s, size_t first) {
    uint32_t slots = 0;
    for (size_t i = first; i < s.operands.size(); ++i) slots += s.operands[i].width() > 64 ? 2 : 1;
    terms_.begin_statement(slots);
    std::vector<SlotRef> places;
    uint32_t next = code_.register_slots;
    for (size_t i = first; i < s.operands.size(); ++i) {
      terms_.into(s.operands[i], static_cast<uint16_t>(next));
      places.push_back({static_cast<uint16_t>(next), static_cast<uint16_t>(s.operands[i].width())});
      next += s.operands[i].width() > 64 ? 2 : 1;
    }
    return places;
  }
  void call(uint32_t e) {
    const Statement& s = f_.edges[e].statement;
    const std::string& callee = impl_.program.functions[s.callee].name;
    if (impl_.specification.has(verdict::Property::UnreachCall) && impl_.specification.error_functions.contains(callee))
      return slow(e);
    arguments(s, 0);
    terms_.emit(Opcode::Call, take_count(), 0, 0, call_site(e), e);
  }
  void slow(uint32_t e) {
    const Statement& s = f_.edges[e].statement;
    SlowStatement slow;
    slow.statement = &s;
    slow.edge = e;
    if (s.kind == Kind::IndirectCall) {
      slow.operands = arguments(s, 1);
      slow.operands.insert(slow.operands.begin(), terms_.place(s.operands[0]));
      slow.call = call_site(e);
    } else {
      terms_.begin_statement();
      for (Term operand : s.operands) slow.operands.push_back(terms_.place(operand));
    }
    for (program::RegisterId target : s.targets)
      slow.targets.push_back({code_.slot[target], static_cast<uint16_t>(f_.registers[target].width())});
    code_.slow.push_back(std::move(slow));
    terms_.emit(Opcode::Slow, take_count(), 0, 0, static_cast<uint32_t>(code_.slow.size() - 1), e);
  }

  CodeImpl& impl_;
  FunctionCode& code_;
  const program::Function& f_;
  Stream& stream_;
  bool marks_;
  TermCompiler terms_;
  std::vector<LocationId> work_;
  std::vector<Stub> stubs_;
  std::vector<Fix> fixes_;
  std::vector<std::pair<uint32_t, uint32_t>> case_fixes_;  ///< table, code after the switch
  uint32_t count_ = 0;
  LocationId at_ = 0;  ///< where the branch that is being compiled leaves from
};

}  // namespace

void compile(CodeImpl& impl, FunctionCode& code) {
  const program::Function& f = *code.function;
  uint32_t next = 0;
  for (const program::Register& reg : f.registers) {
    code.slot.push_back(static_cast<uint16_t>(next));
    next += reg.width() > 64 ? 2 : 1;
  }
  code.register_slots = code.total_slots = next;
  code.call_of_edge.assign(f.edges.size(), kNone);
  code.too_large = next >= kNoSlot - 64u || f.edges.size() > kEdgeMask;
  for (int marks = 0; marks < 2 && !code.too_large; ++marks)
    code.too_large = !StreamCompiler(impl, code, marks == 1).run();
  code.total_slots += 2;  // room for a wide move at the end
}

}  // namespace whittle::exec
