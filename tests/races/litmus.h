// The shapes that memory models are told apart by, with every mix of orders, fences and read-modify-writes.
//
//   Program p = litmus(shape, number);     // number: which mix, modulo mixes(shape)
#pragma once

#include "races/thread_language.h"

namespace whittle::test::races {

enum class Shape : uint8_t {
  MessagePassing,   ///< writes data, then the flag; the other one sees the flag and reads the data
  Write,            ///< the same, but the other one writes the data ("S")
  ReadFirst,        ///< reads data, then writes the flag; the other one sees it and writes the data
  StoreBuffer,      ///< each writes its flag and, if it misses the other one's, writes the data
  LoadBuffer,       ///< each writes the data if it sees the other one's flag, then writes its own
  PingPong,         ///< there and back by two flags
  HandedOn,         ///< a third thread between the two, that sees one flag and writes another ("WRC")
  ReleaseSequence,  ///< a third thread that writes or updates the same flag in between
};
constexpr Shape kLastShape = Shape::ReleaseSequence;

uint64_t mixes(Shape shape);
/// Requires number < mixes(shape).
Program litmus(Shape shape, uint64_t number);

}  // namespace whittle::test::races
