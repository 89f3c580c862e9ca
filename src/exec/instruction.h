// The register code that programs are compiled to.
//
// A frame is an array of 64-bit slots: registers first (those wider than 64 bits take two), then temporaries, which
// live no longer than one statement. A value of w bits is kept zero-extended. Arguments are put where the callee's
// frame begins: at the first temporary of the caller, whose temporaries are dead during the call.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "exec/code.h"
#include "exec/races.h"

namespace whittle::exec {

// d, a, b: slots unless said otherwise. Comments give the meaning; imm is the 64-bit field, lo and hi its halves.
#define WHITTLE_OPCODES(X)                                                                                             \
  X(Const) /* d := imm */                                                                                              \
  X(Move)  /* d := a */                                                                                                \
  X(Move2) /* d,d+1 := a,a+1 */                                                                                        \
  X(Add32)                                                                                                             \
  X(Add64)                                                                                                             \
  X(AddM)                                                                                                              \
  X(Sub32)                                                                                                             \
  X(Sub64)                                                                                                             \
  X(SubM)                                                                                                              \
  X(Mul32) X(Mul64) X(MulM)                                                                       /* ..M: & imm */     \
      X(Add32I) X(Add64I) X(AddMI) X(Mul32I) X(Mul64I) X(And) X(Or) X(Xor) X(AndI) X(OrI) X(XorI) /* ..I: imm */       \
      X(MulAdd64)     /* d := a + b * imm */                                                                           \
      X(SExtMulAdd64) /* d := a + sign_extend(b from 32 bits) * imm */                                                 \
      X(UDiv) X(URem) /* imm: mask */ X(SDiv32) X(SRem32) X(SDivW) X(SRemW) X(ShlW) X(LShrW) X(AShrW) /* imm: width */ \
      X(NegM) X(Eq) X(Ult) X(Ule) X(SltS) X(SleS) /* imm: 64 - width */ X(EqI) X(NeI)                                  \
          X(Ite) /* d := a ? b : slot lo */                                                                            \
      X(Extract) /* d := (a >> b) & imm; b is a number */                                                              \
      X(SExt)    /* d := sign_extend(a from b bits) & imm */                                                           \
      X(Concat)  /* d := a << imm | b */                                                                               \
      X(FAdd32) X(FSub32) X(FMul32) X(FDiv32) X(FLt32) X(FLe32) X(FEq32) X(FAdd64) X(FSub64) X(FMul64) X(FDiv64)       \
          X(FLt64) X(FLe64) X(FEq64) X(Apply) /* anything else: applications[lo] */                                    \
      X(Jump)                                 /* to lo; d: statements to count, as in all branches */                  \
      X(Br)                                   /* a ? lo : hi */                                                        \
      X(BrEq) X(BrUlt) X(BrSlt32) X(BrSlt64)  /* a op b ? lo : hi */                                                   \
      X(BrEqI) X(BrUltI) X(BrUgtI) X(BrSlt32I) X(BrSgt32I) X(BrSlt64I) X(BrSgt64I) /* b is a 16-bit number */          \
      X(Switch)                                                                    /* on a: switches[lo] */            \
      X(LoadS8) X(LoadS16) X(LoadS32) X(LoadS64)     /* d := static memory at lo; hi: edge; b: count */                \
      X(LoadC8) X(LoadC16) X(LoadC32) X(LoadC64)     /* the same, invisible to other threads */                        \
      X(Load8) X(Load16) X(Load32) X(Load64)         /* d := memory at a + signed lo; hi: edge; b: count */            \
      X(StoreS8) X(StoreS16) X(StoreS32) X(StoreS64) /* static memory at lo := b; hi: edge; d: count */                \
      X(StoreC8) X(StoreC16) X(StoreC32) X(StoreC64) X(Store8) X(Store16) X(Store32)                                   \
          X(Store64) /* memory at a + signed lo := b; hi: edge; d: count */                                            \
      X(Call)        /* calls[lo]; d: count */                                                                         \
      X(Return)      /* a: value (kNoSlot: none); b: slots of it; d: count */                                          \
      X(Fail)        /* the Check of edge hi does not hold */                                                          \
      X(Prune)       /* the assumption of edge hi does not hold */                                                     \
      X(Slow)        /* slow[lo]: every other statement; d: count */                                                   \
      X(Mark)        /* statement of edge hi begins (only in the stream for listeners) */

enum class Opcode : uint16_t {
#define X(name) name,
  WHITTLE_OPCODES(X)
#undef X
};

struct Instruction {
  Opcode op;
  uint16_t d = 0, a = 0, b = 0;
  union {
    uint64_t imm = 0;
    struct {
      uint32_t lo, hi;
    };
  };
};
static_assert(sizeof(Instruction) == 16);

constexpr uint16_t kNoSlot = 0xffff;

// Word `hi` of memory accesses: edge in the low 24 bits, log2 of the alignment demanded, `local` in the top bit.
constexpr uint32_t kEdgeMask = 0xffffff;
constexpr unsigned kAlignShift = 24;
constexpr uint32_t kLocalBit = 1u << 31;

/// An operand or a target of a statement: where it is and how wide.
struct SlotRef {
  uint16_t slot = kNoSlot;
  uint16_t width = 0;
};

struct Application {
  term::Op op;
  uint16_t width, low, kid_count;
  SlotRef result;
  SlotRef kids[3];
};

/// A switch on one term: binary search over values, else `otherwise`. (After that it is an ordinary chain of branches.)
struct SwitchTable {
  std::vector<std::pair<uint64_t, uint32_t>> cases;  ///< value, target; sorted
  uint32_t otherwise = 0;
};

struct CallSite {
  program::FunctionId callee = program::kNone;  ///< kNone: indirect
  uint32_t edge = 0;
  SlotRef target;
  program::LocationId to = 0;
};

/// A statement that is executed by a function of its own.
struct SlowStatement {
  const program::Statement* statement = nullptr;
  uint32_t edge = 0;
  uint32_t call = 0;  ///< IndirectCall: its call site
  std::vector<SlotRef> operands;
  std::vector<SlotRef> targets;
};

/// Bytes that a dynamic object takes in its area: a gap after it makes overruns land outside of other objects.
/// Wide as long as there is room: an index that is off should not hit the next object.
constexpr uint64_t place_size(uint64_t size, bool wide) {
  uint64_t least = wide ? 1024 : 32, most = wide ? 65536 : 32;
  uint64_t gap = size < least ? least : size > most ? most : size;
  return (size + gap + 63) / 64 * 64;
}
constexpr uint64_t kLargeObject = 64;

/// Which registers of a frame are part of a state, and how they are packed.
struct Layout {
  struct Item {
    uint16_t slot;
    uint16_t bytes;
    program::RegisterId reg;
  };
  std::vector<Item> items;
  uint32_t bytes = 0;
};

struct Stream {
  std::vector<Instruction> code;
  std::vector<uint32_t> entry;  ///< by location
  /// Branches and jumps, by address, and the location from which each is executed again.
  std::vector<std::pair<uint32_t, program::LocationId>> branches;
  program::LocationId location_of_branch(uint32_t instruction) const;
};

struct FunctionCode {
  const program::Function* function = nullptr;
  program::FunctionId id = 0;
  std::vector<uint16_t> slot;  ///< by register
  uint32_t register_slots = 0;
  uint32_t total_slots = 0;
  bool too_large = false;  ///< more slots than the format can address: calling it is a Cut
  Stream streams[2];       ///< fast; with Mark before every statement
  std::vector<Application> applications;
  std::vector<SwitchTable> switches;
  std::vector<CallSite> calls;
  std::vector<uint32_t> call_of_edge;  ///< by edge: index into calls, or kNone
  std::vector<SlowStatement> slow;
  std::vector<uint16_t> zeroed;  ///< slots that a new frame must clear
  uint32_t first_location = 0;   ///< number of location 0 among those of all functions
  /// By location: the layout of a frame that stands there, and (if its edge is a call) of one that waits for that call.
  std::vector<uint32_t> top_layout, waiting_layout;
  std::vector<Layout> layouts;
};

/// A static object as the machine sees it.
struct StaticObject {
  uint64_t address = 0;
  uint64_t size = 0;
  uint32_t host = 0;  ///< offset in the image; those below CodeImpl::saved_bytes are part of states
  bool constant = false;
  bool frozen = false;  ///< nothing writes it: not part of states (constants are frozen, too)
  program::ObjectId id = 0;
};

class CodeImpl {
 public:
  CodeImpl(const program::Program& program, const verdict::Specification& specification, const Options& options);

