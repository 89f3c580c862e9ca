// Follows the statements of one function symbolically, from cut point to cut point.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "proof/facts.h"
#include "proof/memory.h"
#include "proof/proof.h"

namespace whittle::proof {

/// A state on a path: what registers and memory hold in terms of the state in which the path began.
struct PathState {
  program::LocationId location = 0;
  std::vector<Term> registers;
  Memory memory;
  std::vector<Term> conditions;  ///< under which the path is taken
  struct Allocation {
    Term address;
    Term size;  ///< as wide as addresses
    bool heap = false;
  };
  std::vector<Allocation> allocations;
  struct Named {
    Term there;  ///< one bit
    Term size;   ///< as wide as addresses
  };
  std::vector<Named> objects;  ///< of the proof, in its order
  struct ForAll {
    Term element;   ///< any value of this variable
    Term body;      ///< over the state in which the path began; its Reads are of:
    Memory memory;
  };
  std::vector<ForAll> known;  ///< about all elements
};

/// What happens on paths, told to whoever follows them. Each answers whether to go on.
struct PathEvents {
  /// This must not happen: the condition under which it would.
  std::function<bool(const PathState&, Term condition, uint32_t edge, const std::string& what)> danger;
  std::function<bool(const PathState&)> arrived;                              ///< at a cut point
  std::function<bool(const PathState&, Term value, uint32_t edge)> returned;  ///< no term: nothing is returned
  std::function<bool(const PathState&)> possible;  ///< asked now and then: can this be at all?
};

/// What addresses of the object are multiples of.
uint64_t alignment(const program::Program& program, const Proof& proof, const Object& object);

class Paths {
 public:
  Paths(const program::Program& program, const verdict::Specification& specification, const ProgramFacts& facts,
        const Proof& proof, uint32_t index, MemoryWorld& world);

  /// The state in which a path from this location begins: anything, or the start of the program.
  PathState begin(program::LocationId location, bool program_start);
  /// Lets registers have the values that a predicate, which holds in the state, tells: objects' addresses. Memory that
  /// holds a known pointer at a known address is written what it holds: that is easier to read than to conclude.
  void adopt(Term predicate, PathState& state) const;
  /// A predicate of the proof in a state.
  Term hold(Term predicate, const PathState& state) const;
  Reach reach(Term address) const;
  /// The same of one element.
  Term hold_of(Term body, Term element, const PathState& state) const;
  /// What holds for all elements where a path begins is known on it.
  void assume_for_all(Term body, PathState& state) const;
  /// Of a variable that says something of an object of the proof: what holds of that in the state; otherwise nothing.
  Term of_object(Term variable, const PathState& state) const;
  /// The function returns: what it has on its stack ends.
  void end_frame(PathState& state) const;
  /// All paths from here on until cut points; false: an event said stop, or there were too many (then `problem` is
  /// set).
  bool follow(PathState state, const std::vector<bool>& cut, const PathEvents& events);

  std::string problem;
  /// The danger that is told is about memory, and there may be objects there that nothing is known of here: of callers,
  /// or on the heap without a name. Then it shows how little is known, not that the proof is wrong.
  bool knows_too_little = false;

 private:
  bool step(PathState& state, uint32_t edge, const PathEvents& events, bool& ends);
  bool walk(PathState state, bool first);
  Term operand(const program::Statement& statement, size_t i, const PathState& state) const;
  Term open(unsigned width) const { return store_.variable(width, "any"); }
  bool assume(PathState& state, Term condition) const;  ///< false: cannot be
  bool access(const PathState& state, const program::Statement& statement, uint32_t edge, Term address, bool write);
  Term within(const PathState& state, Term address, uint64_t size, bool write, Term original) const;
  bool memory_danger(const PathState& state, Term fine, uint32_t edge, std::initializer_list<Term> addresses,
                     const char* what);
  bool knows_all(Term address) const;
  void allocated(PathState& state, Term address, Term size, uint8_t align, bool heap) const;
  bool make(PathState& state, const program::Statement& statement, uint32_t edge);
  const Object* object(uint32_t edge) const;  ///< that this statement makes
  bool on_heap(const Object& o) const;
  bool is_place(Term t) const;
  PathState::Named& named(PathState& state, const Object& o) const { return state.objects[&o - proof_.objects.data()]; }
  bool block(const PathState& state, const program::Statement& statement, uint32_t edge);
  bool free(PathState& state, Term address, uint32_t edge);
  bool call(PathState& state, uint32_t edge, program::FunctionId callee, size_t first_argument, bool& ends);
  bool certain(const PathState& state, Term condition) const;
  bool call_for_all(const PathState& state, uint32_t edge, const FunctionProof& callee, Term requires_,
                    const std::function<Term(Term)>& values);
  void adopt_result(Term ensures, Term variable, Term& result) const;
  bool call_indirect(const PathState& state, uint32_t edge);

  const program::Program& program_;
  const verdict::Specification& specification_;
  const ProgramFacts& facts_;
  const Proof& proof_;
  uint32_t index_;
  const FunctionProof& scope_;
  const program::Function& function_;
  MemoryWorld& world_;
  term::Store& store_;
  const std::vector<bool>* cut_ = nullptr;
  const PathEvents* events_ = nullptr;
  uint64_t paths_ = 0;
};

}  // namespace whittle::proof
