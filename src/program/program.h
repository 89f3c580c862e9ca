// A program as whittle sees it: one control-flow automaton per function, static memory objects, names and types.
//
// Locations are nodes, edges carry one statement. A location with one edge goes on with it; one with several branches, all
// its edges being Assume statements of which exactly one holds; one without edges ends the path (after Return, Halt,
// Error, ThreadExit, Unsupported). The front end builds programs, everything else reads them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "program/role.h"
#include "program/statement.h"
#include "program/types.h"
#include "term/term.h"

namespace whittle::program {

/// Addresses are plain bit-vectors. Where things live (all below 4 GiB, so that one map serves both data models):
namespace layout {
constexpr uint64_t kNullEnd = 0x1000;             ///< nothing lives below
constexpr uint64_t kFunctionBase = 0x1000;        ///< function f has address kFunctionBase + 16 * f
constexpr uint64_t kStaticBase = 0x0010'0000;     ///< static objects, in order, with gaps between them
constexpr uint64_t kDynamicBase = 0x2000'0000;    ///< thread-local, stack and heap objects: the machine places them
constexpr uint64_t kStaticGap = 16;               ///< at least so many bytes belong to no object between two objects
/// As long as there is room, gaps are at least that wide, and (up to a limit) as wide as the objects beside them: an index
/// that is off lands in bytes of no object, and the constant part of an address (a[k - 97] is 4 * k + (&a - 388)) tells whose
/// it is.
constexpr uint64_t kStaticSpread = 4096;
constexpr uint64_t kStaticSpreadMost = 1 << 20;
}  // namespace layout

enum class DataModel : uint8_t { ILP32, LP64 };

/// Part of a source file. The default: all of it.
struct Extent {
  uint32_t first_line = 0, first_column = 0, last_line = 0, last_column = 0;
  bool known() const { return last_line != 0; }
  bool contains(const SourcePosition& position) const;  ///< also what has no position
  bool operator==(const Extent&) const = default;
};

struct Register {
  term::Term variable;      ///< stands for the register in operands
  std::string name;         ///< of the source variable it holds, or empty
  TypeId type = kNoType;    ///< of that source variable; without a name: of a pointer to the one whose address it holds
  uint32_t argument = 0;    ///< if that source variable is a parameter: which, from 1
  Extent scope = {};        ///< of that source variable, as far as statements are in it
  unsigned width() const { return variable.width(); }
};

struct Edge {
  LocationId from = 0;
  LocationId to = 0;  ///< kNone after Return, Halt, Error, ThreadExit, Unsupported
  Statement statement;
};

struct Location {
  uint32_t first_edge = 0;  ///< edges first_edge .. first_edge + edge_count - 1 of the function leave it
  uint32_t edge_count = 0;
  bool loop_head = false;   ///< target of a back edge
};

struct Function {
  std::string name;
  std::string source_name = {};     ///< if the linker had to give it another name: what the source calls it
  std::vector<Register> registers;  ///< the first `parameter_count` are the parameters
  uint32_t parameter_count = 0;
  unsigned return_width = 0;  ///< 0: void
  TypeId return_type = kNoType;
  std::vector<Location> locations;
  std::vector<Edge> edges;    ///< grouped by `from`
  LocationId entry = 0;
  bool runtime = false;       ///< one of whittle's own models (runtime/): traces skip its inside
  FunctionRole role = FunctionRole::None;
  SourcePosition position;
};

/// A static memory object: global variable, string literal, static local.
struct Object {
  std::string name;
  std::string source_name = {};  ///< if it has another one in the source: `state` of "state.7", `count` of "f.count"
  uint64_t address = 0;  ///< of a thread-local one: meaningless, see Kind::ThreadLocal
  uint64_t size = 0;
  uint32_t align = 1;
  bool constant = false;
  bool thread_local_ = false;
  bool runtime = false;
  ObjectRole role = ObjectRole::None;
  std::vector<uint8_t> initial;  ///< `size` bytes
  TypeId type = kNoType;
  SourcePosition position;
};

/// The name that the source has for it.
inline const std::string& source_name(const Function& it) { return it.source_name.empty() ? it.name : it.source_name; }
inline const std::string& source_name(const Object& it) { return it.source_name.empty() ? it.name : it.source_name; }

class Program {
 public:
  DataModel data_model = DataModel::LP64;
  std::vector<std::string> files;
  std::vector<Type> types{Type{}};
  std::vector<Object> objects;
  std::vector<Function> functions;
  FunctionId entry = kNone;               ///< takes no parameters; calls the user's entry and then exits
  bool disguised_addresses = false;       ///< constants may stand for addresses of objects and functions far from them
  std::vector<std::string> assumptions;   ///< functions without a body, and whatever else a user must know
  std::vector<std::string> warnings;

  Program() : terms_(std::make_shared<term::Store>()) {}
  explicit Program(term::Store::Options options) : terms_(std::make_shared<term::Store>(options)) {}
  Program(Program&&) = default;
  Program& operator=(Program&&) = default;
  /// A copy that can be changed. Both have the same terms, and so the same store.
  Program clone() const { return *this; }

  term::Store& terms() const { return *terms_; }
  unsigned pointer_width() const { return data_model == DataModel::ILP32 ? 32 : 64; }

  /// Adds a register with a fresh variable.
  RegisterId add_register(FunctionId function, unsigned width, std::string name = {}, TypeId type = kNoType);
  /// The register that a variable of this program's terms stands for.
  struct RegisterRef {
    FunctionId function = kNone;
    RegisterId reg = kNone;
  };
  RegisterRef register_of(term::Term variable) const;

  std::optional<FunctionId> find_function(std::string_view name) const;
  std::optional<FunctionId> find(FunctionRole role) const;
  std::optional<ObjectId> find(ObjectRole role) const;
  /// Of a parameter that is a pointer: the size of what it is declared to point to; 0 if that is not known.
  uint64_t pointee_size(const Function& function, RegisterId parameter) const;
  std::optional<ObjectId> find_object(std::string_view name) const;

  static uint64_t function_address(FunctionId f) { return layout::kFunctionBase + 16 * uint64_t{f}; }
  std::optional<FunctionId> function_at(uint64_t address) const;

  /// The static object that has this address inside it. Requires place_objects().
  std::optional<ObjectId> object_at(uint64_t address) const;

  /// Gives static objects their addresses: in order, aligned, with gaps. Call before terms mention them.
  void place_objects();

  /// "file.c:12" or "?".
  std::string where(const SourcePosition& position) const;

  /// Throws Error (internal) naming the first broken rule: widths, operand counts, edges out of order, ...
  void validate() const;

 private:
  Program(const Program&) = default;
  const Object* place_objects(uint64_t spread);  ///< the first that finds no room

  std::shared_ptr<term::Store> terms_;
  std::vector<RegisterRef> register_refs_;  ///< by variable number
};

/// Builds one function edge by edge; finish() sorts edges by source and marks loop heads.
class FunctionBuilder {
 public:
  FunctionBuilder(Program& program, FunctionId function) : program_(program), id_(function) {}
  LocationId location();  ///< a new one
  RegisterId reg(unsigned width, std::string name = {}, TypeId type = kNoType) { return program_.add_register(id_, width, std::move(name), type); }
  term::Term var(RegisterId reg) const { return program_.functions[id_].registers[reg].variable; }
  void edge(LocationId from, LocationId to, Statement statement);
  void finish(LocationId entry);

 private:
  Program& program_;
  FunctionId id_;
};

}  // namespace whittle::program
