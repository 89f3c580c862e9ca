#include "engines/dash/space.h"

#include <fmt/format.h>

#include <algorithm>

#include "program/analysis/graph.h"
#include "program/analysis/loops.h"
#include "program/c_text.h"
#include "semantics/demand.h"

namespace whittle::engines::dash {

using program::FunctionId;
using program::Kind;
using program::kNone;
using program::LocationId;
using program::Statement;
using verdict::Property;

Term Contract::of(term::Store& store, Term fact, const std::vector<Term>& arguments, Term returned) const {
  return store.substitute(fact, [&](Term v) -> Term {
    if (v == result) return returned;
    for (size_t i = 0; i < parameters.size(); ++i)
      if (v == parameters[i]) return arguments[i];
    return {};
  });
}

Space::Space(const std::shared_ptr<const exec::Code>& code, std::shared_ptr<program::analysis::Analyses> analyses)
    : program_(code->program()),
      specification_(code->specification()),
      analyses_(std::move(analyses)),
      meanings_(program_) {
  // Whoever asks whether accesses are valid has pointers lead where they lead.
  using Strays = program::analysis::PointsTo::Strays;
  const bool asked = specification_.has(Property::ValidDeref);
  points_ = std::make_unique<const program::analysis::PointsTo>(program_, calls(), asked ? Strays::Anywhere : Strays::Nowhere);
  accesses_ = std::make_unique<const program::analysis::AccessSets>(program_, calls(), *points_, &analyses_->few_values());
  written_ = program::analysis::written_objects(program_, calls(), *points_);
  find_straight();
  find_nodes();
  find_loops();
  find_failing();
  set_once_ = program::analysis::set_once(program_, calls(), points());
  find_makers();
  place_objects(exec::Machine(code));
  Context root;
  root.function = program_.entry;
  contexts_.push_back(root);
  sites_of_.emplace_back();
  std::vector<Term> variables;
  for (const auto& r : program_.functions[program_.entry].registers) {
    variables.push_back(terms().variable(r.width(), r.name));
    owners_[variables.back()] = {0, static_cast<program::RegisterId>(variables.size() - 1)};
  }
  variables_.push_back(std::move(variables));
  renamed_.emplace_back();
}

/// A quarter of each area for objects that have no site, the rest for sites.
void Space::place_objects(const exec::Machine& machine) {
  auto divide = [&](exec::ObjectInfo::Kind kind, exec::Machine::Area& sites, exec::Machine::Area& loose) {
    const exec::Machine::Area area = machine.area(0, kind);
    const uint64_t middle = area.begin + (area.end - area.begin) / 4;
    loose = {area.begin, middle};
    sites = {next_place(middle, 0, 1), area.end};
  };
  divide(exec::ObjectInfo::Kind::Heap, heap_, loose_heap_);
  divide(exec::ObjectInfo::Kind::Stack, stack_, loose_stack_);
  for (program::ObjectId o = 0; o < program_.objects.size(); ++o) {
    const auto& object = program_.objects[o];
    writable_.push_back(object.thread_local_ || machine.bytes().of_object(object.address, object.size).has_value());
    thread_locals_.push_back(program_.objects[o].thread_local_ ? machine.thread_local_address(0, o) : 0);
  }
}

uint64_t Space::next_place(uint64_t address, uint64_t size, uint64_t align) {
  constexpr uint64_t kGrid = 64, kGap = 1024;  // an index that is off should not hit the next object
  align = std::max(align, kGrid);
  if (size != 0) address += (size + kGrid - 1) / kGrid * kGrid + kGap;
  return (address + align - 1) / align * align;
}

void Space::find_straight() {
  straight_.assign(program_.functions.size(), 0);
  for (FunctionId f = 0; f < program_.functions.size(); ++f) {
    const auto& function = program_.functions[f];
    if (function.locations.empty()) continue;
    const auto& start = function.locations[function.entry];
    straight_[f] = start.edge_count == 1 && function.edges[start.first_edge].statement.kind == Kind::Error;
  }
}

/// Registers that addresses are computed from.
std::vector<char> Space::address_registers(FunctionId f) const {
  const auto& function = program_.functions[f];
  std::vector<char> found(function.registers.size(), 0);
  auto note = [&](Term t) {
    bool news = false;
    for (Term v : term::variables(t)) {
      char& known = found[program_.register_of(v).reg];
      news |= !known;
      known = 1;
    }
    return news;
  };
  for (const auto& edge : function.edges) {
    const Statement& s = edge.statement;
    for (const semantics::Access& access : semantics::accesses(s)) note(s.operands[access.address]);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& edge : function.edges)
      if (edge.statement.kind == Kind::Assign)
        for (size_t i = 0; i < edge.statement.targets.size(); ++i)
          if (found[edge.statement.targets[i]]) changed |= note(edge.statement.operands[i]);
  }
  return found;
}

