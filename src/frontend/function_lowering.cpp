#include "frontend/function_lowering.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>

#include <algorithm>

#include "base/error.h"

namespace whittle::frontend {

using program::kNone;

namespace {

/// `__VERIFIER_atomic_foo` runs as one step; begin and end are the brackets themselves.
bool is_atomic_function(llvm::StringRef name) {
  return name.starts_with("__VERIFIER_atomic_") && name != "__VERIFIER_atomic_begin" && name != "__VERIFIER_atomic_end";
}

/// Total width of the leaves, 0 if that is more than one register holds.
unsigned packed_width(const std::optional<Layout>& layout) {
  if (!layout) return 0;
  unsigned width = 0;
  for (const Leaf& leaf : *layout) width += leaf.width;
  return width <= 128 ? width : 0;
}

}  // namespace

FunctionLowering::FunctionLowering(ModuleInfo& info, const llvm::Function& function, program::FunctionId id)
    : info_(info), function_(function), id_(id), builder_(info.program(), id), storage_(function, info.data()) {
  atomic_ = is_atomic_function(function.getName());
}

void FunctionLowering::declare(ModuleInfo& info, const llvm::Function& function, program::FunctionId id) {
  program::Program& program = info.program();
  for (const llvm::Argument& argument : function.args()) {
    std::optional<Layout> layout = layout_of(argument.getType(), info.data());
    if (!layout) continue;  // run() makes the whole function unsupported
    const llvm::DILocalVariable* source = declared_variable(&argument);
    if (!source) source = valued_variable(&argument);
    if (!source && argument.hasOneUse()) {
      const llvm::User* user = *argument.user_begin();
      if (llvm::isa<llvm::ZExtInst>(user) && user->hasOneUse()) user = *user->user_begin();  // a _Bool is a byte in memory
      if (auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) source = declared_variable(store->getPointerOperand());
    }
    for (const Leaf& leaf : *layout) {
      bool named = source && layout->size() == 1 && !argument.hasByValAttr();
      const program::RegisterId made = program.add_register(id, leaf.width, named ? source->getName().str() : "",
                                                            named ? info.debug().type(source->getType()) : program::kNoType);
      if (named) program.functions[id].registers[made].argument = source->getArg();
    }
  }
  if (function.isVarArg() && !info.opaque(function)) program.add_register(id, info.pointer_width(), "...");
  program::Function& made = program.functions[id];
  made.parameter_count = static_cast<uint32_t>(made.registers.size());
  made.return_width = packed_width(layout_of(function.getReturnType(), info.data()));
}

FunctionLowering::Statement FunctionLowering::make(Kind kind) const {
  Statement statement;
  statement.kind = kind;
  statement.position = position_;
  return statement;
}

FunctionLowering::Statement FunctionLowering::make(Kind kind, std::initializer_list<RegisterId> targets,
                                                   std::initializer_list<Term> operands) const {
  Statement statement = make(kind);
  statement.targets = targets;
  statement.operands = operands;
  return statement;
}

void FunctionLowering::emit(Statement statement) {
  if (!alive()) return;
  LocationId next = graph_.location();
  graph_.edge(here_, next, std::move(statement));
  here_ = next;
}

void FunctionLowering::end_path(Statement statement) {
  if (!alive()) return;
  graph_.edge(here_, kNone, std::move(statement));
  here_ = kNone;
}

void FunctionLowering::unsupported(const std::string& what) {
  Statement statement = make(Kind::Unsupported);
  statement.text = what;
  end_path(std::move(statement));
}

/// A failed assertion that is not asked about ends the program, as abort() does.
bool FunctionLowering::ends_unasked(verdict::Property property) const {
  return property == verdict::Property::UnreachCall && !info_.options().specification.has(property);
}

void FunctionLowering::error(verdict::Property property, std::string text) {
  if (ends_unasked(property)) return halt(terms().constant(32, 134), "abort");
  Statement statement = make(Kind::Error);
  statement.property = property;
  statement.text = std::move(text);
  end_path(std::move(statement));
}

void FunctionLowering::check(Term condition, verdict::Property property, std::string text) {
  if (condition.is_true()) return;
  if (ends_unasked(property)) {
    LocationId fork = here_;
    emit(make(Kind::Assume, {}, {terms().bnot(condition)}));
    halt(terms().constant(32, 134), "abort");
    here_ = fork;
    return emit(make(Kind::Assume, {}, {condition}));
  }
  Statement statement = make(Kind::Check, {}, {condition});
  statement.property = property;
  statement.text = std::move(text);
  emit(std::move(statement));
}

void FunctionLowering::goto_location(LocationId target) {
  if (!alive()) return;
  graph_.edge(here_, target, make(Kind::Skip));
  here_ = kNone;
}

FunctionLowering::RegisterId FunctionLowering::named_register(unsigned width, const llvm::DILocalVariable* variable) {
  if (!variable) return fresh(width);
  return declared(builder_.reg(width, variable->getName().str(), info_.debug().type(variable->getType())), variable);
}

/// For the address of a variable that is an object.
FunctionLowering::RegisterId FunctionLowering::address_register(const llvm::DILocalVariable* variable) {
  if (!variable) return builder_.reg(info_.pointer_width(), "", program::kNoType);
  return declared(builder_.reg(info_.pointer_width(), "", info_.debug().pointer_to(variable->getType())), variable);
}

/// Says which parameter the variable is, and where in the source it is known.
FunctionLowering::RegisterId FunctionLowering::declared(RegisterId reg, const llvm::DILocalVariable* variable) {
  program::Register& made = info_.program().functions[id_].registers[reg];
  made.argument = variable->getArg();
  if (scopes_.empty())
    for (const llvm::BasicBlock& block : function_)
      for (const llvm::Instruction& instruction : block) {
        if (!instruction.getDebugLoc() || instruction.getDebugLoc()->getInlinedAt()) continue;
        const program::SourcePosition at = info_.debug().position(instruction.getDebugLoc());
        if (!at.known()) continue;
        for (const llvm::DIScope* scope = instruction.getDebugLoc()->getScope(); scope; scope = scope->getScope()) {
          program::Extent& extent = scopes_[scope];
          const auto here = std::pair(at.line, at.column);
          if (!extent.known() || here < std::pair(extent.first_line, extent.first_column))
            extent.first_line = at.line, extent.first_column = at.column;
          if (here > std::pair(extent.last_line, extent.last_column)) extent.last_line = at.line, extent.last_column = at.column;
          if (llvm::isa<llvm::DISubprogram>(scope)) break;
        }
      }
  if (llvm::isa<llvm::DILexicalBlock>(variable->getScope())) made.scope = scopes_.lookup(variable->getScope());
  return reg;
}

void FunctionLowering::run() {
  LocationId entry = here_ = graph_.location();
  for (const llvm::BasicBlock& block : function_) block_locations_[&block] = graph_.location();
  unsigned order = 0;
  for (const llvm::BasicBlock* block : llvm::ReversePostOrderTraversal<const llvm::Function*>(&function_))
    block_order_[block] = order++;

  enter_function();
  if (alive()) {
    const llvm::BasicBlock& first = function_.getEntryBlock();
    goto_location(block_locations_[&first]);
    reached_.insert(&first);
    work_.insert({block_order_[&first], &first});
  }
  // A block is lowered when a path to it has been: everything that dominates it is then known.
  while (!work_.empty()) {
    const llvm::BasicBlock* block = work_.begin()->second;
    work_.erase(work_.begin());
    lower_block(*block);
  }
  graph_.build(info_.program(), id_, entry);
}

void FunctionLowering::enter_function() {
  if (const llvm::DISubprogram* subprogram = function_.getSubprogram())
    position_ = info_.debug().position(subprogram->getFile(), subprogram->getLine());
  if (function_.hasPersonalityFn()) return unsupported("exception handling in " + function_.getName().str());
  for (const llvm::Argument& argument : function_.args())
    if (!layout(argument.getType())) return;
  std::optional<Layout> result = layout_of(function_.getReturnType(), info_.data());
  if (!function_.getReturnType()->isVoidTy() && packed_width(result) == 0 && !(result && result->empty()))
    return unsupported("return value of type " + type_name(function_.getReturnType()));
  if (atomic_) emit(make(Kind::AtomicBegin));
  enter_parameters();
  enter_objects();
}

void FunctionLowering::enter_parameters() {
  RegisterId next = 0;
  for (const llvm::Argument& argument : function_.args()) {
    Value& value = values_[&argument];
    for (size_t i = 0; i < layout(argument.getType())->size(); ++i) value.leaves.push_back(var(next++));
    if (const llvm::AllocaInst* home = storage_.home(argument)) {
      RegisterId reg = next - 1;
      variable_registers_[home] = reg;
      register_variables_[reg] = home;
      done_stores_.insert(llvm::cast<llvm::StoreInst>(*argument.user_begin()));
    }
  }
  if (function_.isVarArg()) variable_area_ = var(next);
  for (const llvm::AllocaInst* variable : storage_.variables()) {
    if (variable_registers_.contains(variable) || storage_.is_unread(variable)) continue;
    RegisterId reg =
        named_register(scalar_width(variable->getAllocatedType(), info_.data()), declared_variable(variable));
    variable_registers_[variable] = reg;
    register_variables_[reg] = variable;
  }
}

void FunctionLowering::make_arbitrary(const llvm::AllocaInst& variable) {
  RegisterId reg = variable_registers_[&variable];
  const llvm::DILocalVariable* source = declared_variable(&variable);
  if (!source && info_.result_is_ignored(function_)) {
    // The slot of a result that is never looked at, in a function that ends without `return`: any value will do.
    return emit(make(Kind::Assign, {reg}, {terms().constant(var(reg).width(), 0)}));
  }
  Statement statement = make(Kind::Nondet, {reg}, {});
  statement.text =
      source ? "uninitialised " + source->getName().str() : "missing result of " + function_.getName().str();
  // It may be asked for much later, before a loop that reads it: people look for it where it is declared.
  if (const auto declared = source ? info_.debug().position(source->getFile(), source->getLine()) : program::SourcePosition{}; declared.known())
    statement.position = declared;
  emit(std::move(statement));
}

/// Memory of this frame: copies of structs passed by value, and variables that cannot be registers.
void FunctionLowering::enter_objects() {
  for (const llvm::Argument& argument : function_.args()) {
    if (!argument.hasByValAttr()) continue;
    Term original = values_[&argument].leaves[0];
    Term size = pointer_constant(info_.data().getTypeAllocSize(argument.getParamByValType()).getFixedValue());
    const llvm::DILocalVariable* source = declared_variable(&argument);
    RegisterId object = address_register(source);
    Statement statement = make(Kind::StackAlloc, {object}, {size});
    statement.text = source ? source->getName().str() : "argument";
    statement.align = static_cast<uint8_t>(std::min<uint64_t>(argument.getParamAlign().valueOrOne().value(), 128));
    const uint64_t align = statement.align;
    emit(std::move(statement));
    Bulk bulk{var(object), original, size, true, false, false, {}};
    bulk.pieces = pieces_of(*argument.getParamByValType(), info_.data(), align);
    copy_bulk(std::move(bulk));
    values_[&argument].leaves[0] = var(object);
  }
}

void FunctionLowering::lower_block(const llvm::BasicBlock& block) {
  here_ = block_locations_[&block];
  pending_.clear();
  for (const llvm::Instruction& instruction : block)
    if ((position_ = info_.debug().position(instruction.getDebugLoc())).known()) break;
  // CBMC starts a thread here that runs the labelled statement.
  if (block.getName().starts_with("__CPROVER_ASYNC_")) return unsupported("label " + block.getName().str());
  for (const llvm::Instruction& instruction : block) {
    current_ = &instruction;
    declare_locals(instruction);
    if (llvm::isa<llvm::PHINode>(instruction)) continue;
    if (program::SourcePosition position = info_.debug().position(instruction.getDebugLoc()); position.known())
      position_ = position;
    if (instruction.isTerminator()) {
      lower_terminator(instruction);
    } else {
      lower_instruction(instruction);
    }
    if (!alive()) return;
  }
}

/// An object that is declared in a loop without initialiser is a new one in each round.
void FunctionLowering::declare_locals(const llvm::Instruction& instruction) {
  if (!storage_.in_loop(*instruction.getParent())) return;
  for_each_declared(instruction, [&](const llvm::AllocaInst* storage) {
    if (!storage_.variable(storage) && !storage_.initialised_next(*storage, instruction)) forget(*storage);
  });
}

void FunctionLowering::lower_instruction(const llvm::Instruction& instruction) {
  if (lower_pure(instruction)) return;
  switch (instruction.getOpcode()) {
    case llvm::Instruction::Alloca: return lower_alloca(llvm::cast<llvm::AllocaInst>(instruction));
    case llvm::Instruction::Load: return lower_load(llvm::cast<llvm::LoadInst>(instruction));
    case llvm::Instruction::Store: return lower_store(llvm::cast<llvm::StoreInst>(instruction));
    case llvm::Instruction::Fence: return lower_fence(llvm::cast<llvm::FenceInst>(instruction));
    case llvm::Instruction::AtomicRMW: return lower_rmw(llvm::cast<llvm::AtomicRMWInst>(instruction));
    case llvm::Instruction::AtomicCmpXchg: return lower_cas(llvm::cast<llvm::AtomicCmpXchgInst>(instruction));
    case llvm::Instruction::Call: return lower_call(llvm::cast<llvm::CallBase>(instruction));
    default: return unsupported("instruction " + std::string(instruction.getOpcodeName()));
  }
}

void FunctionLowering::lower_terminator(const llvm::Instruction& terminator) {
  const llvm::BasicBlock& block = *terminator.getParent();
  if (auto* jump = llvm::dyn_cast<llvm::BranchInst>(&terminator)) {
    if (jump->isUnconditional()) return goto_block(block, *jump->getSuccessor(0));
    Term condition = scalar(jump->getCondition());
    if (alive()) branch(condition, block, *jump->getSuccessor(0), *jump->getSuccessor(1));
  } else if (auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&terminator)) {
    lower_switch(*choice);
  } else if (auto* result = llvm::dyn_cast<llvm::ReturnInst>(&terminator)) {
    lower_return(*result);
  } else if (auto* end = llvm::dyn_cast<llvm::UnreachableInst>(&terminator)) {
    lower_unreachable(*end);
  } else if (llvm::isa<llvm::CallBrInst>(terminator)) {
    unsupported("inline assembly with labels (asm goto)");
  } else if (auto* computed = llvm::dyn_cast<llvm::IndirectBrInst>(&terminator)) {
    lower_computed_goto(*computed);
  } else {
    unsupported("instruction " + std::string(terminator.getOpcodeName()));
  }
}

