#include "engines/explicit/search_options.h"

namespace whittle::engines::explicit_ {

explore::Options search_options(const Settings& settings, std::string_view dead) {
  explore::Options options;
  using namespace explore;
  options.order =
      pick<Order>(settings, "order", "depth", {{"depth", Order::DepthFirst}, {"breadth", Order::BreadthFirst}});
  options.reduce = pick<Reduce>(settings, "reduce", "onthefly",
                                {{"none", Reduce::None}, {"static", Reduce::Static}, {"onthefly", Reduce::OnTheFly}});
  options.loop =
      pick<Loop>(settings, "loop", "hash", {{"pc", Loop::Location}, {"state", Loop::State}, {"hash", Loop::Hash}});
  options.dead = pick<Dead>(settings, "dead", dead,
                            {{"none", Dead::None}, {"static", Dead::Static}, {"dynamic", Dead::Dynamic}});
  options.store =
      pick<StoreKind>(settings, "store", "exact",
                      {{"exact", StoreKind::Exact}, {"hash", StoreKind::HashCompaction}, {"bit", StoreKind::BitState}});
  options.cores = settings.cores;
  options.spill = settings.text("spill", "");
  options.alone = settings.number("parallel-from", options.alone);
  return options;
}

}  // namespace whittle::engines::explicit_
