// Answers of earlier queries. A query that contains an unsatisfiable core is unsatisfiable; one that is contained in a
// satisfiable query has that query's model.
#include <algorithm>

#include "base/hash.h"
#include "solve/layer.h"
#include "solve/stack.h"

namespace whittle::solve {
namespace {

class Cache final : public Layer {
 public:
  using Layer::Layer;

 private:
  struct SetHash {
    size_t operator()(const std::vector<uint32_t>& set) const {
      return hash_bytes({reinterpret_cast<const uint8_t*>(set.data()), set.size() * sizeof(uint32_t)});
    }
  };
  struct SatSet {
    std::vector<uint32_t> ids;
    Model model;
  };
  struct Core {
    std::vector<uint32_t> ids;
    std::vector<Term> terms;
  };

  static constexpr size_t kMostTries = 32;  ///< candidates looked at per lookup

  Result query(std::span<const Term> conditions) override {
    std::vector<uint32_t> ids;
    for (Term t : conditions) ids.push_back(t.id());
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    if (const Core* core = contained_core(ids)) {
      context_.statistics.add("solver.cache.unsat_hits");
      core_ = core->terms;
      return {Answer::Unsat, ""};
    }
    if (const SatSet* set = containing_set(ids)) {
      context_.statistics.add("solver.cache.sat_hits");
      model_ = set->model;
      return {Answer::Sat, ""};
    }
    Result result = ask(conditions);
    if (result.unsat()) remember_core();
    if (result.sat()) remember_set(std::move(ids));
    return result;
  }

  /// Cores are filed under their newest condition; a query that contains one contains that.
  const Core* contained_core(const std::vector<uint32_t>& ids) const {
    for (size_t i = ids.size(); i-- > 0;) {
      auto found = cores_by_newest_.find(ids[i]);
      if (found == cores_by_newest_.end()) continue;
      for (size_t k = found->second.size(), tries = 0; k-- > 0 && tries < kMostTries; ++tries) {
        const Core& core = cores_[found->second[k]];
        if (std::includes(ids.begin(), ids.end(), core.ids.begin(), core.ids.end())) return &core;
      }
    }
    return nullptr;
  }

  const SatSet* containing_set(const std::vector<uint32_t>& ids) const {
    if (auto exact = sets_.find(ids); exact != sets_.end()) return &sat_[exact->second];
    const std::vector<uint32_t>* rarest = nullptr;
    for (uint32_t id : ids) {
      auto found = sets_by_member_.find(id);
      if (found == sets_by_member_.end()) return nullptr;
      if (rarest == nullptr || found->second.size() < rarest->size()) rarest = &found->second;
    }
    if (rarest == nullptr) return nullptr;
    for (size_t k = rarest->size(), tries = 0; k-- > 0 && tries < kMostTries; ++tries) {
      const SatSet& set = sat_[(*rarest)[k]];
      if (std::includes(set.ids.begin(), set.ids.end(), ids.begin(), ids.end())) return &set;
    }
    return nullptr;
  }

  void remember_core() {
    if (core_.empty()) return;
    Core core{{}, core_};
    for (Term t : core_) core.ids.push_back(t.id());
    std::sort(core.ids.begin(), core.ids.end());
    cores_by_newest_[core.ids.back()].push_back(static_cast<uint32_t>(cores_.size()));
    cores_.push_back(std::move(core));
  }

  void remember_set(std::vector<uint32_t> ids) {
    uint32_t number = static_cast<uint32_t>(sat_.size());
    for (uint32_t id : ids) sets_by_member_[id].push_back(number);
    sets_.emplace(ids, number);
    sat_.push_back({std::move(ids), model_});
  }

  std::vector<Core> cores_;
  std::vector<SatSet> sat_;
  std::unordered_map<uint32_t, std::vector<uint32_t>> cores_by_newest_;
  std::unordered_map<uint32_t, std::vector<uint32_t>> sets_by_member_;
  std::unordered_map<std::vector<uint32_t>, uint32_t, SetHash> sets_;
};

}  // namespace

std::unique_ptr<Solver> make_cache(StackContext& context, std::unique_ptr<Solver> inner) {
  return std::make_unique<Cache>(context, std::move(inner));
}

}  // namespace whittle::solve