void Space::find_nodes() {
  node_.resize(program_.functions.size());
  for (FunctionId f = 0; f < program_.functions.size(); ++f) {
    const auto& function = program_.functions[f];
    node_[f].assign(function.locations.size(), 0);
    std::vector<unsigned> incoming(function.locations.size(), 0);
    std::vector<char> addresses = address_registers(f);
    for (const auto& edge : function.edges) {
      if (edge.to != kNone) ++incoming[edge.to];
      // An input that becomes part of an address must be part of a state before that.
      if (edge.statement.kind == Kind::Nondet && edge.to != kNone && addresses[edge.statement.targets[0]])
        node_[f][edge.to] = 1;
      bool opaque = edge.statement.kind == Kind::IndirectCall ||
                    (edge.statement.kind == Kind::Call && !straight_[edge.statement.callee]);
      if (!opaque) continue;
      node_[f][edge.from] = 1;
      if (edge.to != kNone) node_[f][edge.to] = 1;
    }
    // Where things end anyway, ways need not join: an error is easier to understand with its reason.
    auto ends = [&](LocationId l) {
      for (int i = 0; i < 4; ++i) {
        const auto& location = function.locations[l];
        if (location.edge_count == 0) return true;
        const auto& edge = function.edges[location.first_edge];
        if (location.edge_count > 1 || location.loop_head || node_[f][l]) return false;
        if (program::ends_path(edge.statement.kind) || edge.to == kNone) return edge.statement.kind != Kind::Return;
        if (edge.statement.kind == Kind::Call && straight_[edge.statement.callee]) return true;
        l = edge.to;
      }
      return false;
    };
    for (LocationId l = 0; l < function.locations.size(); ++l)
      if (function.locations[l].loop_head || (incoming[l] > 1 && !ends(l))) node_[f][l] = 1;
  }
}

void Space::find_loops() {
  looping_.resize(program_.functions.size());
  for (FunctionId f = 0; f < program_.functions.size(); ++f) {
    const auto& function = program_.functions[f];
    auto graph = program::analysis::flow_graph(function);
    auto components = program::analysis::components(graph);
    std::vector<unsigned> size(components.count, 0);
    for (uint32_t c : components.of) ++size[c];
    looping_[f].assign(function.locations.size(), 0);
    for (LocationId l = 0; l < function.locations.size(); ++l) {
      bool self = false;
      for (uint32_t s : graph.successors[l]) self |= s == l;
      looping_[f][l] = size[components.of[l]] > 1 || self;
    }
  }
}

void Space::find_failing() {
  can_fail_.assign(program_.functions.size(), 0);
  // Objects, copies and what only the machine knows may be more than the model follows.
  auto own = [&](const Statement& s) {
    switch (s.kind) {
      case Kind::HostMath:
      case Kind::Await:
      case Kind::Copy:
      case Kind::Fill:
      case Kind::HeapAlloc:
      case Kind::HeapFree:
      case Kind::StackAlloc:
      case Kind::Output:
      case Kind::Spawn:
      case Kind::IndirectCall: return true;
      default: break;
    }
    for (const semantics::Demand& demand : semantics::demands(s)) {
      using enum semantics::Demand::Kind;
      if (demand.kind == Supported || demand.kind == Unreachable) return true;
      if (specification_.has(demand.property) && !semantics::always_met(program_, s, demand)) return true;
    }
    return semantics::calls_error(program_, specification_, s);
  };
  bool changed = true;
  while (changed) {
    changed = false;
    for (FunctionId f : calls().bottom_up()) {
      if (can_fail_[f]) continue;
      bool fails = false;
      for (const auto& edge : program_.functions[f].edges) fails |= own(edge.statement);
      for (FunctionId g : calls().callees(f)) fails |= can_fail_[g] != 0;
      if (fails) can_fail_[f] = 1, changed = true;
    }
  }
}