void FunctionLowering::branch(Term condition, const llvm::BasicBlock& from, const llvm::BasicBlock& yes,
                              const llvm::BasicBlock& no) {
  if (condition.is_constant()) return goto_block(from, condition.is_true() ? yes : no);
  if (&yes == &no) return goto_block(from, yes);
  LocationId fork = here_;
  emit(make(Kind::Assume, {}, {condition}));
  goto_block(from, yes);
  here_ = fork;
  emit(make(Kind::Assume, {}, {terms().bnot(condition)}));
  goto_block(from, no);
}

void FunctionLowering::goto_block(const llvm::BasicBlock& from, const llvm::BasicBlock& to) {
  if (!alive()) return;
  if (condition_depth_ < kConditionBlocks && is_condition_block(to)) {
    auto& phi = llvm::cast<llvm::PHINode>(to.front());
    auto& jump = llvm::cast<llvm::BranchInst>(*to.getTerminator());
    Term condition = scalar(phi.getIncomingValueForBlock(&from));
    ++condition_depth_;
    branch(condition, to, *jump.getSuccessor(0), *jump.getSuccessor(1));
    --condition_depth_;
    return;
  }
  assign_phis(from, to);
  for (const llvm::AllocaInst* variable : storage_.asked_between(*current_->getParent(), to)) make_arbitrary(*variable);
  goto_location(block_locations_[&to]);
  if (reached_.insert(&to).second) work_.insert({block_order_[&to], &to});
}

