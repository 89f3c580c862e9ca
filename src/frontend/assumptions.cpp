#include "frontend/assumptions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include <algorithm>
#include <set>
#include <string>

namespace whittle::frontend {

namespace {

/// Their models in runtime/ always succeed.
const std::set<std::string> kNeverFail{"malloc", "calloc", "realloc", "aligned_alloc", "posix_memalign", "strdup"};

/// Their models know one time zone.
const std::set<std::string> kZoned{"localtime", "localtime_r", "mktime", "timelocal", "ctime", "ctime_r", "tzset"};

/// Their models give short texts only.
const std::set<std::string> kShortTexts{"getenv",     "secure_getenv", "getcwd", "get_current_dir_name", "readlink", "realpath",
                                        "ttyname_r",  "ttyname",       "uname",  "getlogin_r",           "getlogin", "gethostname", "readdir", "getpwnam", "getpwuid", "getgrnam", "getgrgid", "glob", "wordexp"};

/// Their models give short lists only.
const std::set<std::string> kShortLists{"glob", "wordexp", "getaddrinfo", "getgrnam", "getgrgid"};

/// An atomic operation or fence that asks for less than memory_order_seq_cst.
bool is_weakly_ordered(const llvm::Instruction& instruction) {
  auto weak = [](llvm::AtomicOrdering order) { return order != llvm::AtomicOrdering::SequentiallyConsistent; };
  if (const auto* cas = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    return weak(cas->getSuccessOrdering()) || weak(cas->getFailureOrdering());
  if (const auto* rmw = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) return weak(rmw->getOrdering());
  if (const auto* fence = llvm::dyn_cast<llvm::FenceInst>(&instruction))
    return weak(fence->getOrdering()) && fence->getSyncScopeID() == llvm::SyncScope::System;
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return load->isAtomic() && weak(load->getOrdering());
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return store->isAtomic() && weak(store->getOrdering());
  // The library form of an atomic operation: its last argument (of two, for compare_exchange) is the order.
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
  if (!callee || !callee->getName().starts_with("__atomic_") || call->arg_empty()) return false;
  auto order = [&](unsigned from_end) {
    const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(call->arg_size() - from_end));
    return !constant || constant->getZExtValue() != __ATOMIC_SEQ_CST;
  };
  return order(1) || (callee->getName().starts_with("__atomic_compare_exchange") && order(2));
}

/// Does the program ask whether threads were created? The model always does it.
bool asks_for_creation(const llvm::Module& module) {
  const llvm::Function* create = module.getFunction("pthread_create");
  return create && std::ranges::any_of(create->users(), [&](const llvm::User* user) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(user);
    return call && call->getCalledOperand() == create && !call->use_empty();
  });
}

/// Differences of pointers are no numbers of that kind.
bool looks_at_addresses(const llvm::Function& function) {
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    if (!llvm::isa<llvm::PtrToIntInst>(instruction)) continue;
    for (const llvm::User* user : instruction.users())
      if (llvm::Operator::getOpcode(user) != llvm::Instruction::Sub) return true;
  }
  return false;
}

}  // namespace

void note_assumptions(const llvm::Module& module, const Options& options, program::Program& program) {
  std::set<std::string> called, short_texts, short_lists;
  bool waits = false, addresses = false, zone = false, locale = false, weakly_ordered = false, handlers = false, expressions = false, loads = false, lines = false;
  for (const program::Function& function : program.functions) {
    if (function.runtime) continue;
    if (const llvm::Function* source = module.getFunction(function.name)) {
      addresses |= looks_at_addresses(*source);
      weakly_ordered |= std::ranges::any_of(llvm::instructions(*source), is_weakly_ordered);
    }
    for (const program::Edge& edge : function.edges) {
      if (edge.statement.kind != program::Kind::Call) continue;
      const program::Function& callee = program.functions[edge.statement.callee];
      if (callee.runtime && kNeverFail.contains(callee.name)) called.insert(callee.name);
      if (callee.runtime && kShortTexts.contains(callee.name)) short_texts.insert(callee.name);
      if (callee.runtime && kShortLists.contains(callee.name)) short_lists.insert(callee.name);
      zone |= callee.runtime && kZoned.contains(callee.name);
      handlers |= callee.runtime && (callee.name == "signal" || callee.name == "sigaction");
      expressions |= callee.runtime && callee.name == "regexec";
      lines |= callee.runtime && (callee.name == "getline" || callee.name == "getdelim" || callee.name == "__getdelim");
      loads |= callee.runtime && callee.name == "dlopen";
      locale |= callee.runtime && callee.name == "setlocale";
      waits |= callee.runtime && callee.name.starts_with("pthread_cond_") && callee.name.ends_with("wait");
    }
  }
  if (!called.empty() && !options.malloc_may_fail)
    program.assumptions.push_back(fmt::format("{} never fail{}", fmt::join(called, ", "), called.size() == 1 ? "s" : ""));
  if (asks_for_creation(module)) program.assumptions.push_back("pthread_create never fails");
  if (waits && !options.spurious_wakeups)
    program.assumptions.push_back("waiting for a condition variable ends for a reason only (no spurious wake-ups)");
  if (weakly_ordered)
    program.assumptions.push_back(
        "atomic operations are sequentially consistent (weaker orders are taken as memory_order_seq_cst; data races go by "
        "the orders as written)");
  if (addresses) program.assumptions.push_back("addresses, looked at as numbers, are those of whittle's memory");
  if (handlers && options.signals == 0)
    program.assumptions.push_back("no signal arrives from outside, unless the program waits for it (--signals N)");
  if (handlers && options.signals > 0)
    program.assumptions.push_back(fmt::format("at most {} signal{} from outside (--signals), between two accesses to memory", options.signals, options.signals == 1 ? " arrives" : "s arrive"));
  if (loads) program.assumptions.push_back("nothing can be loaded: dlopen fails");
  if (expressions) program.assumptions.push_back("a regular expression matches anything or nothing, anywhere in the text");
  if (!short_texts.empty())
    program.assumptions.push_back(fmt::format("texts and names from {} have at most {} characters (--text-length)", fmt::join(short_texts, ", "), options.text_length));
  if (lines) program.assumptions.push_back(fmt::format("lines from getline have at most {} characters (--text-length)", std::max(120u, options.text_length)));
  if (!short_lists.empty())
    program.assumptions.push_back(fmt::format("lists from {} have at most 2 entries", fmt::join(short_lists, ", ")));
  if (zone) program.assumptions.push_back("the time zone is UTC");
  if (locale) program.assumptions.push_back("the locale of the environment is C");
}

}  // namespace whittle::frontend
