// What the search wants to know of the state in which the machine is.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "engines/guided/search.h"

namespace whittle::engines::guided {

using dpor::Access;
using program::Kind;
using program::Statement;

namespace {

constexpr size_t kSpinLength = 16;  ///< steps of one thread that may make up a round of busy waiting

}  // namespace

dpor::Threads Search::name_new_threads(const Node& node, std::vector<uint8_t>& names, uint32_t& created) {
  exec::Machine& machine = machine_.machine();
  dpor::Threads spawned = 0;
  uint32_t count = machine.thread_count();
  if (names.size() < count) names.resize(count);
  for (uint32_t t = 0; t < count; ++t) {
    if (!machine.alive(t) || (node.alive >> t & 1)) continue;
    if (created >= dpor::kMaxThreads) {
      note_incomplete(fmt::format("more than {} threads on a run", dpor::kMaxThreads));
      continue;
    }
    names[t] = static_cast<uint8_t>(created);
    spawned |= dpor::Threads{1} << created++;
  }
  return spawned;
}

/// A thread that came back to a state where it has been, alone, will come back again until somebody else changes what
/// it reads: it waits.
void Search::note_spinning(Node& node) {
  node.spins.clear();
  if (nodes_.size() < 2) return;
  const Node& parent = *nodes_[nodes_.size() - 2];
  for (const Node::Spin& spin : parent.spins) {
    if (spin.thread == node.ran || !machine_.machine().alive(spin.thread)) continue;
    bool changed = std::any_of(node.accesses.begin(), node.accesses.end(), [&](const Access& a) {
      return a.write && std::any_of(spin.reads.begin(), spin.reads.end(), [&](const Access& b) {
               return a.address < b.address + b.size && b.address < a.address + a.size;
             });
    });
    if (!changed) node.spins.push_back(spin);
  }
  if (node.place == 0 || visits_[node.place] < 2) return;
  std::vector<Access> reads;
  for (size_t i = nodes_.size() - 1, steps = 0; i > 0 && nodes_[i]->ran == node.ran && steps < kSpinLength;
       --i, ++steps) {
    reads.insert(reads.end(), nodes_[i]->accesses.begin(), nodes_[i]->accesses.end());
    const Node& before = *nodes_[i - 1];
    if (before.snapshot.bytes != node.snapshot.bytes ||
        before.snapshot.overlay.registers() != node.snapshot.overlay.registers() ||
        before.snapshot.overlay.memory() != node.snapshot.overlay.memory())
      continue;
    for (Access& a : reads) a.known = false;
    node.spins.push_back({node.ran, std::move(reads)});
    return;
  }
}

/// Who can run, who is blocked.
void Search::look_around(Node& node) {
  exec::Machine& machine = machine_.machine();
  node.alive = node.enabled = 0;
  dpor::Threads enabled = 0;
  blocked_.clear();
  awaits_.clear();
  uint32_t count = machine.thread_count();
  awaits_.reserve(count);
  for (uint32_t t = 0; t < count; ++t) {
    if (!machine.alive(t)) continue;
    node.alive |= uint64_t{1} << t;
    const Statement* s = standing_.standing_at(t);
    if (standing_.stuck(t, s)) continue;
    auto spin = std::find_if(node.spins.begin(), node.spins.end(), [&](const auto& x) { return x.thread == t; });
    dpor::Transition step;
    step.thread = node.names[t];
    if (spin != node.spins.end()) {
      step.accesses = spin->reads;
      blocked_.push_back(step);
    } else if (s && s->kind == Kind::Await && !machine.enabled(t)) {
      awaits_.push_back(standing_.await_of(t, *s));
      step.await = &awaits_.back();
      blocked_.push_back(step);
    } else {
      node.enabled |= uint64_t{1} << t;
      enabled |= dpor::Threads{1} << node.names[t];
    }
  }
  reduction_.push_node(enabled, blocked_, learns_ && enabled != 0 ? node.names[preferred(node)] : dpor::kNone);
}

/// For summaries it pays to come to the same control states again: lowest number first. But who makes others wait goes
/// on to the end, and who had to wait goes on then: their order is settled before others begin, and a summary made
/// after both of them speaks for both orders.
uint32_t Search::preferred(Node& node) {
  node.urgent = UINT32_MAX;
  if (nodes_.size() > 1) {
    const Node& parent = *nodes_[nodes_.size() - 2];
    const uint64_t waited = parent.alive & ~parent.enabled & node.enabled & ~uint64_t{1};
    const uint64_t blocked = parent.enabled & node.alive & ~node.enabled & ~(uint64_t{1} << node.ran);
    if ((parent.urgent == node.ran || blocked != 0) && (node.enabled >> node.ran & 1))
      node.urgent = node.ran;
    else if (waited != 0)
      node.urgent = static_cast<uint32_t>(std::countr_zero(waited));
  }
  return node.urgent != UINT32_MAX ? node.urgent : static_cast<uint32_t>(std::countr_zero(node.enabled));
}

}  // namespace whittle::engines::guided
