// Why a machine stands still, and what its threads will do next.
#pragma once

#include <cstdint>
#include <string>

#include "program/program.h"
#include "verdict/verdict.h"

namespace whittle::exec {

enum class PauseKind : uint8_t {
  Visible,      ///< a scheduling point: the last thread stands before a visible operation (or, after reset, nothing ran
                ///< yet)
  Blocked,      ///< a scheduling point: the last thread stands at an Await that does not hold
  ThreadEnded,  ///< a scheduling point: the last thread ended, others are alive
  Input,        ///< a nondeterministic value is needed: provide() it
  Budget,       ///< the statement budget is used up: resume()
  Halted,       ///< the program ended
  Violation,    ///< a property of the specification is violated
  Cut,          ///< the path cannot be followed: unsupported construct, limit, undefined behaviour not checked
  Pruned,       ///< an assumption failed: this is no behaviour of the program
};

struct Pause {
  PauseKind kind = PauseKind::Visible;
  uint32_t thread = 0;               ///< the one that ran last
  program::SourcePosition position;  ///< of the statement the thread stands before, or that ended the path

  unsigned width = 0;   ///< Input: bits wanted
  bool input = false;   ///< Input: the program asked for it (else: uninitialised storage and the like)
  std::string origin;   ///< Input: "__VERIFIER_nondet_int", "uninitialised buf", ...
  uint64_t memory = 0;  ///< Input: address of the bytes without a value that it is for; 0: it is for a register

  int32_t status = 0;            ///< Halted: exit status
  bool aborted = false;          ///< Halted: by abort
  std::string reason;            ///< Cut: why
  bool undefined = false;        ///< Cut: by undefined behaviour that is not asked about
  verdict::Violation violation;  ///< Violation

  bool final() const { return kind >= PauseKind::Halted; }
  bool scheduling() const { return kind <= PauseKind::ThreadEnded; }
};

/// The visible operation a thread stands before.
struct Pending {
  enum class Kind : uint8_t {
    None,         ///< ended
    Unknown,      ///< not yet run up to its first visible operation
    Access,       ///< Load, Store, atomic update, Copy, Fill, Output: see ranges
    Await,        ///< ranges[0] is read, then an atomic region begins
    AtomicBegin,  ///< anything may be touched
    Spawn,
    Yield,
    Free,  ///< ends the object(s): ranges[0] is the object, or everything if its size is 0
  };
  struct Range {
    uint64_t address = 0;
    uint64_t size = 0;
    bool read = false;
    bool write = false;
    /// In an access log: the statement.
    program::FunctionId function = program::kNone;
    uint32_t edge = program::kNone;
    bool region = false;  ///< ... done inside an atomic region
  };
  Kind kind = Kind::None;
  bool atomic = false;  ///< an atomic access: never part of a data race with another atomic one
  uint8_t range_count = 0;
  Range ranges[2];
  program::FunctionId function = program::kNone;
  uint32_t edge = program::kNone;  ///< of that function
};

}  // namespace whittle::exec