void Space::find_makers() {
  constexpr size_t kSmall = 40;  // edges, with those of callees
  maker_.assign(program_.functions.size(), 0);
  std::vector<size_t> size(program_.functions.size(), SIZE_MAX);  // of what is not seen yet, recursion among it: too large
  for (FunctionId f : calls().bottom_up()) {
    const auto& function = program_.functions[f];
    size_t edges = function.edges.size();
    bool makes = false;
    for (const auto& edge : function.edges) {
      const Statement& s = edge.statement;
      makes |= s.kind == Kind::HeapAlloc;
      for (const semantics::Access& access : semantics::accesses(s))
        makes |= access.write && s.operands[access.address].is_constant() &&
                 is_set_once(s.operands[access.address].value64());
      if (s.kind == Kind::IndirectCall || looping_[f][edge.from]) edges += kSmall;
      if (s.kind != Kind::Call) continue;
      edges += std::min(size[s.callee], kSmall);
      makes |= maker_[s.callee] != 0;
    }
    size[f] = edges;
    maker_[f] = makes && edges < kSmall;
  }
}

uint32_t Space::child(uint32_t parent, uint32_t edge, FunctionId callee) {
  auto [it, fresh] = children_.try_emplace({parent, edge, callee}, static_cast<uint32_t>(contexts_.size()));
  if (!fresh) return it->second;
  Context context;
  context.parent = parent;
  context.edge = edge;
  context.function = callee;
  context.depth = contexts_[parent].depth + 1;
  context.repeated = contexts_[parent].repeated || looping_[contexts_[parent].function][this->edge(parent, edge).from];
  uint32_t id = it->second;
  contexts_.push_back(context);
  sites_of_.emplace_back();
  std::vector<Term> variables;
  for (const auto& r : program_.functions[callee].registers) {
    variables.push_back(terms().variable(r.width(), r.name));
    owners_[variables.back()] = {id, static_cast<program::RegisterId>(variables.size() - 1)};
  }
  variables_.push_back(std::move(variables));
  renamed_.emplace_back();
  return id;
}

Term Space::in(uint32_t context, Term t) {
  if (t.is_constant()) return t;
  auto known = renamed_[context].find(t);
  if (known != renamed_[context].end()) return known->second;
  Term result = terms().substitute(t, [&](Term v) -> Term {
    auto ref = program_.register_of(v);
    return ref.reg == kNone ? Term() : variables_[context][ref.reg];
  });
  renamed_[context].emplace(t, result);
  return result;
}

const std::vector<uint32_t>& Space::variables_of(Term t) {
  auto [it, fresh] = variables_of_.try_emplace(t);
  if (fresh)
    for (Term v : term::variables(t)) it->second.push_back(program_.register_of(v).reg);
  return it->second;
}

Space::Owner Space::owner(Term variable) const {
  auto it = owners_.find(variable);
  return it == owners_.end() ? Owner{} : it->second;
}

std::string Space::to_c(Term t) const {
  return program::to_c(program_, t, [&](Term variable) {
    const Owner of = owner(variable);
    if (!of.known() || of.reg == kNone) return program::Program::RegisterRef{};
    return program::Program::RegisterRef{contexts_[of.context].function, of.reg};
  });
}

Term Space::input(size_t number, unsigned width) {
  Term& t = inputs_[{number, width}];
  if (!t) {
    t = terms().variable(width, fmt::format("input{}", number));
    inputs_set_.emplace(t, number);
  }
  return t;
}

Term Space::fresh(size_t number, unsigned width) {
  Term& t = fresh_[{number, width}];
  if (!t) t = terms().variable(width, fmt::format("any{}", number));
  return t;
}

Term Space::element() {
  if (!element_) element_ = terms().variable(program_.pointer_width(), "n");
  return element_;
}

Term Space::cell(uint64_t address) {
  Term& t = cells_[address];
  if (!t) {
    t = terms().variable(8, fmt::format("cell{:x}", address));
    cell_addresses_.emplace(t, address);
  }
  return t;
}

bool Space::lives_on(uint32_t context, uint32_t edge) const {
  // Does a pointer to the object get anywhere but into itself? Then one activation may leave it to the next.
  program::analysis::PlaceId place = points().places().of_site(contexts_[context].function, edge);
  for (program::analysis::PlaceId p = 0; p < points().places().objects(); ++p)
    if (p != place && points().places().contains(points().contents(p), place)) return true;
  for (const auto& e : program_.functions[contexts_[context].function].edges)
    if (e.statement.kind == Kind::Return && !e.statement.operands.empty() &&
        points().places().contains(points().pointees(e.statement.operands[0]), place))
      return true;
  return false;
}

