#include "frontend/scopes.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <optional>

#include "frontend/storage.h"

namespace whittle::frontend {
namespace {

/// Is `inner` the scope `outer` or one inside it?
bool within(const llvm::DIScope* inner, const llvm::DIScope* outer) {
  for (; inner; inner = inner->getScope())
    if (inner == outer) return true;
  return false;
}

/// The instruction that begins to fill a compound literal, or null if the object is none.
llvm::Instruction* literal_start(const llvm::AllocaInst& object) {
  if (!object.getName().starts_with(".compoundliteral")) return nullptr;
  for (llvm::BasicBlock& code : const_cast<llvm::Function&>(*object.getFunction()))
    for (llvm::Instruction& instruction : code)
      if (llvm::is_contained(instruction.operands(), &object) && instruction.getDebugLoc()) return &instruction;
  return nullptr;
}

/// The inner block in which a variable is declared or a compound literal stands, or null.
const llvm::DIScope* block_of(const llvm::AllocaInst& object) {
  const llvm::DILocalVariable* source = declared_variable(&object);
  const llvm::DIScope* scope = source ? source->getScope() : nullptr;
  if (const llvm::Instruction* start = source ? nullptr : literal_start(object)) scope = start->getDebugLoc()->getScope();
  while (auto* file = llvm::dyn_cast_or_null<llvm::DILexicalBlockFile>(scope)) scope = file->getScope();
  return llvm::isa_and_nonnull<llvm::DILexicalBlock>(scope) ? scope : nullptr;
}

/// Finds out whether an address can be kept: by memory that lives longer, or by a function that it is given to.
class Captures {
 public:
  /// Can somebody still have the object's address when its block has ended?
  bool outlives(const llvm::AllocaInst& object, const llvm::DIScope* block) { return keeps(object, block); }

 private:
  bool keeps(const llvm::Value& address, const llvm::DIScope* block) {
    llvm::SmallVector<const llvm::Value*, 16> work{&address};
    llvm::DenseSet<const llvm::Value*> seen{&address};
    auto follow = [&](const llvm::Value* value) {
      if (seen.insert(value).second) work.push_back(value);
    };
    while (!work.empty()) {
      const llvm::Value* pointer = work.pop_back_val();
      for (const llvm::Use& use : pointer->uses()) {
        const llvm::User* user = use.getUser();
        if (llvm::isa<llvm::LoadInst, llvm::ICmpInst, llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(user)) {
          // Only where it is the value that is put into memory it is kept.
          if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(user) && use.getOperandNo() != 0) return true;
        } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
          if (use.getOperandNo() != 0) continue;
          auto* holder = llvm::dyn_cast<llvm::AllocaInst>(store->getPointerOperand());
          if (!holder || !is_plain(*holder)) return true;
          if (block && !within(block_of(*holder), block)) return true;
          for (const llvm::User* reader : holder->users())
            if (llvm::isa<llvm::LoadInst>(reader)) follow(reader);
        } else if (llvm::isa<llvm::GetElementPtrInst, llvm::BitCastInst, llvm::PHINode, llvm::SelectInst>(user)) {
          follow(user);
        } else if (auto* call = llvm::dyn_cast<llvm::CallBase>(user)) {
          if (kept_by(*call, use)) return true;
        } else {
          return true;
        }
      }
    }
    return false;
  }

  /// A variable of a pointer type that is only loaded and stored.
  static bool is_plain(const llvm::AllocaInst& holder) {
    return llvm::all_of(holder.uses(), [](const llvm::Use& use) {
      return llvm::isa<llvm::LoadInst>(use.getUser()) ||
             (llvm::isa<llvm::StoreInst>(use.getUser()) && use.getOperandNo() == 1);
    });
  }

  bool kept_by(const llvm::CallBase& call, const llvm::Use& use) {
    if (!call.isArgOperand(&use)) return true;
    if (llvm::isa<llvm::MemIntrinsic, llvm::DbgInfoIntrinsic>(call)) return false;
    if (auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call)) return !intrinsic->isLifetimeStartOrEnd();
    const llvm::Function* callee = call.getCalledFunction();
    unsigned number = call.getArgOperandNo(&use);
    if (call.isByValArgument(number)) return false;
    if (!callee) return true;
    // A function without a body changes nothing; of the primitives only this one keeps what it is given.
    if (callee->isDeclaration()) return callee->getName() == "__whittle_spawn";
    if (number >= callee->arg_size()) return true;
    const llvm::Argument* parameter = callee->getArg(number);
    auto [found, fresh] = parameters_.try_emplace(parameter, true);  // in a recursion: kept
    if (!fresh) return found->second;
    bool kept = keeps(*parameter, nullptr);
    return parameters_[parameter] = kept;
  }

  llvm::DenseMap<const llvm::Argument*, bool> parameters_;
};