void FunctionLowering::make_phi_registers(const llvm::PHINode& phi, const Layout& parts) {
  if (values_.contains(&phi)) return;
  Value value;
  const llvm::DILocalVariable* source = parts.size() == 1 ? valued_variable(&phi) : nullptr;
  for (const Leaf& leaf : parts) value.leaves.push_back(var(named_register(leaf.width, source)));
  values_[&phi] = std::move(value);
}

void FunctionLowering::assign_phis(const llvm::BasicBlock& from, const llvm::BasicBlock& to) {
  Statement assign = make(Kind::Assign);
  std::vector<Statement> undefined;
  for (const llvm::PHINode& phi : to.phis()) {
    const Layout* parts = layout(phi.getType());
    if (!parts) return;
    make_phi_registers(phi, *parts);
    Leaves incoming = leaves(phi.getIncomingValueForBlock(&from));
    Leaves targets = values_[&phi].leaves;
    for (size_t i = 0; i < targets.size(); ++i) {
      RegisterId target = info_.program().register_of(targets[i]).reg;
      if (!incoming[i]) {
        undefined.push_back(make(Kind::Nondet, {target}, {}));
        undefined.back().text = "undefined value";
      } else if (incoming[i] != targets[i]) {
        assign.targets.push_back(target);
        assign.operands.push_back(incoming[i]);
      }
    }
  }
  if (!assign.targets.empty()) emit(std::move(assign));
  for (Statement& statement : undefined) emit(std::move(statement));
}

