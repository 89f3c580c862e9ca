#include "exec/detailed_tracer_impl.h"

#include <fmt/format.h>

#include <algorithm>

#include "exec/thread_word.h"
#include "semantics/access.h"

namespace whittle::exec {

namespace {

constexpr uint64_t kMutexBytes = 40;       ///< sizeof(pthread_mutex_t)
constexpr uint64_t kOtherBytes = 16;       ///< of a semaphore, barrier or lock: what is there changes when it is used
constexpr std::string_view kNameless = "heap object allocated";  ///< what messages call it that know no number
constexpr size_t kFailingLines = 4;        ///< lines back from the violation that are searched for what it read

}  // namespace

/// The user's call that the thread is in: of a function of the library, or of one of the user's own.
const DetailedTracer::Impl::Open* DetailedTracer::Impl::user_call(uint32_t thread) const {
  const Open* call = nullptr;
  for (const Open& open : threads[thread].calls)
    if (open.shown) call = &open;
  return call;
}

/// "account.lock"
std::string DetailedTracer::Impl::library_object(uint64_t address) const {
  std::string name = naming.place(address, 1).text;
  if (size_t inside = name.find(".__"); inside != std::string::npos) name.resize(inside);  // of the library's own type
  return name;
}

/// ", which thread 2 locked at a.c:20"; empty: not known.
std::string DetailedTracer::Impl::holder(uint32_t thread, uint64_t address, bool mutex) const {
  uint64_t writer = 0;  // of a lock that is held: whoever took it
  for (uint64_t i = 0; i < (mutex ? kMutexBytes : kOtherBytes); ++i)
    if (auto found = writers.find(address + i); found != writers.end()) writer = std::max(writer, found->second);
  if (writer <= dropped || writer - dropped > steps.size()) return "";
  const DetailedStep& step = steps[writer - dropped - 1];
  const bool own = step.thread == machine.ordinal(thread);
  const std::string whom = own ? "it has itself" : fmt::format("thread {}", step.thread);
  return fmt::format(", which {} {} at {}:{}", whom, mutex ? "locked" : "used last", step.file, step.line);
}

/// "thread 1 waits for mutex b at a.c:12, which thread 2 locked at a.c:20"; empty: it does not wait in a call.
std::string DetailedTracer::Impl::waiting(uint32_t thread) const {
  const Open* call = user_call(thread);
  if (!call) return "";
  const program::Statement& s = edge(*call).statement;
  if (s.kind != Kind::Call || s.operands.empty()) return "";
  const program::FunctionRole role = program.functions[s.callee].role;
  const std::string where = program.where(s.position), who = fmt::format("thread {} waits", machine.ordinal(thread));
  const auto address = static_cast<uint64_t>(machine.evaluate(thread, call->frame, s.operands[0]));
  const auto object = machine.object_at(address);
  const bool mutex = role == program::FunctionRole::LockMutex;
  const std::string& callee = program.functions[s.callee].name;
  if (role == program::FunctionRole::JoinThread)
    for (uint32_t other = 0; other < machine.thread_count(); ++other)
      if (thread_word(other) == static_cast<uint32_t>(address) && machine.alive(other))
        return fmt::format("{} for the end of thread {} at {}", who, machine.ordinal(other), where);
  if (!object || s.operands[0].width() != program.pointer_width()) return fmt::format("{} in {} at {}", who, callee, where);
  const std::string name = library_object(address);
  const std::string text = mutex ? fmt::format("{} for mutex {} at {}", who, name, where)
                     : role == program::FunctionRole::WaitCondition
                         ? fmt::format("{} for condition variable {} at {}", who, name, where)
                         : fmt::format("{} in {} for {} at {}", who, callee, name, where);
  return role == program::FunctionRole::WaitCondition ? text : text + holder(thread, address, mutex);
}

/// "data race on shared.count", not only "on shared".
void DetailedTracer::Impl::explain_race(verdict::Violation& violation, uint32_t thread) const {
  const ThreadState& state = threads[thread];
  if (!state.last) return;
  const program::Statement& s = edge(*state.last).statement;
  for (const semantics::Access& access : semantics::accesses(s)) {
    const auto address = static_cast<uint64_t>(machine.evaluate(thread, state.last->frame, s.operands[access.address]));
    const auto object = machine.object_at(address);
    if (!object || access.size_operand != semantics::Access::kFixed) continue;
    const std::string known = "data race on " + machine.object_name(address);
    if (!violation.message.starts_with(known + ":")) continue;
    std::string name = naming.place(address, access.bytes).text;
    if (const size_t at = known.find(kNameless); at != std::string::npos) name += ", allocated" + known.substr(at + kNameless.size());
    violation.message.replace(0, known.size(), "data race on " + name);
    return;
  }
}

/// "mutex account.lock is unlocked by a thread that does not hold it", not "a mutex is".
void DetailedTracer::Impl::explain_lock(verdict::Violation& violation, uint32_t thread) const {
  const Open* call = user_call(thread);
  const size_t is = violation.message.find(" is ");
  if (!call || !violation.message.starts_with("a ") || is == std::string::npos) return;
  const program::Statement& s = edge(*call).statement;
  if (s.kind != Kind::Call || s.operands.empty() || s.operands[0].width() != program.pointer_width()) return;
  const auto address = static_cast<uint64_t>(machine.evaluate(thread, call->frame, s.operands[0]));
  if (!machine.object_at(address)) return;
  violation.message.insert(is, " " + library_object(address));
  violation.message.erase(0, 2);
}

void DetailedTracer::explain(verdict::Violation& violation) const {
  if (violation.property == verdict::Property::NoDeadlock) {
    std::string all;
    for (uint32_t t = 0; t < impl_->threads.size(); ++t) {
      if (t >= impl_->machine.thread_count() || !impl_->machine.alive(t)) continue;
      const std::string one = impl_->waiting(t);
      if (one.empty()) return;
      all += (all.empty() ? "deadlock: " : "; ") + one;
    }
    if (!all.empty()) violation.message = all;
    return;
  }
  const uint32_t thread = impl_->machine.pause().thread;
  const Impl::ThreadState& state = impl_->threads[thread];
  if (violation.property == verdict::Property::NoDataRace) return impl_->explain_race(violation, thread);
  if (violation.property == verdict::Property::LockDiscipline) return impl_->explain_lock(violation, thread);
  const size_t at = violation.message.find(kNameless);
  if (!state.last || at == std::string::npos) return;
  if (violation.property == verdict::Property::ValidMemtrack || violation.property == verdict::Property::ValidMemcleanup) {
    if (const auto lost = impl_->machine.object_at(impl_->machine.pause().memory))
      violation.message.replace(at, kNameless.size(), impl_->naming.name(*lost) + ", allocated");
    return;
  }
  const program::Statement& s = impl_->edge(*state.last).statement;
  std::vector<term::Term> addresses;
  // Of a copy, both sides may be objects that were made at one place.
  const bool reads = violation.message.starts_with("read of"), writes = violation.message.starts_with("write of");
  for (const semantics::Access& access : semantics::accesses(s))
    if ((!reads || access.read) && (!writes || access.write)) addresses.push_back(s.operands[access.address]);
  if (s.kind == Kind::HeapFree) addresses = {s.operands[0]};
  for (term::Term address : addresses) {
    const auto value = static_cast<uint64_t>(impl_->machine.evaluate(thread, state.last->frame, address));
    const auto object = impl_->machine.object_near(value);
    if (!object || violation.message.find(impl_->machine.object_name(object->address)) != at) continue;
    violation.message.replace(at, kNameless.size(), impl_->naming.name(*object) + ", allocated");
    const std::string where = impl_->naming.freed_at(object->address);
    if (!where.empty()) violation.message += (s.kind == Kind::HeapFree ? "; the first time at " : " at ") + where;
    return;
  }
}

void tell_what_was_seen(verdict::DetailedTrace& trace) {
  if (trace.steps.empty()) return;
  DetailedStep& last = trace.steps.back();
  size_t lines = 0;
  const DetailedStep* reader = nullptr;
  for (size_t i = trace.steps.size(); i-- > 0 && lines < kFailingLines;) {
    const DetailedStep& step = trace.steps[i];
    if (step.thread != last.thread) break;  // what it saw before that is another story
    if (reader && (step.line != reader->line || step.function != reader->function)) break;
    if (i + 1 < trace.steps.size() && step.line != trace.steps[i + 1].line) ++lines;
    for (const verdict::Read& read : step.reads) {
      if (read.writer == 0) continue;
      const DetailedStep& writer = trace.steps[read.writer - 1];
      if (writer.thread == last.thread) continue;
      reader = &step;
      std::string text = fmt::format("{} = {} was written by thread {} at {}:{}", read.name, read.value, writer.thread,
                                     writer.file, writer.line);
      if (last.note.find(text) == std::string::npos) last.note += (last.note.empty() ? "" : "; ") + text;
    }
  }
}

}  // namespace whittle::exec