/// Where in a function control is inside of one block of the source.
class Inside {
 public:
  Inside(const llvm::Function& function, const llvm::DIScope* block) : block_(block) {
    // Code without locations belongs to what follows it, or else to what comes before.
    for (const llvm::BasicBlock& code : function) {
      std::optional<bool> state;
      for (const llvm::Instruction& instruction : code) {
        if (!state) first_[&code] = state = place(instruction);
        if (std::optional<bool> now = place(instruction)) state = now;
      }
      if (!state) first_.erase(&code);
      last_[&code] = state.value_or(false);
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (const llvm::BasicBlock& code : function)
        if (!first_.contains(&code)) changed |= settle(code);
    }
  }
  bool before(const llvm::BasicBlock& code) const {
    auto found = first_.find(&code);
    return found != first_.end() && found->second.value_or(false);
  }
  bool behind(const llvm::BasicBlock& code) const { return last_.find(&code)->second; }
  std::optional<bool> place(const llvm::Instruction& instruction) const {
    const llvm::DILocation* location = instruction.getDebugLoc().get();
    if (!location || location->getLine() == 0) return std::nullopt;
    return within(location->getScope(), block_);
  }

 private:
  bool settle(const llvm::BasicBlock& code) {
    std::optional<bool> state;
    for (const llvm::BasicBlock* next : llvm::successors(&code))
      if (first_.contains(next)) state = state.value_or(false) || before(*next);
    if (!state) {
      for (const llvm::BasicBlock* previous : llvm::predecessors(&code))
        if (first_.contains(previous)) state = state.value_or(false) || behind(*previous);
    }
    if (!state) return false;
    first_[&code] = state;
    last_[&code] = *state;
    return true;
  }

  const llvm::DIScope* block_;
  llvm::DenseMap<const llvm::BasicBlock*, std::optional<bool>> first_;
  llvm::DenseMap<const llvm::BasicBlock*, bool> last_;
};

/// Where the declaration of a variable stands, or null.
llvm::Instruction* declaration(llvm::Function& function, const llvm::AllocaInst& object) {
  for (llvm::BasicBlock& code : function)
    for (llvm::Instruction& instruction : code) {
      bool found = false;
      for_each_declared(instruction, [&](const llvm::AllocaInst* other) { found |= other == &object; });
      if (found) return &instruction;
    }
  return literal_start(object);
}

void end_with_block(llvm::Function& function, llvm::AllocaInst& object, const llvm::DIScope* block) {
  llvm::Instruction* declared = declaration(function, object);
  if (!declared || llvm::isa<llvm::PHINode>(declared)) return;
  llvm::DominatorTree tree(function);
  for (const llvm::Use& use : object.uses()) {
    auto* user = llvm::cast<llvm::Instruction>(use.getUser());
    if (user != declared && !tree.dominates(declared, use)) return;
  }
  Inside inside(function, block);
  llvm::SmallVector<llvm::Instruction*> exits;                                // the block has ended before these
  llvm::SmallVector<std::pair<llvm::BasicBlock*, llvm::BasicBlock*>> leaves;  // and on these edges
  for (llvm::BasicBlock& code : function) {
    bool before = inside.before(code);
    for (llvm::Instruction& instruction : code) {
      bool now = inside.place(instruction).value_or(before);
      if (before && !now && tree.dominates(declared, &instruction)) exits.push_back(&instruction);
      before = now;
    }
    if (!before || !(code.getTerminator() == declared || tree.dominates(declared, code.getTerminator()))) continue;
    for (llvm::BasicBlock* next : llvm::successors(&code)) {
      // A loop that comes to the declaration again has left the block in between, even where nothing lies outside.
      bool again = tree.dominates(next, declared->getParent()) && tree.dominates(next, &code);
      if ((again || !inside.before(*next)) && !llvm::is_contained(leaves, std::pair(&code, next)))
        leaves.emplace_back(&code, next);
    }
  }
  // Declarations hang before instructions; what is inserted comes before those too.
  auto before_declarations = [](llvm::Instruction* at) {
    llvm::BasicBlock::iterator place = at->getIterator();
    place.setHeadBit(true);
    return place;
  };
  llvm::IRBuilder<> builder(function.getContext());
  builder.SetInsertPoint(before_declarations(declared));
  llvm::Value* mark = builder.CreateStackSave();
  object.moveBefore(*declared->getParent(), before_declarations(declared));
  auto restore = [&](llvm::Instruction* at) {
    builder.SetInsertPoint(before_declarations(at));
    builder.CreateStackRestore(mark);
  };
  for (llvm::Instruction* exit : exits) restore(exit);
  for (auto [from, to] : leaves) restore(llvm::SplitEdge(from, to)->getTerminator());
}

}  // namespace

void end_objects_of_blocks(llvm::Module& module) {
  Captures captures;
  std::vector<std::pair<llvm::Function*, llvm::AllocaInst*>> objects;
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    for (llvm::Instruction& instruction : function.getEntryBlock()) {
      auto* object = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
      if (!object || !object->isStaticAlloca()) continue;
      const llvm::DIScope* block = block_of(*object);
      if (block && captures.outlives(*object, block)) objects.emplace_back(&function, object);
    }
  }
  for (auto [function, object] : objects) end_with_block(*function, *object, block_of(*object));
}

}  // namespace whittle::frontend
