// One LLVM function to one control-flow automaton.
//
// Pure instructions make no statement: their value is a term over registers, folded into the statement that uses it.
// Registers that hold variables (storage.h) are written again and again, so a pending term that mentions one is saved
// in a register of its own just before that variable changes (keep_pending).
//
// The parts: function_lowering.cpp (blocks, branches, phis), values.cpp (terms of values), operations.cpp (arithmetic
// and its checks), memory.cpp (loads, stores, atomics), bulk.cpp (copies), calls.cpp, known_calls.cpp (functions known by name),
// intrinsics.cpp, varargs.cpp.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "frontend/graph.h"
#include "frontend/module_info.h"
#include "frontend/pieces.h"
#include "frontend/storage.h"
#include "program/order.h"

namespace whittle::frontend {

class FunctionLowering {
 public:
  FunctionLowering(ModuleInfo& info, const llvm::Function& function, program::FunctionId id);
  /// Parameters and return width. Must have happened for all functions before the first run().
  static void declare(ModuleInfo& info, const llvm::Function& function, program::FunctionId id);
  void run();

 private:
  using Term = term::Term;
  using Statement = program::Statement;
  using Kind = program::Kind;
  using RegisterId = program::RegisterId;
  using LocationId = program::LocationId;
  /// The bit-vectors of a value; a default-made term is an undefined one.
  using Leaves = llvm::SmallVector<Term, 1>;

  // Statements (function_lowering.cpp)
  bool alive() const { return here_ != program::kNone; }
  Statement make(Kind kind) const;
  Statement make(Kind kind, std::initializer_list<RegisterId> targets, std::initializer_list<Term> operands) const;
  void emit(Statement statement);
  void end_path(Statement statement);  ///< for statements after which nothing follows
  void unsupported(const std::string& what);
  bool asked(verdict::Property property) const { return info_.options().specification.has(property); }
  bool ends_unasked(verdict::Property property) const;
  void error(verdict::Property property, std::string text);
  void check(Term condition, verdict::Property property, std::string text);
  void goto_location(LocationId target);
  RegisterId fresh(unsigned width) { return builder_.reg(width); }
  Term var(RegisterId reg) const { return builder_.var(reg); }
  term::Store& terms() { return info_.program().terms(); }
  Term pointer_constant(u128 value) { return terms().constant(info_.pointer_width(), value); }

  // Blocks (function_lowering.cpp)
  void enter_function();
  void enter_parameters();
  void make_arbitrary(const llvm::AllocaInst& variable);
  void enter_objects();
  void lower_block(const llvm::BasicBlock& block);
  void lower_instruction(const llvm::Instruction& instruction);
  void declare_locals(const llvm::Instruction& instruction);
  void lower_terminator(const llvm::Instruction& terminator);
  void lower_switch(const llvm::SwitchInst& choice);
  void lower_computed_goto(const llvm::IndirectBrInst& jump);
  void lower_return(const llvm::ReturnInst& instruction);
  void lower_unreachable(const llvm::UnreachableInst& instruction);
  void leave_function(Term value);
  void branch(Term condition, const llvm::BasicBlock& from, const llvm::BasicBlock& yes, const llvm::BasicBlock& no);
  void goto_block(const llvm::BasicBlock& from, const llvm::BasicBlock& to);
  void make_phi_registers(const llvm::PHINode& phi, const Layout& parts);
  void assign_phis(const llvm::BasicBlock& from, const llvm::BasicBlock& to);
  RegisterId named_register(unsigned width, const llvm::DILocalVariable* variable);
  RegisterId address_register(const llvm::DILocalVariable* variable);
  RegisterId declared(RegisterId reg, const llvm::DILocalVariable* variable);

  // Values (values.cpp)
  const Layout* layout(const llvm::Type* type);  ///< null after unsupported()
  Leaves leaves(const llvm::Value* value);
  Leaves constant_leaves(const llvm::Constant* constant);
  Term scalar(const llvm::Value* value);  ///< an undefined one becomes a Nondet here
  Leaves defined(const llvm::Value* value);
  Term defined(Term leaf, unsigned width);
  Term pack(llvm::ArrayRef<Term> leaves);
  Leaves unpack(Term packed, const Layout& layout);
  /// Notes the value of a pure instruction, saving it in a register if folding it would be wrong or wasteful.
  void set_pure(const llvm::Instruction& instruction, Leaves value);
  /// Notes the value of an instruction that has made a statement: terms over registers written once.
  void set_stable(const llvm::Instruction& instruction, Leaves value);
  RegisterId result_register(const llvm::Instruction& instruction, unsigned width);
  bool used_elsewhere(const llvm::Instruction& instruction) const;
  enum class Current : bool { Evaluated, Waiting };  ///< has the current instruction made terms of its operands?
  bool still_needed(const llvm::Instruction& instruction, Current current) const;
  /// Saves pending terms that mention a variable which is about to change: in `assign` if given (it reads before it
  /// writes), else by a statement of their own.
  void keep_pending(RegisterId about_to_change, Statement* assign, Current current = Current::Evaluated);
  void save(const llvm::Instruction& instruction, Statement& assign);
  void assign_variable(RegisterId reg, Term value);
  const llvm::StoreInst* direct_store(const llvm::Instruction& instruction, unsigned width) const;

