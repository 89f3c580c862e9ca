// The public face of running; everything happens in MachineImpl.
#include "exec/machine.h"

#include "exec/machine_impl.h"
#include "exec/strays.h"
#include "semantics/demand.h"

namespace whittle::exec {

Machine::Machine(std::shared_ptr<const Code> code) : View(std::make_unique<MachineImpl>(std::move(code))) {}
Machine::~Machine() = default;
Machine::Machine(Machine&&) noexcept = default;
Machine& Machine::operator=(Machine&&) noexcept = default;

void Machine::reset() { impl_->reset(); }
const Pause& Machine::schedule(uint32_t thread) { return impl_->schedule(thread); }
const Pause& Machine::approach(uint32_t thread) { return impl_->approach(thread); }
const Pause& Machine::provide(u128 value) { return impl_->provide(value); }
const Pause& Machine::resume() { return impl_->resume(); }
void Machine::set_observed(std::span<const Pending::Range> ranges) {
  impl_->observed.assign(ranges.begin(), ranges.end());
}
void Machine::yield_here() { impl_->yield_here(); }
void Machine::set_budget(uint64_t statements) { impl_->budget = statements == 0 ? 1 : statements; }
std::span<const uint8_t> Machine::save() { return impl_->save(); }
void Machine::load(std::span<const uint8_t> state) { impl_->load_state(state); }

bool Machine::enabled(uint32_t thread) { return impl_->enabled(thread); }
bool Machine::deadlocked() { return impl_->deadlocked(); }
Pending Machine::pending(uint32_t thread) { return impl_->peek(thread); }
verdict::Violation Machine::deadlock_violation() { return impl_->deadlock_violation(); }

void Machine::set_output(Sink sink) { impl_->sink = std::move(sink); }
void Machine::set_listener(Listener* listener) { impl_->listener = impl_->holder = listener; }
void Machine::set_placement(Placement* placement) {
  impl_->placement = placement;
  impl_->strays = dynamic_cast<Strays*>(placement) != nullptr && Strays::are_followed(impl_->code.specification);
}
bool Strays::are_followed(const verdict::Specification& asked) {
  using verdict::Property;
  return semantics::treatment(asked, Property::ValidDeref) == semantics::Treatment::Cut &&
         !asked.has(Property::ValidMemtrack) && !asked.has(Property::ValidMemcleanup);
}
void Machine::set_access_log(std::vector<Pending::Range>* log) { impl_->access_log = log; }

void Machine::expose(uint64_t address) {
  if (impl_->alive_count > 1) impl_->escape(address);
  impl_->saved = {};
}

void Machine::set_register(uint32_t thread, uint32_t frame, program::RegisterId reg, u128 value) {
  Thread& t = impl_->threads[thread];
  const FunctionCode& f = *t.frames[frame].code;
  impl_->put(t.slots.data() + t.frames[frame].base,
             {f.slot[reg], static_cast<uint16_t>(f.function->registers[reg].width())}, value);
  t.clean = false;
  impl_->saved = {};
}

bool Machine::write_memory(uint64_t address, std::span<const uint8_t> bytes) {
  Memory& memory = impl_->memory;
  Target target;
  if (const StaticObject* object = impl_->code.static_at(address)) {
    uint64_t inside = address - object->address;
    if (object->frozen || bytes.size() > object->size || inside > object->size - bytes.size()) return false;
    target = {memory.image() + object->host + inside, nullptr, static_cast<uint32_t>(inside), true};
  } else {
    DynamicObject* dynamic = memory.find(address);
    if (!dynamic || !dynamic->alive || bytes.size() > dynamic->size ||
        address - dynamic->address > dynamic->size - bytes.size())
      return false;
    uint32_t inside = static_cast<uint32_t>(address - dynamic->address);
    target = {memory.bytes(*dynamic) + inside, dynamic, inside, dynamic->escaped};
  }
  std::memcpy(target.bytes, bytes.data(), bytes.size());
  memory.touch();
  impl_->wrote(target, bytes.size());
  impl_->saved = {};
  impl_->large_known = false;
  return true;
}
StateBytes Machine::bytes() const { return StateBytes(*impl_); }

}  // namespace whittle::exec
