// The normal form of states: what can make no difference is taken away, so that states that are equal are equal byte by byte.
//
//   NormalForm normal(program, offsets, symbols);
//   normal.make(state);                    // between steps
//   normal.decide(state, term, value);     // from now on the term has this value
//   normal.write(state, bytes);
//
// Registers that are never read again are 0. Objects that ended are forgotten once nothing could be a pointer to them.
// Symbols have the lowest numbers, in the order in which they are met, and what is decided of others is forgotten, unless
// names are to be kept.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "program/program.h"
#include "proof/state.h"
#include "proof/symbols.h"

namespace whittle::proof {

/// Where static objects lie in State::statics, by object; none: it is constant, or each thread has its own.
using StaticOffsets = std::vector<std::optional<uint64_t>>;

class NormalForm {
 public:
  /// Keeps references; `offsets` may be filled later.
  enum class Names : uint8_t {
    Lowest,
    Kept,           ///< and of those that are found to be constants nothing is left
    KeptAsTheyAre,  ///< these, too
  };
  NormalForm(const program::Program& program, const StaticOffsets& offsets, Symbols& symbols, Names names = Names::Lowest);

  /// `asked`: a term in which symbols must keep their meaning, too.
  void make(State& state, Term* asked = nullptr) const;
  /// The registers of a frame that can be read again.
  const std::vector<bool>& live(const Thread& thread, size_t frame) const;
  /// From now on the term has this value.
  void decide(State& state, Term t, u128 value) const;
  /// The state as bytes, without what is decided.
  void write(const State& state, std::vector<uint8_t>& bytes) const;

 private:
  void find_live();
  std::vector<Term> forget_decided(State& state, Term* asked) const;
  void rename(State& state, const std::vector<Term>& symbols, Term* asked) const;
  void replace(State& state, const std::function<Term(Term)>& variables) const;
  void forget(State& state) const;

  const program::Program& program_;
  const StaticOffsets& offsets_;
  Symbols& symbols_;
  const Names names_;
  std::vector<std::vector<std::vector<bool>>> live_;  ///< by function, location, register
};

}  // namespace whittle::proof
