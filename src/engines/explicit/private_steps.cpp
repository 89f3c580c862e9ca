#include "engines/explicit/private_steps.h"

#include <algorithm>
#include <cstring>

#include "exec/thread_word.h"
#include "semantics/access.h"

namespace whittle::engines::explicit_ {

using program::Edge;
using program::Function;
using program::FunctionId;
using program::Kind;
using program::kNone;
using program::LocationId;
using program::ObjectId;
using program::Statement;
namespace analysis = program::analysis;

namespace {

/// Nothing but an access of a fixed size.
constexpr size_t kMostMutexes = 8;
constexpr size_t kMostEdges = 100'000;  ///< of a program for which mutexes are looked at

/// Of a mutex: where the word is that says who holds it.
constexpr uint64_t kWordSize = 4;

bool is_access(const Statement& s) {
  const semantics::Accesses accesses = semantics::accesses(s);
  return !accesses.empty() && accesses[0].size_operand == semantics::Access::kFixed && s.kind != Kind::Await;
}

}  // namespace

PrivateSteps::PrivateSteps(std::shared_ptr<analysis::Analyses> analyses, exec::Machine& machine, bool wanted,
                           Known known)
    : program_(analyses->program()),
      machine_(machine),
      analyses_(std::move(analyses)),
      observed_(program_.objects.size()),
      known_(std::move(known)) {
  for (const Function& function : program_.functions) {
    std::vector<uint32_t> incoming(function.locations.size());
    for (const Edge& edge : function.edges)
      if (edge.to != kNone) ++incoming[edge.to];
    auto& targets = jump_target_.emplace_back(function.locations.size());
    for (LocationId l = 0; l < function.locations.size(); ++l)
      targets[l] = function.locations[l].loop_head || incoming[l] > 1;
  }
  active_ = wanted && concurrent();
  if (active_) find_candidates();
  if (active_) find_mutexes();
}

void PrivateSteps::find_candidates() {
  guarded_.resize(program_.functions.size());
  for (const Function& function : program_.functions) {
    auto& candidates = candidate_.emplace_back(function.locations.size());
    for (LocationId l = 0; l < function.locations.size(); ++l) {
      const auto& location = function.locations[l];
      candidates[l] = location.edge_count == 1 && is_access(function.edges[location.first_edge].statement);
    }
  }
  for (FunctionId f = 0; f < program_.functions.size(); ++f) {
    if (analyses_->calls().recursive(f)) guard_function(f);
    for (LocationId l = 0; l < program_.functions[f].locations.size(); ++l)
      if (program_.functions[f].locations[l].loop_head) guard_loop(f, l);
  }
}

/// Will this statement be a scheduling point whenever several threads run?
bool PrivateSteps::surely_visible(const Statement& statement) const {
  if (statement.kind == Kind::Await || statement.kind == Kind::Yield) return true;
  if (statement.kind == Kind::Call && program_.functions[statement.callee].role == program::FunctionRole::LockMutex)
    return true;
  const semantics::Accesses accesses = semantics::accesses(statement);
  if (!is_access(statement) || statement.local || !statement.operands[0].is_constant()) return false;
  auto object = static_object(statement.operands[0].value64(), 1);
  // An object that nothing writes is no reason to pause.
  return object && !program_.objects[*object].constant && accesses[0].write;
}

void PrivateSteps::find_mutexes() {
  size_t edges = 0;
  for (const Function& function : program_.functions) edges += function.edges.size();
  if (edges > kMostEdges) return;
  analyses_->calls().reachable().each([&](size_t f) {
    for (const Edge& edge : program_.functions[f].edges) {
      const std::optional<uint64_t> address = analysis::mutex_of(program_, edge.statement);
      if (!address || mutexes_.size() >= kMostMutexes) continue;
      if (std::ranges::find(mutexes_, *address, &Mutex::address) != mutexes_.end()) continue;
      auto object = static_object(*address, kWordSize);
      auto bytes = machine_.bytes().of_object(*address, kWordSize);
      if (!object || !bytes || bytes->begin + bytes->length > machine_.bytes().fixed_end()) continue;
      Mutex mutex{*address, analyses_->points().places().of_object(*object), *bytes, nullptr};
      mutex.open = std::make_unique<analysis::AccessSets>(program_, analyses_->calls(), analyses_->points(),
                                                          &analyses_->few_values(), *address);
      mutexes_.push_back(std::move(mutex));
    }
  });
}

/// The call that a frame waits for.
const Statement* PrivateSteps::call_of(uint32_t thread, uint32_t frame) const {
  auto at = machine_.frame(thread, frame);
  const Function& function = program_.functions[at.function];
  return &function.edges[function.locations[at.location].first_edge].statement;
}

/// From the innermost frame outwards, until one that cannot be left without the mutex.
const analysis::Access& PrivateSteps::open_of(uint32_t thread, uint32_t mutex) {
  const Mutex& m = mutexes_[mutex];
  const auto& places = analyses_->points().places();
  key_.assign(1, mutex);
  for (uint32_t i = machine_.frame_count(thread); i-- > 0;) {
    auto at = machine_.frame(thread, i);
    const Function& function = program_.functions[at.function];
    const bool top = i + 1 == machine_.frame_count(thread);
    const LocationId l = top ? at.location : function.edges[function.locations[at.location].first_edge].to;
    if (top && i > 0) {
      const Statement* call = call_of(thread, i - 1);
      if (auto address = analysis::mutex_of(program_, *call)) {
        // It waits there for the thread that holds the mutex.
        if (*address == m.address && function.role == program::FunctionRole::LockMutex) break;
        auto object = static_object(*address, kWordSize);
        key_.push_back(object ? ~static_cast<uint32_t>(places.of_object(*object)) : ~places.anything());
        continue;
      }
    }
    if (l == kNone) continue;
    key_.push_back(m.open->number(at.function, l));
    if (!m.open->returns(at.function, l)) break;
  }
  auto [entry, fresh] = opens_.try_emplace(key_);
  if (!fresh) return entry->second;
  entry->second = {BitSet(places.size()), BitSet(places.size())};
  for (size_t i = 1; i < key_.size(); ++i) {
    if (static_cast<int32_t>(key_[i]) >= 0) {
      entry->second.merge(m.open->numbered(key_[i]));
    } else {
      entry->second.reads.set(~key_[i]);
      entry->second.writes.set(~key_[i]);
    }
  }
  return entry->second;
}

bool PrivateSteps::holds(uint32_t thread, const Mutex& mutex) const {
  if (known_ && !known_(mutex.address, kWordSize)) return false;
  uint32_t word = 0;
  uint8_t bytes[kWordSize];
  if (!machine_.read_memory(mutex.address, bytes)) return false;
  std::memcpy(&word, bytes, sizeof word);
  return word == exec::thread_word(thread);
}

bool PrivateSteps::disturbs(const analysis::Access& open, const Mutex& mutex, Candidate step) const {
  return disturbs(open, step) || analyses_->points().places().contains(open.writes, mutex.place);
}

void PrivateSteps::guard_loop(FunctionId f, LocationId head) {
  const Function& function = program_.functions[f];
  std::vector<bool> seen(function.locations.size());
  std::vector<LocationId> stack{head};
  seen[head] = true;
  while (!stack.empty()) {
    LocationId l = stack.back();
    stack.pop_back();
    candidate_[f][l] = false;
    const auto& location = function.locations[l];
    for (uint32_t e = location.first_edge; e < location.first_edge + location.edge_count; ++e) {
      const Edge& edge = function.edges[e];
      for (FunctionId callee : analyses_->calls().targets(edge.statement))
        if (edge.statement.kind != Kind::Spawn) guard_function(callee);
      if (surely_visible(edge.statement) || edge.to == kNone || seen[edge.to]) continue;
      seen[edge.to] = true;
      stack.push_back(edge.to);
    }
  }
}

void PrivateSteps::guard_function(FunctionId f) {
  if (guarded_[f]) return;
  guarded_[f] = true;
  std::fill(candidate_[f].begin(), candidate_[f].end(), false);
  for (FunctionId callee : analyses_->calls().callees(f)) guard_function(callee);
}

void PrivateSteps::keep_visible(std::span<const term::Term> atoms) {
  observed_ = BitSet(program_.objects.size());
  for (term::Term atom : atoms)
    for (term::Term read : term::reads(atom)) {
      auto object = read.kid(0).is_constant() ? static_object(read.kid(0).value64(), read.width() / 8) : std::nullopt;
      if (object)
        observed_.set(*object);
      else
        active_ = false;
    }
}

std::optional<ObjectId> PrivateSteps::static_object(uint64_t address, uint64_t size) const {
  // Static objects are placed in order.
  const auto& objects = program_.objects;
  auto after = std::upper_bound(objects.begin(), objects.end(), address,
                                [](uint64_t a, const program::Object& object) { return a < object.address; });
  while (after != objects.begin()) {
    --after;
    if (after->thread_local_) continue;
    if (address - after->address + size > after->size) return std::nullopt;
    return static_cast<ObjectId>(after - objects.begin());
  }
  return std::nullopt;
}

/// Everything a thread may still touch: the union over its frames.
const analysis::Access& PrivateSteps::rest_of(uint32_t thread) {
  key_.clear();
  uint32_t frames = machine_.frame_count(thread);
  for (uint32_t i = 0; i < frames; ++i) {
    auto at = machine_.frame(thread, i);
    LocationId l = at.location;
    const Function& function = program_.functions[at.function];
    if (i + 1 < frames) l = function.edges[function.locations[l].first_edge].to;
    key_.push_back(l == kNone ? kNone : analyses_->accesses().number(at.function, l));
  }
  auto [entry, fresh] = rests_.try_emplace(key_);
  if (fresh) {
    bool first = true;
    for (uint32_t number : key_) {
      if (number == kNone) continue;
      if (first)
        entry->second = analyses_->accesses().numbered(number);
      else
        entry->second.merge(analyses_->accesses().numbered(number));
      first = false;
    }
    if (first)
      entry->second = {BitSet(analyses_->points().places().size()), BitSet(analyses_->points().places().size())};
  }
  return entry->second;
}

std::optional<PrivateSteps::Candidate> PrivateSteps::candidate(uint32_t thread) {
  if (!active_) return std::nullopt;
  auto top = machine_.frame(thread, machine_.frame_count(thread) - 1);
  if (program_.functions[top.function].role == program::FunctionRole::UnlockMutex) return unlocking(thread);
  if (!candidate_[top.function][top.location]) return std::nullopt;
  exec::Pending pending = machine_.pending(thread);
  if (pending.kind != exec::Pending::Kind::Access || pending.range_count != 1) return std::nullopt;
  const auto& range = pending.ranges[0];
  auto object = static_object(range.address, range.size);
  if (!object || (range.write && observed_.test(*object))) return std::nullopt;
  return Candidate{analyses_->points().places().of_object(*object), range.write};
}

/// The thread stands in the model of unlocking: all that it does there is one region, which touches the mutex alone.
std::optional<PrivateSteps::Candidate> PrivateSteps::unlocking(uint32_t thread) {
  const uint32_t frames = machine_.frame_count(thread);
  auto top = machine_.frame(thread, frames - 1);
  if (frames < 2 || guarded_[top.function]) return std::nullopt;
  const Statement* call = call_of(thread, frames - 2);
  auto address = analysis::mutex_of(program_, *call);
  if (!address || machine_.pending(thread).kind != exec::Pending::Kind::AtomicBegin) return std::nullopt;
  auto object = static_object(*address, kWordSize);
  if (!object || observed_.test(*object)) return std::nullopt;
  return Candidate{analyses_->points().places().of_object(*object), true};
}

bool PrivateSteps::disturbs(const analysis::Access& rest, Candidate step) const {
  const auto& places = analyses_->points().places();
  return places.contains(rest.writes, step.place) || (step.write && places.contains(rest.reads, step.place));
}

std::optional<uint32_t> PrivateSteps::find(std::span<const uint32_t> threads) {
  if (!active_) return std::nullopt;
  for (uint32_t t : threads) {
    std::optional<Candidate> step = candidate(t);
    if (!step) continue;
    bool alone = true;
    for (uint32_t u = 0; alone && u < machine_.thread_count(); ++u)
      alone = u == t || !machine_.alive(u) || !disturbs(rest_of(u), *step);
    if (alone) return t;
    for (uint32_t m = 0; m < mutexes_.size(); ++m) {
      if (!holds(t, mutexes_[m])) continue;
      alone = true;
      for (uint32_t u = 0; alone && u < machine_.thread_count(); ++u)
        alone = u == t || !machine_.alive(u) || !disturbs(open_of(u, m), mutexes_[m], *step);
      if (alone) return t;
    }
  }
  return std::nullopt;
}

bool PrivateSteps::jump_target(FunctionId function, LocationId location) const {
  return jump_target_[function][location];
}

}  // namespace whittle::engines::explicit_
