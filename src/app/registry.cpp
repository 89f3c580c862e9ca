#include "app/registry.h"

#include "engines/test/test_engine.h"

namespace whittle::app {

std::vector<std::unique_ptr<engines::Engine>> make_engines() {
  std::vector<std::unique_ptr<engines::Engine>> engines;
  engines.push_back(std::make_unique<engines::test::TestEngine>());
  return engines;
}

std::span<const Suite> suites() { return {}; }

}  // namespace whittle::app
