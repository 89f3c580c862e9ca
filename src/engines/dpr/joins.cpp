#include "engines/dpr/joins.h"

#include "engines/dpr/sidestep.h"

namespace whittle::engines::dpr {

using exec::Fork;
using program::Edge;
using program::Function;
using program::FunctionId;
using program::Kind;
using program::kNone;
using program::LocationId;
using program::SourcePosition;
using term::Term;

namespace {

const char* why(Fork::Kind kind) {
  switch (kind) {
    case Fork::Kind::Branch: return "branch";
    case Fork::Kind::Check: return "check";
    case Fork::Kind::Assume: return "assumption that fails";
    case Fork::Kind::Await: return "condition waited for";
    case Fork::Kind::Address: return "address";
    case Fork::Kind::Size: return "size";
    case Fork::Kind::Target: return "function pointer";
    case Fork::Kind::Value: return "argument";
  }
  return "";
}

}  // namespace

void Joins::keep(Term condition, const SourcePosition& position, const char* why) {
  for (const auto& region : open_) condition = program_.terms().implies(region->condition, condition);
  if (!condition.is_true()) kept_.push_back({condition, position, why});
}

/// What the statements up to here took for granted. Assumptions that hold need not: paths on which they do not end.
void Joins::take_forks() {
  assumption_ = Term();
  if (run_.forks().empty()) return;
  for (const Fork& fork : run_.forks()) {
    position_ = fork.position;
    if (fork.kind == Fork::Kind::Assume)
      assumption_ = fork.condition;
    else
      keep(fork.condition, fork.position, why(fork.kind));
  }
  run_.forget_forks();
}

void Joins::statement(uint32_t, FunctionId f, uint32_t edge) {
  take_forks();
  const Function& function = program_.functions[f];
  const Edge& e = function.edges[edge];
  frame_ = run_.machine().frame_count(0) - 1;
  function_ = f;
  while (!open_.empty() && open_.back()->frame == frame_ && open_.back()->join == e.from) close();
  if (e.statement.kind == Kind::Assume && function.locations[e.from].edge_count > 1) branch(function, edge);
}

void Joins::asked(const std::vector<program::RegisterId>& registers) {
  take_forks();
  const SourcePosition& position = run_.pause().position;
  // On the other sides there is no such choice.
  while (!open_.empty()) {
    auto region = pop();
    keep(region->condition, region->position, "a choice inside the branch");
  }
  const uint32_t frame = run_.machine().frame_count(0) - 1;
  for (program::RegisterId reg : registers) {
    Term value = run_.register_term(0, frame, reg);
    u128 now = run_.machine().register_value(0, frame, reg);
    keep(program_.terms().eq(value, program_.terms().constant(value.width(), now)), position, "bound of an input");
  }
}

void Joins::finish(bool pruned) {
  take_forks();
  // Oracles that fail the same assumption end here too; inside a free region only if they come this way at all, but
  // then no side left the region.
  if (pruned && assumption_) keep(assumption_, position_, why(Fork::Kind::Assume));
  // The other sides of branches still open would have gone on beyond the join, where this run never was.
  while (!open_.empty()) {
    auto region = pop();
    if (!region->others_end) keep(region->condition, region->position, "the run ends inside the branch");
  }
}

void Joins::branch(const Function& function, uint32_t edge) {
  auto& terms = program_.terms();
  const Edge& taken = function.edges[edge];
  Term condition = run_.evaluate(0, frame_, taken.statement.operands[0]);
  if (condition.is_constant()) return;
  const LocationId join = regions_.join(function_, taken.from);
  if (join == kNone || !regions_.calm(function_, taken.to, join)) return;
  auto region = std::make_unique<Region>(run_);
  region->frame = frame_;
  region->join = join;
  region->position = taken.statement.position;
  region->condition = condition;
  const auto& location = function.locations[taken.from];
  Term fails = terms.falsity();
  for (uint32_t e = location.first_edge; e < location.first_edge + location.edge_count; ++e) {
    if (e == edge) continue;
    Term other = run_.evaluate(0, frame_, function.edges[e].statement.operands[0]);
    if (other.is_false()) continue;
    auto side = std::make_unique<Side>(run_, &region->before);
    Walk walk = sidestep(run_, regions_, options_.sidestep, *side, frame_, function_, function.edges[e].to, join);
    if (walk.arrival == Arrival::GaveUp) return;
    fails = terms.bor(fails, terms.band(other, walk.fails));
    if (walk.arrival == Arrival::Ended) continue;
    region->others_end = false;
    region->others.emplace_back(other, std::move(side));
  }
  if (!fails.is_false()) keep(terms.bnot(fails), taken.statement.position, "the other side can fail");
  // From here on the machine's own fork is no requirement: what is kept is kept only if the condition holds.
  open_.push_back(std::move(region));
  run_.set_write_listener(this);
}

std::unique_ptr<Joins::Region> Joins::pop() {
  auto region = std::move(open_.back());
  open_.pop_back();
  if (open_.empty()) run_.set_write_listener(nullptr);
  return region;
}

/// All sides of a free branch meet: every cell that one of them wrote depends on the branch now.
void Joins::close() {
  auto region = pop();
  const Side here(run_);
  std::vector<Way> ways{{region->condition, &here}};
  std::vector<const Side*> written{&region->before};
  bool same_bytes = true;  // have a value on all sides
  for (const auto& [condition, side] : region->others) {
    ways.push_back({condition, side.get()});
    written.push_back(side.get());
    for (uint64_t byte : region->without_value) same_bytes &= side->cells.touches(byte, 1);
  }
  std::optional<Merged> merged;
  if (region->others.empty())
    merged.emplace();  // only this side comes here
  else if (same_bytes)
    merged = merge(program_.terms(), ways, written, region->frame);
  if (!merged) {
    keep(region->condition, region->position, "memory that one side gives a value");
    merged.emplace();
  }
  if (!open_.empty()) {
    Region& outer = *open_.back();
    outer.without_value.insert(region->without_value.begin(), region->without_value.end());
    for (const Side* side : written) {
      for (const auto& [cell, value] : side->cells.registers()) remember(outer, cell, region->before);
      for (const auto& [address, value] : side->cells.memory())
        remember(outer, Bytes{address, value.width() / 8}, region->before);
    }
  }
  for (const auto& [cell, value] : merged->registers) run_.set_register_term(cell, value);
  for (const auto& [bytes, value] : merged->memory) run_.set_memory_term(bytes.address, value);
}

void Joins::writes(const exec::Effect& effect) {
  constexpr uint64_t kPiece = 8;  // of a large range
  Region& region = *open_.back();
  const Side here(run_);
  for (const auto& [cell, value] : effect.registers) remember(region, cell, here);
  for (const auto& [address, size, value] : effect.memory)
    for (uint64_t at = 0; at < size; at += kPiece)
      remember(region, Bytes{address + at, static_cast<unsigned>(std::min(kPiece, size - at))}, here);
}

/// Registers of callers are not written in the region; those of callees are gone at its end.
void Joins::remember(Region& region, const Side::Register& cell, const Side& before) {
  if (cell.frame == region.frame && !region.before.cells.reg(cell)) region.before.cells.set_reg(cell, before.reg(cell));
}

void Joins::remember(Region& region, Bytes bytes, const Side& before) {
  exec::Overlay& known = region.before.cells;
  auto lacking = region.without_value.lower_bound(bytes.address);
  const bool lacks = lacking != region.without_value.end() && *lacking < bytes.address + bytes.size;
  if (!lacks && !known.touches(bytes.address, bytes.size)) {
    if (Term value = before.load(bytes)) return known.store(bytes.address, value);
    if (bytes.size == 1) region.without_value.insert(bytes.address);
  } else if (known.load(bytes.address, bytes.size, [](uint64_t) { return Term(); })) {
    return;
  }
  if (bytes.size == 1) return;
  for (unsigned i = 0; i < bytes.size; ++i) remember(region, Bytes{bytes.address + i, 1}, before);
}

}  // namespace whittle::engines::dpr
