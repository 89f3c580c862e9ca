// Inside of assembly.cpp and assembly_instructions.cpp: one inline assembly while it is lowered.
#pragma once

#include <llvm/IR/InlineAsm.h>

#include <deque>
#include <optional>

#include "frontend/function_lowering.h"

namespace whittle::frontend {

inline bool is_one_of(llvm::StringRef word, std::initializer_list<llvm::StringRef> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Its operands, the flags, and what its instructions have done to them so far.
class FunctionLowering::Assembly {
 public:
  Assembly(FunctionLowering& lowering, const llvm::CallBase& call);
  void run();

 private:
  using Constraint = llvm::InlineAsm::ConstraintInfo;
  struct Operand {
    const Constraint* constraint = nullptr;
    bool memory = false;
    Term address, value;  ///< of memory; of a register, default-made while it holds nothing
    unsigned width = 0;
    size_t same_as = SIZE_MAX;  ///< the output that this input shares a register with
  };
  /// What an instruction names: an operand, a constant, or memory whose address is computed.
  struct Place {
    size_t operand = SIZE_MAX;
    std::optional<int64_t> constant;
    unsigned width = 0;  ///< that the text asks for: ${0:b}, %cl; 0: none
    Term address;
  };

  // Operands (assembly.cpp)
  void read_operands();
  void share_register(Operand& input);
  bool take_flags();
  void hand_back();
  size_t resolved(size_t operand) const { return operands_[operand].same_as != SIZE_MAX ? operands_[operand].same_as : operand; }
  Place machine_register(llvm::StringRef name, unsigned width);
  std::optional<Place> parse(llvm::StringRef text);
  std::optional<Place> parse_register(llvm::StringRef text);
  std::optional<Place> parse_address(llvm::StringRef text);
  bool is_memory(const Place& place) const { return place.address || (place.operand != SIZE_MAX && operands_[place.operand].memory); }
  bool is_writable(const Place& place) const { return place.operand != SIZE_MAX || place.address; }
  Term address_of(const Place& place) const { return place.address ? place.address : operands_[place.operand].address; }
  unsigned width_of(const Place& place) const;
  Term read(const Place& place, unsigned width);
  Term load(Term address, unsigned width);
  void write(const Place& place, Term value);
  bool any_results();

  // Instructions (assembly_instructions.cpp). False: not known.
  bool execute(llvm::StringRef instruction);
  bool perform(llvm::StringRef name, const std::vector<Place>& places);
  bool without_operands(llvm::StringRef name);
  bool fill_words(llvm::StringRef name);
  bool extend(llvm::StringRef name, const Place& from, const Place& to);
  bool shift(llvm::StringRef name, const Place* count, const Place& to, unsigned width);
  bool multiply(llvm::StringRef name, const Place& by, unsigned width);
  bool exchange_pair(unsigned width, const Place& to);
  bool one(llvm::StringRef name, const Place& to, unsigned width);
  bool two(llvm::StringRef name, const Place& from, const Place& to, unsigned width);
  bool compare_exchange(Term source, const Place& to, unsigned width);
  bool add_or_subtract(llvm::StringRef name, Term source, const Place& to, unsigned width);
  bool bit_test(llvm::StringRef name, const Place& from, const Place& to, unsigned width);
  void set_result(Term value);
  void forget_flags() { zero_ = sign_ = carry_ = overflow_ = Term(); }
  Term condition(llvm::StringRef which);
  bool set_flag(llvm::StringRef which, const Place& to);

  FunctionLowering& f_;
  const llvm::CallBase& call_;
  const llvm::InlineAsm::ConstraintInfoVector constraints_;
  std::deque<Constraint> scratch_;  ///< of registers that only the text names
  std::string text_;
  std::vector<Operand> operands_;
  Term zero_, sign_, carry_, overflow_;  ///< flags; default-made: not known
};

}  // namespace whittle::frontend