  // Arithmetic (operations.cpp)
  bool lower_pure(const llvm::Instruction& instruction);
  Term binary(const llvm::BinaryOperator& op);
  Term binary(unsigned opcode, const llvm::Type* type, Term a, Term b);
  void check_binary(const llvm::BinaryOperator& op);
  void lower_check(const llvm::CallBase& call);
  void check_overflow(unsigned opcode, Term a, Term b);
  void check_division(Term a, Term b, bool is_signed);
  void check_amount(Term shifted, Term amount);
  Term compare(llvm::CmpInst::Predicate predicate, Term a, Term b);
  Term cast(unsigned opcode, const llvm::Type* from, const llvm::Type* to, Term value);
  Term float_to_integer(bool is_signed, Term x, unsigned width);
  bool is_cut_address(const llvm::CastInst& op) const;
  Term address(const llvm::GEPOperator& gep);
  Leaves select(const llvm::SelectInst& op);
  size_t first_leaf(llvm::Type* type, llvm::ArrayRef<unsigned> indices);
  Term shuffle(const llvm::ShuffleVectorInst& op);
  Term insert_element(const llvm::InsertElementInst& op);
  Term extract_element(const llvm::ExtractElementInst& op);
  template <typename F>
  Term elementwise(const llvm::Type* type, F f);  ///< f(i) for each element; a scalar is one element
  Term element(const llvm::Type* type, Term vector, unsigned i);
  Term overflows(unsigned opcode, bool is_signed, Term a, Term b);

  // Integers of more than 128 bits (wide.cpp)
  bool is_wide(const llvm::Type* type) const;
  void lower_wide(const llvm::Instruction& instruction);
  Term wide_bits(llvm::ArrayRef<Term> limbs, unsigned low, unsigned width, Term fill);
  Leaves wide_window(llvm::ArrayRef<Term> limbs, int64_t offset, const Layout& layout, Term fill);

  // long double (long_double.cpp)
  static bool is_long_double(const llvm::Type* type);
  void refuse_if(Term condition, const char* what);  ///< unsupported, on paths where it holds
  Term long_double_operation(unsigned opcode, Term a, Term b);
  Term long_double_from_integer(bool is_signed, Term value);
  /// The bits of a leaf as memory has them, in `width` bits, and back.
  Term to_memory(const Leaf& leaf, Term value, unsigned width);
  Term from_memory(const Leaf& leaf, Term bits);

  // Memory (memory.cpp)
  void lower_alloca(const llvm::AllocaInst& alloca);
  void allocate(const llvm::AllocaInst& alloca, Term size);
  void lower_load(const llvm::LoadInst& load);
  void lower_store(const llvm::StoreInst& store);
  void lower_rmw(const llvm::AtomicRMWInst& rmw);
  void lower_cas(const llvm::AtomicCmpXchgInst& cas);
  void lower_fence(const llvm::FenceInst& fence);
  using Order = program::Order;
  using Atomic = std::optional<Order>;  ///< the order of an atomic access; nothing for a plain one
  Statement access(Kind kind, Term address, unsigned width, uint64_t align, bool local, Atomic atomic) const;
  void load_into(RegisterId target, Term address, unsigned width, uint64_t align, bool local, Atomic atomic = {});
  void store_to(Term address, Term value, uint64_t align, bool local, Atomic atomic = {});
  struct ScalarAccess {
    const llvm::Value* pointer;
    uint64_t align;
    bool local;
    Atomic atomic;
  };
  void load_scalar(RegisterId target, Term address, unsigned width, const ScalarAccess& access);
  void store_scalar(Term address, Term value, const ScalarAccess& access);
  void forget(const llvm::AllocaInst& object);

  // What is more than one step where others look on (bulk.cpp)
  struct Bulk {
    Term to, from, size;
    bool private_to = false, private_from = false;  ///< no other thread ever has its address
    bool overlap = false;                           ///< memmove
    std::vector<Pieces> pieces;                     ///< none: bytes
  };
  bool may_tear(bool local) const;
  template <typename F>
  void each_piece(const Pieces& pieces, F piece);
  template <typename F>
  void loop(Term end, uint64_t step, F body);
  template <typename Yes, typename No>
  void either(Term condition, Yes yes, No no);
  Term is_shared(Term address);
  Term settled(Term term);
  void copy(Term to, Term from, Term size, bool local);  ///< in one step
  void copy_piece(const Bulk& bulk, Term offset, unsigned size);
  void copy_bulk(Bulk bulk);
  void fill_bulk(Term to, Term byte, Term size, uint64_t align, bool local);
  void lower_copy(const llvm::MemTransferInst& call);
  std::vector<Pieces> scalar_pieces(const llvm::Value* pointer, unsigned width, uint64_t align) const;