void FunctionLowering::lower_switch(const llvm::SwitchInst& choice) {
  const llvm::BasicBlock& block = *choice.getParent();
  Term value = scalar(choice.getCondition());
  if (!alive()) return;
  // One edge for each target, in the order of the cases.
  std::vector<std::pair<const llvm::BasicBlock*, std::vector<Term>>> targets;
  std::vector<Term> none;
  for (const auto& one : choice.cases()) {
    if (one.getCaseSuccessor() == choice.getDefaultDest()) continue;
    Term equal = terms().eq(value, terms().constant(value.width(), *info_.constant(one.getCaseValue())));
    none.push_back(terms().bnot(equal));
    auto found =
        std::find_if(targets.begin(), targets.end(), [&](auto& t) { return t.first == one.getCaseSuccessor(); });
    if (found == targets.end()) found = targets.insert(targets.end(), {one.getCaseSuccessor(), {}});
    found->second.push_back(equal);
  }
  if (targets.empty()) return goto_block(block, *choice.getDefaultDest());
  std::vector<std::pair<const llvm::BasicBlock*, Term>> edges;
  for (auto& [target, conditions] : targets) edges.emplace_back(target, terms().disjunction(conditions));
  edges.emplace_back(choice.getDefaultDest(), terms().conjunction(none));
  for (auto& [target, condition] : edges)
    if (condition.is_true()) return goto_block(block, *target);
  LocationId fork = here_;
  for (auto& [target, condition] : edges) {
    if (condition.is_false()) continue;
    here_ = fork;
    emit(make(Kind::Assume, {}, {condition}));
    goto_block(block, *target);
  }
  here_ = kNone;
}