/// Does every way from the allocation back to it restore the stack? Then the object is gone when the next one is made.
bool Space::restored(uint32_t context, uint32_t edge) const {
  const auto& function = program_.functions[contexts_[context].function];
  std::vector<char> seen(function.locations.size(), 0);
  std::vector<LocationId> todo{function.edges[edge].to};
  while (!todo.empty()) {
    LocationId l = todo.back();
    todo.pop_back();
    if (l == kNone || seen[l]) continue;
    if (l == function.edges[edge].from) return false;
    seen[l] = 1;
    for (uint32_t i = 0; i < function.locations[l].edge_count; ++i) {
      const auto& next = function.edges[function.locations[l].first_edge + i];
      if (next.statement.kind != Kind::StackRestore) todo.push_back(next.to);
    }
  }
  return true;
}

/// Is the address used for direct accesses only, so that no other register can keep it?
bool Space::stays(uint32_t context, uint32_t edge) const {
  const auto& function = program_.functions[contexts_[context].function];
  Term variable = function.registers[function.edges[edge].statement.targets[0]].variable;
  for (const auto& e : function.edges)
    for (size_t i = 0; i < e.statement.operands.size(); ++i) {
      auto variables = term::variables(e.statement.operands[i]);
      if (std::find(variables.begin(), variables.end(), variable) == variables.end()) continue;
      bool access = false;
      for (const semantics::Access& a : semantics::accesses(e.statement)) access |= a.address == i;
      if (!access) return false;
    }
  return true;
}

const Site* Space::site(uint32_t context, uint32_t edge) {
  auto known = site_numbers_.find({context, edge});
  if (known != site_numbers_.end()) return known->second == kNone ? nullptr : &sites_[known->second];
  const program::Edge& e = this->edge(context, edge);
  bool heap = e.statement.kind == Kind::HeapAlloc;
  bool loops = looping_[contexts_[context].function][e.from];
  bool again = loops || contexts_[context].repeated;
  // A local object of a function that is called again is a new one, at the place of the old one, which is gone.
  bool possible =
      heap ? !again
           : (!loops || (restored(context, edge) && stays(context, edge))) && (!again || !lives_on(context, edge));
  if (!possible) {
    site_numbers_[{context, edge}] = kNone;
    return nullptr;
  }
  Site site;
  site.context = context;
  site.edge = edge;
  site.heap = heap;
  site.fixed = e.statement.operands[0].is_constant();
  constexpr uint64_t kRoom = uint64_t{1} << 18;  // of a size that is not known: some 3,000 of these have addresses
  site.size = site.fixed ? e.statement.operands[0].value64() : kRoom;
  exec::Machine::Area& area = heap ? heap_ : stack_;
  site.address = next_place(area.begin, 0, e.statement.align);
  const uint64_t end = next_place(site.address, std::max<uint64_t>(site.size, 1), 1);
  if (site.size > (uint64_t{1} << 24) || end > area.end) {
    site_numbers_[{context, edge}] = kNone;
    return nullptr;
  }
  area.begin = end;
  site.alive = terms().variable(1, fmt::format("alive{}", sites_.size()));
  owners_[site.alive] = {0, kNone};
  if (!site.fixed) {
    site.bytes = terms().variable(program_.pointer_width(), fmt::format("size{}", sites_.size()));
    owners_[site.bytes] = {0, kNone};
  }
  uint32_t number = static_cast<uint32_t>(sites_.size());
  site_numbers_[{context, edge}] = number;
  sites_by_address_[site.address] = number;
  sites_.push_back(site);
  sites_of_[context].push_back(number);
  return &sites_.back();
}

const std::vector<uint32_t>& Space::sites_of(uint32_t context) const { return sites_of_[context]; }

bool Space::starts_object(uint64_t address) const {
  if (auto o = program_.object_at(address)) return program_.objects[*o].address == address;
  return std::any_of(sites_.begin(), sites_.end(), [&](const Site& s) { return s.address == address; });
}

