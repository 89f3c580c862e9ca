// Reads and writes of a step. They are collected as registers and addresses while the step runs, and translated to
// bytes of the states before and after it when someone asks.
#include <algorithm>
#include <cassert>

#include "exec/cells.h"
#include "exec/machine_impl.h"

namespace whittle::exec {

using machine::ByteRange;
using program::Kind;

// Collecting

void MachineImpl::begin_footprint() {
  std::span<const uint8_t> now = save();
  before.assign(now.begin(), now.end());
  before_shape = shape();
  reads.clear();
  writes.clear();
  writes_before_statement = 0;
  footprint_ready = false;
  old_frames.assign(threads.size(), 0);
  const uint32_t count = static_cast<uint32_t>(thread_limit());
  for (uint32_t i = 0; i < count; ++i)
    old_frames[i] = static_cast<uint32_t>(threads[i].alive ? threads[i].frames.size() : 0);
  if (mode != Mode::Scheduling) return;
  // Which threads can go on was part of the choice: what they wait for has been read.
  for (uint32_t i = 0; i < count; ++i) {
    if (!threads[i].alive) continue;
    const program::Edge* edge = pending_edge(threads[i]);
    if (!edge || edge->statement.kind != Kind::Await) continue;
    for (term::Term operand : edge->statement.operands)
      for (term::Term variable : term::variables(operand))
        touch_register(false, i, old_frames[i] - 1, code.program.register_of(variable).reg);
    Pending p = peek(i);
    if (p.range_count == 1) touch_memory(false, p.ranges[0].address, p.ranges[0].size);
  }
}

void MachineImpl::touch_register(bool write, uint32_t thread, uint32_t frame, uint32_t reg) {
  Touch touch{true, thread, frame, reg, 0, 0};
  if (write) {
    writes.push_back(touch);
    return;
  }
  if (frame >= old_frames[thread]) return;  // a frame of this very step
  for (const Touch& w : writes)
    if (w.is_register && w.thread == thread && w.frame == frame && w.reg == reg) return;
  reads.push_back(touch);
}

void MachineImpl::touch_memory(bool write, uint64_t address, uint64_t size) {
  if (size == 0) return;
  if (!write) {
    for (const Touch& w : writes)
      if (!w.is_register && w.address <= address && address + size <= w.address + w.size) return;
    reads.push_back({false, 0, 0, 0, address, size});
    return;
  }
  writes.push_back({false, 0, 0, 0, address, size});
}

void MachineImpl::touch_everything() {
  for (const StaticObject& object : code.statics)
    if (!object.frozen) touch_memory(false, object.address, object.size);
  for (uint32_t a = 0; a < memory.area_count(); ++a)
    for (const DynamicObject& object : memory.objects(a)) touch_memory(false, object.address, object.size);
  for (uint32_t t = 0; t < threads.size(); ++t)
    for (uint32_t i = 0; threads[t].alive && i < threads[t].frames.size(); ++i)
      for (const Layout::Item& item : layout_of(threads[t], i).items) touch_register(false, t, i, item.reg);
}

void MachineImpl::withdraw() {
  if (footprints) writes.resize(std::min(writes.size(), writes_before_statement));
  if (listener) listener->withdrawn(active);
}

const std::vector<program::RegisterId>& MachineImpl::registers_read(const FunctionCode& f, uint32_t edge) {
  auto [it, is_new] = edge_reads.try_emplace(uint64_t{f.id} << 32 | edge);
  std::vector<program::RegisterId>& registers = it->second;
  if (!is_new) return registers;
  auto add = [&](term::Term operand) {
    for (term::Term variable : term::variables(operand)) registers.push_back(code.program.register_of(variable).reg);
  };
  for (term::Term operand : edge_at(f, edge).statement.operands) add(operand);
  // The other ways to go are looked at, too.
  const program::Location& location = f.function->locations[edge_at(f, edge).from];
  for (uint32_t e = location.first_edge; location.edge_count > 1 && e < location.first_edge + location.edge_count; ++e)
    add(f.function->edges[e].statement.operands[0]);
  std::sort(registers.begin(), registers.end());
  registers.erase(std::unique(registers.begin(), registers.end()), registers.end());
  return registers;
}

void MachineImpl::touch_statement(uint32_t thread, const FunctionCode& f, uint32_t edge) {
  uint32_t frame = static_cast<uint32_t>(threads[thread].frames.size() - 1);
  writes_before_statement = writes.size();
  if (edge == program::kNone) {  // a call has just made this frame
    for (uint32_t i = 0; i < f.function->parameter_count; ++i) touch_register(true, thread, frame, i);
    return;
  }
  const program::Statement& s = edge_at(f, edge).statement;
  for (program::RegisterId reg : registers_read(f, edge)) touch_register(false, thread, frame, reg);
  if (s.kind == Kind::Call || s.kind == Kind::IndirectCall) return;
  for (program::RegisterId target : s.targets) touch_register(true, thread, frame, target);
}

void MachineImpl::touch_pop(uint32_t thread) {
  uint32_t left = threads[thread].alive ? static_cast<uint32_t>(threads[thread].frames.size()) : 0;
  old_frames[thread] = std::min(old_frames[thread], left);
  std::erase_if(writes, [&](const Touch& w) { return w.is_register && w.thread == thread && w.frame >= left; });
}

// Translating

namespace {

void add_register(const CellMap& map, const Touch& t, std::vector<ByteRange>& out) {
  if (t.thread >= map.threads.size() || t.frame >= map.threads[t.thread].size()) return;
  const CellMap::Registers& registers = map.threads[t.thread][t.frame];
  uint32_t offset = registers.offset;
  for (const Layout::Item& item : registers.layout->items) {
    if (item.reg == t.reg) out.push_back({offset, item.bytes});
    offset += item.bytes;
  }
}

void add_bytes(const CodeImpl& code, const CellMap& map, uint64_t address, uint64_t size, std::vector<ByteRange>& out) {
  const StaticObject* object = code.static_at(address);
  if (object && object->host < code.fixed_bytes) {
    if (size <= object->size - (address - object->address))
      out.push_back({map.static_offset + object->host + static_cast<uint32_t>(address - object->address),
                     static_cast<uint32_t>(size)});
    return;
  }
  const CellMap::Contents* contents = map.object_at(address);
  if (!contents) return;
  uint64_t inside = address - contents->address;
  out.push_back({contents->offset + static_cast<uint32_t>(inside),
                 static_cast<uint32_t>(std::min(size, contents->size - inside))});
}

void normalise(std::vector<ByteRange>& ranges) {
  std::sort(ranges.begin(), ranges.end(), [](const ByteRange& a, const ByteRange& b) { return a.begin < b.begin; });
  size_t kept = 0;
  for (const ByteRange& range : ranges) {
    if (kept > 0 && range.begin <= ranges[kept - 1].begin + ranges[kept - 1].length)
      ranges[kept - 1].length = std::max(ranges[kept - 1].length, range.begin + range.length - ranges[kept - 1].begin);
    else
      ranges[kept++] = range;
  }
  ranges.resize(kept);
}

/// Registers that are at another offset than before, and objects likewise: read there, written here.
void add_moves(const CellMap& old, const CellMap& now, const std::vector<uint32_t>& kept_frames,
               machine::Footprint& result) {
  for (uint32_t t = 0; t < now.threads.size(); ++t)
    for (uint32_t i = 0; i < now.threads[t].size(); ++i) {
      const CellMap::Registers& here = now.threads[t][i];
      uint32_t offset = here.offset;
      bool was = i < kept_frames[t] && t < old.threads.size() && i < old.threads[t].size();
      for (const Layout::Item& item : here.layout->items) {
        std::vector<ByteRange> there;
        if (was) add_register(old, {true, t, i, item.reg, 0, 0}, there);
        if (there.empty())
          result.writes.push_back({offset, item.bytes});
        else if (there[0].begin != offset)
          result.writes.push_back({offset, item.bytes}), result.reads.push_back(there[0]);
        offset += item.bytes;
      }
    }
  for (const CellMap::Contents& here : now.objects) {
    const CellMap::Contents* there = old.object_at(here.address);
    uint32_t kept =
        !there || there->address != here.address ? 0 : static_cast<uint32_t>(std::min(there->size, here.size));
    if (kept != 0 && there->offset != here.offset) {
      result.writes.push_back({here.offset, kept});
      result.reads.push_back({there->offset, kept});
    }
    if (here.size > kept) result.writes.push_back({here.offset + kept, static_cast<uint32_t>(here.size) - kept});
  }
  // Of a large static object the state has no longer what has its initial value again: that was looked at.
  for (const CellMap::Contents& there : old.objects) {
    if (there.address >= kDynamicBase) break;
    const CellMap::Contents* here = now.object_at(there.address);
    uint32_t kept = here && here->address == there.address ? static_cast<uint32_t>(here->size) : 0;
    if (kept < there.size) result.reads.push_back({there.offset + kept, static_cast<uint32_t>(there.size) - kept});
  }
}

}  // namespace

const machine::Footprint& MachineImpl::footprint() {
  assert(footprints);
  if (footprint_ready) return *result;
  footprint_ready = true;
  const uint32_t after_shape = shape();
  const bool known = before_shape != 0 && after_shape != 0;
  if (known) {
    make_footprint_key(after_shape);
    result = footprint_table.find(footprint_key);
    if (result) return *result;
    translate(shapes[before_shape], shapes[after_shape]);
    result = footprint_table.add(footprint_key, translated);
  } else {
    translate(Shape(code, memory, before), Shape(code, memory, save()));
    result = nullptr;
  }
  if (!result) result = &translated;
  return *result;
}

/// Everything that translate() looks at.
void MachineImpl::make_footprint_key(uint32_t after_shape) {
  std::vector<uint64_t>& key = footprint_key;
  key.clear();
  key.push_back(uint64_t{before_shape} << 32 | after_shape);
  key.push_back(uint64_t{reads.size()} << 32 | writes.size());
  for (const std::vector<Touch>* touches : {&reads, &writes})
    for (const Touch& t : *touches) {
      key.push_back(t.is_register ? uint64_t{t.thread} << 33 | uint64_t{t.frame} << 1 | 1 : t.address << 1);
      key.push_back(t.is_register ? t.reg : t.size);
    }
  const size_t threads_now = shapes[after_shape].map.threads.size();
  for (size_t t = 0; t < threads_now; ++t) key.push_back(old_frames[t]);
}

void MachineImpl::translate(const Shape& old, const Shape& now) {
  translated.clear();
  for (const Touch& touch : reads) {
    if (touch.is_register)
      add_register(old.map, touch, translated.reads);
    else
      add_bytes(code, old.map, touch.address, touch.size, translated.reads);
  }
  for (const Touch& touch : writes) {
    if (touch.is_register)
      add_register(now.map, touch, translated.writes);
    else
      add_bytes(code, now.map, touch.address, touch.size, translated.writes);
  }
  add_moves(old.map, now.map, old_frames, translated);
  // What is never dead, and new here or changed.
  for (uint32_t i = 0; i < saved.size(); ++i)
    if (!now.is_mortal[i] && (i >= before.size() || old.is_mortal[i] || before[i] != saved[i]))
      translated.writes.push_back({i, 1});
  normalise(translated.reads);
  normalise(translated.writes);
}

uint32_t MachineImpl::shape() {
  if (saved.empty()) save();
  if (!shape_known) saved_shape = shapes.number(saved);
  shape_known = true;
  return saved_shape;
}

void MachineImpl::cells(std::vector<ByteRange>& mortal, std::vector<ByteRange>& dead) {
  dead.clear();  // dead registers are no part of states
  if (uint32_t number = shape(); number != 0)
    mortal = shapes[number].mortal;
  else
    mortal = Shape(code, memory, save()).mortal;
}

}  // namespace whittle::exec