void FunctionLowering::lower_computed_goto(const llvm::IndirectBrInst& jump) {
  Term address = scalar(jump.getAddress());
  if (!alive()) return;
  LocationId fork = here_;
  std::vector<Term> none;
  llvm::DenseSet<const llvm::BasicBlock*> seen;
  for (unsigned i = 0; i < jump.getNumDestinations(); ++i) {
    const llvm::BasicBlock& target = *jump.getDestination(i);
    if (!seen.insert(&target).second) continue;
    Term here = terms().eq(address, pointer_constant(info_.label_address(target)));
    none.push_back(terms().bnot(here));
    here_ = fork;
    emit(make(Kind::Assume, {}, {here}));
    goto_block(*jump.getParent(), target);
  }
  here_ = fork;
  if (!none.empty()) emit(make(Kind::Assume, {}, {terms().conjunction(none)}));
  unsupported("computed goto to what is no label of this function");
}

void FunctionLowering::lower_return(const llvm::ReturnInst& instruction) {
  const llvm::Value* value = instruction.getReturnValue();
  if (!value || info_.program().functions[id_].return_width == 0) return leave_function({});
  Leaves parts = defined(value);
  if (alive()) leave_function(pack(parts));
}

void FunctionLowering::leave_function(Term value) {
  if (atomic_) emit(make(Kind::AtomicEnd));
  Statement statement = make(Kind::Return);
  if (value) statement.operands = {value};
  end_path(std::move(statement));
}

void FunctionLowering::lower_unreachable(const llvm::UnreachableInst& instruction) {
  auto* call = llvm::dyn_cast_or_null<llvm::CallBase>(instruction.getPrevNode());
  if (call && call->doesNotReturn()) {
    const llvm::Function* callee = call->getCalledFunction();
    return unsupported("return of a function declared noreturn" + (callee ? ": " + callee->getName().str() : ""));
  }
  unsupported("undefined behaviour: code marked unreachable (__builtin_unreachable) is reached");
}

}  // namespace whittle::frontend