uint8_t Space::initial_byte(uint64_t address) const {
  if (auto o = program_.object_at(address)) {
    const auto& object = program_.objects[*o];
    uint64_t offset = address - object.address;
    return offset < object.initial.size() ? object.initial[offset] : 0;
  }
  for (program::ObjectId o = 0; o < program_.objects.size(); ++o) {
    const auto& object = program_.objects[o];
    if (!object.thread_local_) continue;
    uint64_t base = thread_local_address(o);
    if (address >= base && address - base < object.initial.size()) return object.initial[address - base];
  }
  return 0;
}

std::optional<u128> Space::constant_bytes(uint64_t address, unsigned bytes) const {
  auto o = program_.object_at(address);
  if (!o || !never_written(*o) || program_.objects[*o].thread_local_) return std::nullopt;
  const auto& object = program_.objects[*o];
  if (address - object.address + bytes > object.size) return std::nullopt;
  u128 value = 0;
  for (unsigned i = 0; i < bytes; ++i) value |= u128{initial_byte(address + i)} << (8 * i);
  return value;
}

wp::Reach Space::reach(Term address) {
  if (address.is_constant() || !follows_strays()) return nullptr;
  auto [it, fresh] = reach_.try_emplace(address);
  if (!fresh) return it->second;
  if (Term t = over_registers(address); t && points().strays(t))
    it->second = std::make_shared<const std::function<bool(uint64_t)>>(
        [this, places = points().accessed(t)](uint64_t at) { return may_be(places, at); });
  return it->second;
}

Term Space::in_no_object(Term address, uint64_t bytes) const {
  const uint64_t room = exec::kStrayEnd - exec::kStrayBase;
  auto number = [&](uint64_t n) { return terms().constant(address.width(), n); };
  return terms().ule(terms().sub(address, number(exec::kStrayBase)), number(room - std::min(bytes, room)));
}

bool Space::used_reach() const {
  return std::any_of(reach_.begin(), reach_.end(), [](const auto& known) { return known.second != nullptr; });
}

/// The same address as the program's functions say it; what is read from an object made by an allocation is read through the
/// register that has its address first. None if it cannot be said.
Term Space::over_registers(Term address) const {
  bool known = true;
  std::vector<Term> todo{address};
  while (!todo.empty()) {
    const Term t = todo.back();
    todo.pop_back();
    known &= !t.is_constant() || t.width() != program_.pointer_width() || !site_at(t.value64());
    if (t.op() != term::Op::Read || !t.kid(0).is_constant())
      for (unsigned i = 0; i < t.arity(); ++i) todo.push_back(t.kid(i));
  }
  const Term result = terms().substitute(
      address,
      [&](Term v) -> Term {
        if (program_.register_of(v).reg != kNone) return v;
        const Owner of = owner(v);
        known &= of.known() && of.reg != kNone;
        return known ? function(of.context).registers[of.reg].variable : v;
      },
      [&](Term read) -> Term {
        const Site* site = read.kid(0).is_constant() ? site_at(read.kid(0).value64()) : nullptr;
        if (!site) return read;
        const Statement& made = edge(site->context, site->edge).statement;
        return terms().read(function(site->context).registers[made.targets[0]].variable, read.width());
      });
  return known ? result : Term();
}

const Site* Space::site_at(uint64_t address) const {
  auto next = sites_by_address_.upper_bound(address);
  if (next == sites_by_address_.begin()) return nullptr;
  const Site& site = sites_[std::prev(next)->second];
  return address - site.address < std::max<uint64_t>(site.size, 1) ? &site : nullptr;
}

/// Is the object that may be there among the places? (Where none is known, any may be.)
bool Space::may_be(const BitSet& places, uint64_t address) const {
  if (auto o = program_.object_at(address)) return places.test(points().places().of_object(*o));
  const Site* site = site_at(address);
  return !site || places.test(points().places().of_site(context(site->context).function, site->edge));
}

bool Space::may_write(FunctionId function, uint64_t address) const {
  const auto& access = accesses_->before_return(function, program_.functions[function].entry);
  auto o = program_.object_at(address);
  if (!o || program_.objects[*o].thread_local_) return writes_memory(function);
  return points().places().contains(access.writes, points().places().of_object(*o));
}

bool Space::writes_memory(FunctionId function) const {
  const auto& access = accesses_->before_return(function, program_.functions[function].entry);
  for (size_t i = 0; i < access.writes.size(); ++i)
    if (access.writes.test(i)) return true;
  return false;
}

}  // namespace whittle::engines::dash