  // Calls (calls.cpp, varargs.cpp)
  void lower_call(const llvm::CallBase& call);
  class Assembly;
  void lower_assembly(const llvm::CallBase& call);
  void call_function(const llvm::CallBase& call, const llvm::Function& callee);
  void call_pointer(const llvm::CallBase& call);
  enum class Fit { Exact, Adapted, No };
  Fit fit(const llvm::CallBase& call, const llvm::Function& target, program::FunctionId id, llvm::ArrayRef<Term> given,
          unsigned result_width) const;
  void call_adapted(const llvm::CallBase& call, program::FunctionId id, llvm::ArrayRef<Term> given, RegisterId result);
  void call_unknown(const llvm::CallBase& call, const llvm::Function& callee);
  void bind_result(const llvm::CallBase& call, RegisterId packed, unsigned packed_width);
  std::vector<Term> fit_arguments(const llvm::CallBase& call, program::FunctionId callee);
  void nondet_result(const llvm::CallBase& call, const std::string& origin, bool input);
  /// Puts arguments from number `first` on into a new stack object; its address, or null if there are none. `mark` is
  /// to be restored after the call.
  Term variable_arguments(const llvm::CallBase& call, unsigned first, Term& mark);
  void va_start(const llvm::CallBase& call);
  void va_copy(const llvm::CallBase& call);
  Term nondet(unsigned width, const std::string& origin, bool input);

  // Functions known by name (known_calls.cpp, known_atomics.cpp). True: the call has been lowered.
  bool lower_known(const llvm::CallBase& call, const llvm::Function& callee);
  bool lower_primitive(const llvm::CallBase& call, llvm::StringRef name);
  bool lower_verifier(const llvm::CallBase& call, llvm::StringRef name);
  bool lower_fallback(const llvm::CallBase& call, llvm::StringRef name);
  bool lower_bulk(const llvm::CallBase& call, llvm::StringRef name);
  void lower_input(const llvm::CallBase& call, llvm::StringRef name);
  Term condition_argument(const llvm::CallBase& call, llvm::StringRef name);
  bool lower_atomic_library(const llvm::CallBase& call, llvm::StringRef name);
  void nondet_memory(const llvm::CallBase& call, Term object, Term size);
  void halt(Term status, const char* kind);
  Term argument(const llvm::CallBase& call, unsigned i, unsigned width);  ///< zero-extended or cut; Nondet if missing
  void set_result(const llvm::CallBase& call, Term value);
  std::string literal(const llvm::CallBase& call, unsigned i, const char* otherwise);

  // Intrinsics (intrinsics.cpp)
  void lower_intrinsic(const llvm::IntrinsicInst& call);
  bool lower_memory_intrinsic(const llvm::IntrinsicInst& call);
  bool lower_integer_intrinsic(const llvm::IntrinsicInst& call);
  bool lower_vector_intrinsic(const llvm::IntrinsicInst& call);
  bool lower_float_intrinsic(const llvm::IntrinsicInst& call);
  Term fp_class(Term value, unsigned mask);
  Term count_ones(Term value);
  Term count_leading_zeros(Term value);
  Term reverse(Term value, unsigned chunk);

  struct Value {
    Leaves leaves;
    llvm::SmallVector<RegisterId, 2> variables;  ///< registers of variables that the leaves mention
    unsigned size = 0;                           ///< operations in it, counted as a tree, up to a limit
  };

  ModuleInfo& info_;
  const llvm::Function& function_;
  program::FunctionId id_;
  program::FunctionBuilder builder_;
  LocalStorage storage_;
  Graph graph_;
  LocationId here_ = program::kNone;
  program::SourcePosition position_;
  const llvm::Instruction* current_ = nullptr;

  llvm::DenseMap<const llvm::Value*, Value> values_;
  std::vector<const llvm::Instruction*> pending_;  ///< of this block, folded, mentioning variables
  llvm::DenseMap<const llvm::AllocaInst*, RegisterId> variable_registers_;
  llvm::DenseMap<RegisterId, const llvm::AllocaInst*> register_variables_;
  llvm::DenseSet<const llvm::StoreInst*> done_stores_;  ///< their value was put into the variable by its own statement
  llvm::DenseMap<const llvm::DIScope*, program::Extent> scopes_;  ///< where the statements of a block of the source are
  llvm::DenseMap<const llvm::BasicBlock*, LocationId> block_locations_;
  llvm::DenseMap<const llvm::BasicBlock*, unsigned> block_order_;
  std::set<std::pair<unsigned, const llvm::BasicBlock*>> work_;  ///< reached blocks that are to be lowered
  llvm::DenseSet<const llvm::BasicBlock*> reached_;
  std::unordered_map<const llvm::Type*, std::optional<Layout>> layouts_;
  Term variable_area_;  ///< hidden parameter: where the variable arguments are
  unsigned condition_depth_ = 0;
  bool atomic_ = false;  ///< the whole function is one atomic region
};

}  // namespace whittle::frontend