  const program::Program& program;
  const verdict::Specification& specification;
  const Options options;
  const bool check_races;  ///< states have a part about races (races.h) only then
  WeakOrders orders;       ///< if races are checked
  std::vector<FunctionCode> functions;
  uint64_t location_count = 0;
  unsigned location_bytes = 2;
  uint64_t pointer_mask = 0;
  unsigned pointer_bytes = 8;

  std::vector<StaticObject> statics;  ///< by address
  std::vector<uint32_t> granules;     ///< static area / 16: index into statics + 1, or 0
  std::vector<uint8_t> image;         ///< initial bytes: saved objects first
  uint32_t saved_bytes = 0;
  /// The saved part of the image has small objects first, which take all their bytes in a state. Of each large one
  /// after them a state has only the bytes up to the last one that differs from its initial value.
  uint32_t fixed_bytes = 0;
  std::vector<uint32_t> large;                ///< indices into statics, by host offset
  std::vector<uint64_t> thread_local_offset;  ///< by object: from the begin of a thread's stack area
  uint64_t thread_local_bytes = 0;

  /// The static object that has the address inside it or ends right at it; null if none.
  const StaticObject* static_at(uint64_t address) const {
    uint64_t offset = address - program::layout::kStaticBase;
    if (offset >> 4 >= granules.size()) return nullptr;
    uint32_t index = granules[offset >> 4];
    if (index == 0) return nullptr;
    const StaticObject& object = statics[index - 1];
    return address - object.address <= object.size ? &object : nullptr;
  }
  /// Location number among those of all functions, and back.
  uint64_t global_location(const FunctionCode& f, program::LocationId l) const { return f.first_location + l; }
  std::pair<program::FunctionId, program::LocationId> local_location(uint64_t global) const {
    const FunctionCode& f = functions[function_of_location[global]];
    return {f.id, static_cast<program::LocationId>(global - f.first_location)};
  }
  std::vector<program::FunctionId> function_of_location;
};

/// Fills `code` for one function. Statics must be placed already.
void compile(CodeImpl& impl, FunctionCode& code);
/// Layouts of states, after compile().
void lay_out(CodeImpl& impl, FunctionCode& code);
/// Decides which static objects are part of states, and builds the image.
void place_statics(CodeImpl& impl);

}  // namespace whittle::exec
