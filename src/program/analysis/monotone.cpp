#include "program/analysis/monotone.h"

#include <algorithm>

#include "semantics/access.h"

namespace whittle::program::analysis {

using term::Op;
using term::Term;
using Way = Monotone::Way;

namespace {

Way flip(Way way) { return way == Way::Up ? Way::Down : way == Way::Down ? Way::Up : way; }

Way join(Way a, Way b) {
  if (a == Way::Still || a == b) return b;
  return b == Way::Still ? a : Way::Mixed;
}

/// What additions in the term have as summands, each as often as it counts.
unsigned summands(Term t) {
  if (t.op() == Op::Add) return summands(t.kid(0)) + summands(t.kid(1));
  if (t.op() == Op::Mul) {
    const unsigned constant = t.kid(0).is_constant() ? 0 : 1;
    return static_cast<unsigned>(std::min<uint64_t>(t.kid(constant).value64(), Monotone::kMostLeaves + 1)) * summands(t.kid(1 - constant));
  }
  return 1;
}

}  // namespace

bool Monotone::is_small(u128 value, unsigned width) {
  return width < 16 ? value <= 1 : value < u128{1} << std::min(width - 8, 28u);
}

Monotone::Monotone(const Program& program, const CallGraph& calls, const PointsTo& points, const FewValues& values)
    : program_(program), calls_(calls), points_(points), values_(values) {
  find_cells();
  solve();
}

template <typename F>
void Monotone::each_edge(const F& f) const {
  calls_.reachable().each([&](size_t id) {
    const auto function = static_cast<FunctionId>(id);
    for (const Edge& edge : program_.functions[id].edges)
      if (values_.reachable(function, edge.from)) f(function, edge);
  });
}

/// Static objects that are one number, which is only ever loaded and stored as a whole, by name.
void Monotone::find_cells() {
  for (ObjectId id = 0; id < program_.objects.size(); ++id) {
    const Object& object = program_.objects[id];
    const bool number = object.size == 1 || object.size == 2 || object.size == 4 || object.size == 8;
    if (!number || object.constant || object.thread_local_ || object.runtime || object.role != ObjectRole::None) continue;
    u128 initial = 0;
    for (size_t i = object.initial.size(); i-- > 0;) initial = initial << 8 | object.initial[i];
    if (is_small(initial, static_cast<unsigned>(8 * object.size))) cells_.push_back({id, object.address, static_cast<unsigned>(object.size)});
  }
  for (const Cell& cell : cells_) addresses_.insert(cell.address);
  each_edge([&](FunctionId, const Edge& edge) {
    const Statement& s = edge.statement;
    for (const semantics::Access& access : semantics::accesses(s))
      if (!cell_of(s, s.operands[access.address])) exclude(points_.accessed(s.operands[access.address]));
  });
  std::erase_if(cells_, [&](const Cell& cell) { return !addresses_.contains(cell.address); });
}

void Monotone::exclude(const BitSet& places) {
  const bool any = places.test(points_.places().anything());
  std::set<uint64_t> gone;
  for (const Cell& cell : cells_)
    if (any || places.test(points_.places().of_object(cell.object))) gone.insert(cell.address);
  for (uint64_t address : gone) addresses_.erase(address);
}

/// The cell that a Load, a Store or an atomic addition is about; null: another access, or to something else.
const Monotone::Cell* Monotone::cell_of(const Statement& s, Term address) const {
  const bool followed = s.kind == Kind::Load || s.kind == Kind::Store || (s.kind == Kind::AtomicRmw && s.rmw == Rmw::Add);
  if (!followed || !address.is_constant()) return nullptr;
  if (!addresses_.contains(address.value64())) return nullptr;
  auto cell = std::ranges::find(cells_, address.value64(), &Cell::address);
  return cell != cells_.end() && cell->bytes * 8 == s.width ? &*cell : nullptr;
}

void Monotone::solve() {
  for (;;) {
    addresses_.clear();
    for (const Cell& cell : cells_) addresses_.insert(cell.address);
    flows_.clear();
    registers_.assign(program_.functions.size(), {});
    for (const Function& function : program_.functions) flows_.emplace_back(function.registers.size());
    results_.assign(program_.functions.size(), {});
    stored_.clear();
    const size_t before = cells_.size();
    while (!cells_.empty() && pass()) {
    }
    // What never gets a sum or a copy of one is as good as any number.
    std::erase_if(cells_, [&](const Cell& cell) { return !stored_.contains(cell.address); });
    if (cells_.size() == before) break;
  }
  for (FunctionId f = 0; f < flows_.size(); ++f)
    for (RegisterId r = 0; r < flows_[f].size(); ++r)
      if (flows_[f][r].way != Way::Still) registers_[f].push_back(r);
}

/// Returns false at the end: nothing new, or cells were removed and it all begins again.
bool Monotone::pass() {
  bool changed = false;
  const size_t cells = cells_.size();
  each_edge([&](FunctionId f, const Edge& edge) {
    if (cells_.size() == cells) changed |= pass(f, edge);
  });
  return changed && cells_.size() == cells;
}

std::vector<FunctionId> Monotone::callees(const Statement& s) const {
  return s.kind == Kind::Call ? std::vector<FunctionId>{s.callee} : calls_.targets(s);
}

bool Monotone::pass(FunctionId f, const Edge& edge) {
  const Statement& s = edge.statement;
  switch (s.kind) {
    case Kind::Assign: {
      bool changed = false;
      for (size_t i = 0; i < s.targets.size(); ++i) changed |= flow_into(flows_[f][s.targets[i]], f, s.operands[i]);
      return changed;
    }
    case Kind::Assume:
    case Kind::Check: {
      const Way way = this->way(f, s.operands[0]);
      return (way == Way::Mixed || (s.kind == Kind::Check && way == Way::Up)) && refuse(f, s.operands[0]);
    }
    case Kind::Load: return load(f, s);
    case Kind::Store: return store(f, s);
    case Kind::AtomicRmw: return add(f, s);
    case Kind::Call:
    case Kind::IndirectCall: return call(f, s);
    case Kind::Return: return !s.operands.empty() && flow_into(results_[f], f, s.operands[0]);
    default:
      for (RegisterId target : s.targets) remove(flows_[f][target].from);
      for (Term operand : s.operands)
        if (refuse(f, operand)) return true;
      return false;
  }
}

bool Monotone::load(FunctionId f, const Statement& s) {
  Flow& target = flows_[f][s.targets[0]];
  if (const Cell* cell = cell_of(s, s.operands[0])) return mix(target, Way::Up, {cell->address});
  remove(target.from);  // what the value is cannot be known before
  return refuse(f, s.operands[0]);
}

bool Monotone::store(FunctionId f, const Statement& s) {
  const Cell* cell = cell_of(s, s.operands[0]);
  if (!cell) return refuse(f, s.operands[0]) || refuse(f, s.operands[1]);
  const Way way = this->way(f, s.operands[1]);
  if (way == Way::Up) return stored_.insert(cell->address).second;
  if (way == Way::Still) return false;
  remove({cell->address});
  return refuse(f, s.operands[1]);
}

/// An atomic addition: a load and a store of the sum.
bool Monotone::add(FunctionId f, const Statement& s) {
  const Cell* cell = cell_of(s, s.operands[0]);
  const Way way = this->way(f, s.operands[1]);
  if (!cell || cell->bytes < 2 || (way != Way::Still && way != Way::Up)) {
    if (cell) remove({cell->address});
    for (RegisterId target : s.targets) remove(flows_[f][target].from);
    return refuse(f, s.operands[0]) || refuse(f, s.operands[1]);
  }
  const std::set<uint64_t> from{cell->address};
  bool changed = stored_.insert(cell->address).second;
  for (RegisterId target : s.targets) changed |= mix(flows_[f][target], Way::Up, from);
  return changed;
}

bool Monotone::call(FunctionId f, const Statement& s) {
  bool changed = false;
  const size_t first = s.kind == Kind::Call ? 0 : 1;
  if (first == 1) refuse(f, s.operands[0]);
  for (FunctionId g : callees(s)) {
    for (size_t i = first; i < s.operands.size(); ++i)
      // New threads have their arguments from elsewhere.
      if (i - first < program_.functions[g].parameter_count && !calls_.address_taken(g))
        changed |= flow_into(flows_[g][i - first], f, s.operands[i]);
      else
        refuse(f, s.operands[i]);
    if (s.targets.empty()) continue;
    Flow& target = flows_[f][s.targets[0]];
    if (results_[g].way == Way::Still || calls_.address_taken(g))
      remove(target.from), remove(results_[g].from);
    else
      changed |= mix(target, results_[g].way, results_[g].from);
  }
  return changed;
}

bool Monotone::flow_into(Flow& target, FunctionId f, Term value) {
  return mix(target, way(f, value), sources(f, value));
}

bool Monotone::mix(Flow& target, Way way, const std::set<uint64_t>& from) {
  const Way both = join(target.way, way);
  bool changed = target.way != both;
  for (uint64_t cell : from) changed |= target.from.insert(cell).second;
  target.way = both;
  if (both == Way::Mixed) remove(target.from);
  return changed;
}

/// The term may not depend on the data.
bool Monotone::refuse(FunctionId f, Term term) {
  const std::set<uint64_t> cells = sources(f, term);
  remove(cells);
  return !cells.empty();
}

void Monotone::remove(const std::set<uint64_t>& cells) {
  std::erase_if(cells_, [&](const Cell& cell) { return cells.contains(cell.address); });
}

std::set<uint64_t> Monotone::sources(FunctionId f, Term term) const {
  std::set<uint64_t> all;
  for (Term v : term::variables(term)) {
    const Flow& flow = flows_[f][program_.register_of(v).reg];
    all.insert(flow.from.begin(), flow.from.end());
  }
  return all;
}

void Monotone::drop(const std::set<uint64_t>& cells) {
  remove(cells);
  solve();
}

std::vector<Monotone::Demand> Monotone::demands(FunctionId f, const Statement& s) const {
  std::vector<Demand> all;
  auto demand = [&](Term value, std::set<uint64_t> cells, const Cell* cell = nullptr) {
    cells.merge(sources(f, value));
    all.push_back({value, std::move(cells), cell});
  };
  switch (s.kind) {
    case Kind::Assign:
      for (size_t i = 0; i < s.targets.size(); ++i)
        if (way(f, s.targets[i]) != Way::Still) demand(s.operands[i], flows_[f][s.targets[i]].from);
      break;
    case Kind::Store:
      if (const Cell* cell = cell_of(s, s.operands[0])) demand(s.operands[1], {cell->address});
      break;
    case Kind::AtomicRmw:
      if (const Cell* cell = cell_of(s, s.operands[0])) demand(s.operands[1], {cell->address}, cell);
      break;
    case Kind::Call:
      for (RegisterId i = 0; i < s.operands.size() && i < program_.functions[s.callee].parameter_count; ++i)
        if (way(s.callee, i) != Way::Still) demand(s.operands[i], flows_[s.callee][i].from);
      break;
    case Kind::Return:
      if (!s.operands.empty() && results_[f].way != Way::Still) demand(s.operands[0], results_[f].from);
      break;
    default: break;
  }
  return all;
}

/// Summands in the term are data and small constants: other numbers may be negative or large.
bool Monotone::sums_are_small(FunctionId f, Term t, bool summand) const {
  if (t.is_constant()) return !summand || is_small(t.value(), t.width());
  if (way(f, t) == Way::Still) return !summand;
  if (t.width() == 1) return true;
  summand |= t.op() == Op::Add || t.op() == Op::Mul;
  for (unsigned i = t.op() == Op::Ite ? 1 : 0; i < t.arity(); ++i)
    if (!sums_are_small(f, t.kid(i), summand)) return false;
  return true;
}

Way Monotone::way(FunctionId f, Term t) const {
  if (t.is_constant()) return Way::Still;
  if (t.is_variable()) return flows_[f][program_.register_of(t).reg].way;
  bool still = true;
  std::vector<Way> kids(t.arity());
  for (unsigned i = 0; i < t.arity(); ++i) still &= (kids[i] = way(f, t.kid(i))) == Way::Still;
  if (still) return Way::Still;
  for (Way kid : kids)
    if (kid == Way::Mixed) return Way::Mixed;
  const unsigned width = t.width();
  // As a signed number, another constant is below all data.
  auto positive_constants = [&] {
    for (unsigned i = 0; i < t.arity(); ++i)
      if (t.kid(i).is_constant() && t.kid(i).value() >> (t.kid(i).width() - 1) != 0) return false;
    return true;
  };
  // Sums that a comparison is about are not looked at in runs.
  auto may_wrap = [&] { return !sums_are_small(f, t.kid(0), false) || !sums_are_small(f, t.kid(1), false); };
  switch (t.op()) {
    case Op::Add:
      if (width < 16 || summands(t) > kMostLeaves || kids[0] == Way::Down || kids[1] == Way::Down) return Way::Mixed;
      return Way::Up;
    case Op::Mul:
      if (width < 16 || (!t.kid(0).is_constant() && !t.kid(1).is_constant()) || summands(t) > kMostLeaves) return Way::Mixed;
      return kids[0] == Way::Down || kids[1] == Way::Down ? Way::Mixed : Way::Up;
    case Op::And:
    case Op::Or: return width == 1 ? join(kids[0], kids[1]) : Way::Mixed;
    case Op::Not: return width == 1 ? flip(kids[0]) : Way::Mixed;
    case Op::Xor:
      if (width != 1) return Way::Mixed;
      for (unsigned i : {0u, 1u})
        if (t.kid(i).is_constant()) return t.kid(i).value() == 1 ? flip(kids[1 - i]) : kids[1 - i];
      return Way::Mixed;
    case Op::Eq:
      for (unsigned i : {0u, 1u}) {
        if (!t.kid(i).is_constant()) continue;
        if (t.kid(i).value() == 0) return may_wrap() ? Way::Mixed : flip(kids[1 - i]);  // nothing is below 0
        if (t.kid(i).width() == 1) return kids[1 - i];
      }
      return Way::Mixed;
    case Op::Ult:
    case Op::Ule: return t.kid(0).width() == 1 || !positive_constants() || may_wrap() ? Way::Mixed : join(flip(kids[0]), kids[1]);
    case Op::Slt:
    case Op::Sle: return t.kid(0).width() == 1 || may_wrap() ? Way::Mixed : join(flip(kids[0]), kids[1]);
    case Op::Ite: {
      const Way both = join(kids[1], kids[2]);
      if (kids[0] == Way::Still) return both;
      if (!t.kid(1).is_constant() || !t.kid(2).is_constant() || t.kid(1).value() > 1 || t.kid(2).value() > 1) return Way::Mixed;
      return t.kid(1).value() >= t.kid(2).value() ? kids[0] : flip(kids[0]);
    }
    case Op::ZExt: return kids[0];
    case Op::SExt: return t.kid(0).width() == 1 ? Way::Mixed : kids[0];
    // The lowest bit of a truth value that is kept in a byte.
    case Op::Extract: return t.low() == 0 && width == 1 && t.kid(0).width() < 16 && t.kid(0).is_variable() ? kids[0] : Way::Mixed;
    default: return Way::Mixed;
  }
}

}  // namespace whittle::program::analysis
