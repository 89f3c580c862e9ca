#include "exec/view.h"

#include "exec/machine_impl.h"

namespace whittle::exec {

View::View(std::unique_ptr<MachineImpl> impl) : impl_(std::move(impl)) {}
View::~View() = default;
View::View(View&&) noexcept = default;
View& View::operator=(View&&) noexcept = default;

const Code& View::code() const { return *impl_->owner; }
const Pause& View::pause() const { return impl_->pause; }
uint64_t View::statements() const { return impl_->statements; }

uint32_t View::thread_count() const { return static_cast<uint32_t>(impl_->thread_limit()); }
bool View::in_atomic_region(uint32_t thread) const { return alive(thread) && impl_->threads[thread].depth > 0; }
bool View::alive(uint32_t thread) const { return thread < impl_->threads.size() && impl_->threads[thread].alive; }
uint32_t View::ordinal(uint32_t thread) const { return impl_->ordinal(thread); }
uint32_t View::frame_count(uint32_t thread) const {
  return static_cast<uint32_t>(impl_->threads[thread].frames.size());
}

FramePosition View::frame(uint32_t thread, uint32_t index) const {
  const Thread& t = impl_->threads[thread];
  const FunctionCode& f = *t.frames[index].code;
  if (index + 1 == t.frames.size()) return {f.id, t.location};
  return {f.id, f.function->edges[f.calls[t.frames[index].call].edge].from};
}

u128 View::register_value(uint32_t thread, uint32_t frame, program::RegisterId reg) const {
  const Thread& t = impl_->threads[thread];
  const FunctionCode& f = *t.frames[frame].code;
  SlotRef place{f.slot[reg], static_cast<uint16_t>(f.function->registers[reg].width())};
  return impl_->get(t.slots.data() + t.frames[frame].base, place);
}

u128 View::evaluate(uint32_t thread, uint32_t frame, term::Term term) const {
  const program::Program& program = impl_->code.program;
  term::Assignment assignment;
  assignment.variable = [&](term::Term variable) {
    return register_value(thread, frame, program.register_of(variable).reg);
  };
  return program.terms().evaluate(term, assignment);
}

std::optional<ObjectInfo> View::object_at(uint64_t address) const {
  if (const StaticObject* object = impl_->code.static_at(address))
    return ObjectInfo{object->address, object->size, ObjectInfo::Kind::Static, true, object->constant};
  const DynamicObject* object = impl_->memory.find(address);
  if (!object) return std::nullopt;
  return ObjectInfo{object->address, object->size, object->kind, object->alive, false};
}

std::optional<ObjectInfo> View::object_near(uint64_t address) const { return impl_->nearest(address); }

std::string View::object_name(uint64_t address) const {
  if (const StaticObject* object = impl_->code.static_at(address)) return impl_->code.program.objects[object->id].name;
  const DynamicObject* object = impl_->memory.find(address);
  return object ? impl_->name_of(*object) : "";
}

bool View::read_memory(uint64_t address, std::span<uint8_t> bytes) const {
  const Memory& memory = impl_->memory;
  if (const StaticObject* object = impl_->code.static_at(address)) {
    if (bytes.size() > object->size || address - object->address > object->size - bytes.size()) return false;
    std::memcpy(bytes.data(), memory.image() + object->host + (address - object->address), bytes.size());
    return true;
  }
  const DynamicObject* object = memory.find(address);
  if (!object || !object->alive || bytes.size() > object->size ||
      address - object->address > object->size - bytes.size())
    return false;
  std::memcpy(bytes.data(), memory.bytes(*object) + (address - object->address), bytes.size());
  return true;
}

uint64_t View::thread_local_address(uint32_t thread, program::ObjectId object) const {
  return impl_->memory.area_base(Memory::stack_area(thread)) + impl_->code.thread_local_offset[object];
}

bool View::remembers_accesses() const { return impl_->code.check_races && !impl_->races.empty(); }
View::Area View::area(uint32_t thread, ObjectInfo::Kind kind) const {
  const bool heap = kind == ObjectInfo::Kind::Heap;
  const uint32_t index = heap ? Memory::heap_area(thread) : Memory::stack_area(thread);
  const uint64_t base = impl_->memory.area_base(index), end = base + impl_->memory.area_size(index);
  return {heap ? base : base + impl_->code.thread_local_bytes, end};
}

bool View::hides_objects() const { return impl_->alive_count > 1 && impl_->memory.confined() != 0; }
void View::control(std::vector<uint8_t>& into) const {
  into.clear();
  if (impl_->code.check_races) {
    std::span<const uint8_t> races = impl_->races.encode().span();
    into.assign(races.begin(), races.end());
  }
  auto put = [&](uint64_t number) {
    for (; number >= 0x80; number >>= 7) into.push_back(static_cast<uint8_t>(number | 0x80));
    into.push_back(static_cast<uint8_t>(number));
  };
  const Memory& memory = impl_->memory;
  uint32_t count = thread_count();
  put(count);
  for (uint32_t i = 0; i < count; ++i) {
    const Thread& t = impl_->threads[i];
    put(t.alive ? t.frames.size() : 0);
    if (!t.alive) continue;
    put(t.depth);
    for (uint32_t k = 0; k < t.frames.size(); ++k) {
      FramePosition position = frame(i, k);
      put(impl_->code.global_location(impl_->code.functions[position.function], position.location));
    }
  }
  for (uint32_t a = 0; a < memory.area_count(); ++a)
    for (const DynamicObject& object : memory.objects(a)) {
      put(object.address);
      put(object.size);
      into.push_back(static_cast<uint8_t>(static_cast<unsigned>(object.kind) << 2 | (object.alive ? 1u : 0u) |
                                          (object.escaped ? 2u : 0u)));
      put(object.frame);
      put(object.sequence);
      put(object.uninitialised);
      if (object.alive && object.uninitialised != 0 && object.uninitialised != object.size)
        into.insert(into.end(), memory.shadow(object), memory.shadow(object) + (object.size + 7) / 8);
    }
}

bool View::initialised(uint64_t address, uint64_t size) const {
  if (const StaticObject* object = impl_->code.static_at(address))
    return size <= object->size && address - object->address <= object->size - size;
  const DynamicObject* object = impl_->memory.find(address);
  if (!object || !object->alive || size > object->size || address - object->address > object->size - size) return false;
  for (uint64_t i = 0; i < size && object->uninitialised != 0; ++i)
    if (!impl_->memory.initialised(*object, static_cast<uint32_t>(address - object->address + i))) return false;
  return true;
}

std::vector<uint64_t> View::copies(uint64_t address) const {
  const std::vector<uint32_t> found = impl_->memory.links().others(static_cast<uint32_t>(address));
  return {found.begin(), found.end()};
}

uint64_t View::copied_from(uint64_t address) const { return impl_->memory.links().first(static_cast<uint32_t>(address)); }

}  // namespace whittle::exec
