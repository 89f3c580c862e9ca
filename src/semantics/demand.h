// What a statement demands: each way in which it can go wrong, and what the machine does then.
//
//   for (const Demand& demand : demands(statement))
//     if (treatment(specification, demand.property) == Treatment::Violation && !always_met(program, statement, demand)) ...
//
// Demands are tried in order; the first that is not met ends the path or is passed over, as treatment() says.
#pragma once

#include <vector>

#include "program/program.h"
#include "semantics/access.h"
#include "verdict/property.h"

namespace whittle::semantics {

struct Demand {
  enum class Kind : uint8_t {
    Condition,    ///< operands[0] holds
    Access,       ///< the bytes lie inside one live object, aligned; the object is not constant if they are written
    Free,         ///< operands[0] is null or the start of a live heap object
    Function,     ///< operands[0] is the address of a function
    Progress,     ///< the thread is not blocked forever (an Await)
    Unreachable,  ///< the statement is not reached
    Supported,    ///< the statement is not reached: nothing is known about paths that get there
  };
  Kind kind = Kind::Condition;
  verdict::Property property = verdict::Property::UnreachCall;  ///< violated if it is not met; none for Supported
  Access access;                                                ///< Access
};

std::vector<Demand> demands(const program::Statement& statement);

/// A Call of one of the specification's error functions: that it is not reached is demanded.
bool calls_error(const program::Program& program, const verdict::Specification& specification,
                 const program::Statement& statement);

/// Can the call through a pointer, or the start of a thread, enter this function: do its arguments suffice, are they and
/// the result as wide? Arguments beyond the parameters are dropped: old code defines `void *thread() {...}` and is called
/// with one. If it does not fit the path is not followed.
bool fits(const program::Function& caller, const program::Statement& call, const program::Function& callee);

/// What happens when a demand is not met.
enum class Treatment : uint8_t {
  Violation,  ///< the property is asked about
  Ignored,    ///< not asked about, and the machine has a meaning for going on
  Halts,      ///< a failed assertion that is not asked about aborts the program
  Cut,        ///< undefined behaviour that is not asked about: the path is not followed
};
Treatment treatment(const verdict::Specification& specification, verdict::Property property);

/// Is the demand met in every state, as the constants in the statement show?
bool always_met(const program::Program& program, const program::Statement& statement, const Demand& demand);

/// Do `bytes` at a constant address lie inside one static object, aligned, and not constant if they are written?
bool in_static_object(const program::Program& program, uint64_t address, uint64_t bytes, unsigned align, bool write);

}  // namespace whittle::semantics
