// What can be asked of a program, and the closed table of what can go wrong in it.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace whittle::verdict {

/// One entry per property; the name is used on the command line, in verdicts `false(NAME)` and in JSON.
enum class Property : uint8_t {
  UnreachCall,      // unreach-call        reach_error, __VERIFIER_error, a failing assert
  ValidDeref,       // valid-deref         null, out of bounds, misaligned, after free
  ValidFree,        // valid-free          double free, free of what was not allocated
  ValidMemtrack,    // valid-memtrack      allocated memory no pointer leads to any more
  ValidMemcleanup,  // valid-memcleanup    memory still allocated at exit
  NoOverflow,       // no-overflow         signed overflow
  NoDataRace,       // no-data-race
  Termination,      // termination
  NoDivByZero,      // no-div-by-zero      also INT_MIN / -1
  NoBadShift,       // no-bad-shift        shift amount negative or not below the width
  NoDeadlock,       // no-deadlock
  LockDiscipline,   // lock-discipline     unlock of a lock not held, destroying a held one, ...
  Ctl,              // ctl                 a temporal formula of the command line (--ctl)
  FirmwareCheck,    // firmware-check      what is always checked of firmware: stack, addresses, opcodes
};
constexpr unsigned kPropertyCount = static_cast<unsigned>(Property::FirmwareCheck) + 1;

std::string_view name(Property property);
/// One sentence for people: "a pointer is dereferenced that does not point into a live object".
std::string_view description(Property property);

/// What a run checks. `error_functions`: calling one of them violates unreach-call.
struct Specification {
  std::set<Property> properties;
  std::set<std::string> error_functions = {"reach_error", "__VERIFIER_error"};
  std::string entry;  ///< the function that `init(...)` of a .prp file names, or empty
  bool has(Property property) const { return properties.contains(property); }
};

/// Assertions, unreach-call, memory safety (deref, free), division by zero, bad shifts, deadlock, lock discipline.
Specification default_specification();

/// NAME[,NAME...], of which each may be the path of a .prp file with CHECK lines; "memory-safety" and "valid-memsafety" name the group of
/// three. Throws Error (usage or bad input) with the nearest name.
Specification parse_specification(const std::string& names_or_file);

/// The CHECK lines of a property file; `file` is for messages. `call(f())` makes f, and only what such lines name, an
/// error function.
Specification parse_checks(std::string_view text, const std::string& file);

}  // namespace whittle::verdict
