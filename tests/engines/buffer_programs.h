// Random programs that move bytes about: buffers, tables, structs and heap objects, at indices, lengths and pointers that depend
// on inputs. Their inputs are single bits, few enough to try all.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "engines/engine.h"
#include "exec/machine.h"
#include "program/program.h"
#include "verdict/verdict.h"

namespace whittle::test {

/// Does any run violate something? All are run whose inputs, of one bit each, are zero after the first so many; each as
/// far as so many statements.
bool fails(const std::shared_ptr<const exec::Code>& code, size_t most_inputs = SIZE_MAX, uint64_t most_statements = UINT64_MAX);

enum class Buffers : uint8_t {
  Tables,   ///< straight code, loops and calls over arrays
  Parsers,  ///< a position in a text that goes on by inner loops and calls, tokens, a list on the heap, a state
};

using Check = std::function<verdict::Verdict(const program::Program&, const verdict::Specification&)>;

/// What the engine says within so many seconds.
template <typename Engine>
Check check_by(const engines::Settings& settings = {}, double seconds = 30) {
  return [=](const program::Program& program, const verdict::Specification& specification) {
    Limits limits;
    limits.set_timeout(seconds);
    Statistics statistics;
    Progress progress(false);
    Context context{limits, statistics, progress};
    return Engine().run(program, specification, settings, context);
  };
}

/// What `check` says about random programs is what all their runs say. `few` programs, `many` when WHITTLE_LONG is set;
/// WHITTLE_SEED has others. Most answers must be definite.
void against_brute_force(const Check& check, Buffers kind, unsigned few, unsigned many);

}  // namespace whittle::test
