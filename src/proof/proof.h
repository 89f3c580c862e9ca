// A proof that a program violates nothing: what it says, its file, and its checker.
//
//   proof::Proof p = ...;                                    // filled by an engine
//   std::string text = proof::write(p, program, specification);
//   proof::Proof again = proof::read(text, program);
//   proof::Outcome outcome = proof::check(again, program, specification, limits);
//   if (!outcome.valid) std::cout << outcome.reason;         // the first step that fails, for people
//
// States of a function at a location are divided into regions. Which regions can be reached follows from the steps
// between regions that the proof claims to be impossible; every other step counts as possible. Locations with regions
// are the cut points of the function: all others are passed over, so every cycle must contain a cut point. The checker
// follows every path from cut point to cut point and asks cvc5; it shares no code with the engines but the meaning of
// terms.
//
// Objects that the program makes have addresses that predicates can name: the variable of an Object stands for where
// the object lies that one statement makes in calls described by one FunctionProof. It never changes, and all objects
// are apart; so such an object must not be made again while the former one is there, and no call may be described
// twice.
//
// Assumptions of a proof: memory accesses are valid and undefined behaviour does not happen, unless the specification
// asks for it. If it asks for valid-deref, the checker accepts accesses inside static objects, inside objects that the
// same function has on its stack, and inside objects that have names, where predicates say that they are there.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/limits.h"
#include "program/program.h"
#include "verdict/property.h"

namespace whittle::proof {

/// In place of the number of a region: where a function starts, in a state in which `requires_` holds.
inline constexpr uint32_t kStart = UINT32_MAX;

/// A set of states at a location. The predicate is over the registers of the function, Read terms and ghosts.
struct Region {
  program::LocationId location = 0;
  term::Term predicate;
};

/// No run goes from region `from` (or kStart) to region `to` without passing a cut point in between.
struct Impossible {
  uint32_t from = 0;
  uint32_t to = 0;
  bool operator==(const Impossible&) const = default;
};

/// A call may be replaced by what a FunctionProof says of the callee, for these values of its ghosts: terms over the
/// caller's registers, Reads and ghosts in the state before the call.
struct Use {
  uint32_t proof = 0;
  std::vector<term::Term> ghosts;
};

struct CallSite {
  uint32_t edge = 0;
  std::vector<Use> uses;
};

/// Holds whenever a run is at the location, for every value of FunctionProof::element: of all elements of an array, say.
struct ForAll {
  program::LocationId location = 0;
  term::Term body;  ///< over the registers of the function, Read terms, ghosts and the element
};

/// For all values of the ghosts: entered where `requires_` holds (over parameters, Reads, ghosts), the function and its
/// callees violate nothing, and `ensures` holds whenever it returns (over `result`, Reads then, ghosts).
struct FunctionProof {
  program::FunctionId function = program::kNone;
  std::vector<term::Term> ghosts;  ///< variables
  term::Term result;               ///< a variable for the value returned; no term if there is none
  term::Term requires_;
  term::Term ensures;
  std::vector<Region> regions;  ///< those of one location must cover all states there
  std::vector<Impossible> impossible;
  term::Term element;                ///< a variable as wide as pointers; no term if nothing is said about all elements
  std::vector<ForAll> elements;      ///< at cut points
  std::vector<term::Term> requires_all, ensures_all;  ///< as requires_ and ensures, for every value of `element`
  std::vector<CallSite> calls;  ///< callees that can violate nothing whatever happens need no entry
};

/// An object on stack or heap that predicates of all functions can mention.
struct Object {
  uint32_t proof = 0;  ///< in Proof::functions: who makes it
  uint32_t edge = 0;   ///< its StackAlloc or HeapAlloc
  uint64_t room = 0;   ///< it is no larger than this, and nothing else lies in these bytes
  term::Term address;  ///< a variable as wide as pointers
  term::Term there;    ///< a variable of one bit: is it allocated now?
  term::Term size;     ///< a variable as wide as pointers: how large it is, if it is there
};

/// What going through all states, or paths, finds (states.h, paths.h). A file says it so that another program, or another meaning of it, is
/// noticed.
struct StateSpace {
  uint64_t states = 0;
  uint64_t digest = 0;  ///< of all of them
  bool operator==(const StateSpace&) const = default;
};

/// Holds of every thread that stands at a place, however many threads there are, between steps. Facts are over the
/// registers of the functions on its stack (FunctionProof::function of their texts is none), static memory, and the
/// thread's own objects.
struct PlaceFacts {
  std::string place;  ///< threads.h
  std::vector<term::Term> facts;
};

struct Proof {
  enum class Kind : uint8_t {
    Regions,
    Run,     ///< the program asks for no input and has one thread: its only run is the proof
    Paths,   ///< going through all paths of the program, joined where they meet, is the proof
    States,  ///< the program has finitely many states: going through all of them is the proof
    Threads,  ///< facts about each thread that no step breaks, for any number of threads
  };
  Kind kind = Kind::Regions;
  std::vector<FunctionProof> functions;
  std::vector<Object> objects;
  StateSpace space;                     ///< States, Paths
  std::vector<PlaceFacts> places;       ///< Threads
  uint32_t entry = 0;                   ///< in `functions`: the proof of Program::entry; its requires_ is true
  std::vector<std::string> invariants;  ///< for people, not checked: "a.c:12: i <= n"
};

/// Of a file: its field `format`.
inline constexpr const char* kFormat = "whittle-proof";
/// 16 hexadecimal digits. Throws Error (bad input).
uint64_t digest_from(const std::string& digits);

/// "regions", "run", "states", "paths" or "threads".
std::string_view name(Proof::Kind kind);

/// JSON.
std::string write(const Proof& proof, const program::Program& program, const verdict::Specification& specification);

/// Into a file, as a whole: who reads it meanwhile, or finds it after the writer was ended, has the old text or the new one.
/// False: it cannot be written.
bool store(const std::string& file, const std::string& text);

/// How the program must be loaded before read() can be called.
struct Header {
  verdict::Specification specification;
  program::DataModel data_model = program::DataModel::LP64;
};
/// Throws Error (bad input).
Header header_of(std::string_view json);
/// Throws Error (bad input) if it is no proof, or one of another program.
Proof read(std::string_view json, const program::Program& program);

struct Outcome {
  bool valid = false;
  bool decided = true;  ///< false: not valid only because of a limit: of time, of the solver, of what is followed here
  std::string reason;   ///< if not valid
  uint64_t obligations = 0;
};
/// Is what was found what a file says? If not, the outcome is no longer valid.
void compare(const StateSpace& found, const StateSpace& claimed, Outcome& outcome);

/// Of so many answers of cvc5 that something is impossible, Z3 is asked about one.
inline constexpr unsigned kAskedTwice = 50;

/// Told now and then: how much was checked, of how much, in what unit.
using Progressed = std::function<void(uint64_t done, uint64_t all, const char* unit)>;
Outcome check(const Proof& proof, const program::Program& program, const verdict::Specification& specification,
              Limits& limits, const Progressed& progressed = {});

}  // namespace whittle::proof
