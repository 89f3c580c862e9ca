// Reads and writes of a step. They are collected as registers and addresses while the step runs, and translated to
// bytes of the states before and after it when somebody asks.
#include <algorithm>
#include <cassert>

#include "exec/cells.h"
#include "exec/machine_impl.h"

namespace whittle::exec {

using machine::ByteRange;
using program::Kind;

CellMap::CellMap(const CodeImpl& code, const Memory& memory, std::span<const uint8_t> state)
    : size(static_cast<uint32_t>(state.size())) {
  Reader in{state.data() + 2, state.data() + state.size()};
  auto here = [&] { return static_cast<uint32_t>(in.at - state.data()); };
  static_offset = here();
  in.at += code.fixed_bytes;
  for (uint32_t index : code.large) {
    Contents contents;
    contents.address = code.statics[index].address;
    contents.size = in.number();
    contents.offset = here();
    in.at += contents.size;
    if (contents.size != 0) objects.push_back(std::move(contents));
  }
  threads.resize(in.number());
  for (std::vector<Registers>& frames : threads) {
    if (in.number() == 0) continue;
    in.number();
    size_t count = in.number();
    for (size_t i = 0; i < count; ++i) {
      uint64_t global = 0;
      for (unsigned b = 0; b < code.location_bytes; ++b) global |= uint64_t{*in.at++} << (8 * b);
      auto [function, location] = code.local_location(global);
      const FunctionCode& f = code.functions[function];
      const Layout& layout = f.layouts[i + 1 == count ? f.top_layout[location] : f.waiting_layout[location]];
      frames.push_back({here(), &layout});
      in.at += layout.bytes;
    }
  }
  uint64_t objects_left = in.number(), unit = 0;
  uint32_t area = 0;
  while (objects_left-- > 0) {
    uint32_t areas = static_cast<uint32_t>(in.number());
    unit = in.number() + (areas == 0 ? unit : 0);
    area += areas;
    uint8_t flags = *in.at++;
    Contents contents;
    contents.address = memory.area_base(area) + (unit << 6);
    contents.size = in.number();
    if (!(flags & 1)) continue;
    if (static_cast<ObjectInfo::Kind>(flags >> 4 & 3) == ObjectInfo::Kind::Stack) in.number(), in.number();
    if (flags & 8) continue;
    if (!(flags & 4)) contents.unset.assign(in.at, in.at + (contents.size + 7) / 8), in.at += contents.unset.size();
    contents.offset = here();
    in.at += contents.size;
    objects.push_back(std::move(contents));
  }
}

const CellMap::Contents* CellMap::object_at(uint64_t address) const {
  auto it = std::upper_bound(objects.begin(), objects.end(), address,
                             [](uint64_t a, const Contents& c) { return a < c.address; });
  if (it == objects.begin() || address - (it - 1)->address >= (it - 1)->size) return nullptr;
  return &*(it - 1);
}

// Collecting

void MachineImpl::begin_footprint() {
  std::span<const uint8_t> now = save();
  before.assign(now.begin(), now.end());
  reads.clear();
  writes.clear();
  writes_before_statement = 0;
  footprint_ready = false;
  old_frames.assign(threads.size(), 0);
  for (uint32_t i = 0; i < threads.size(); ++i)
    old_frames[i] = static_cast<uint32_t>(threads[i].alive ? threads[i].frames.size() : 0);
  // Which threads can go on was part of the choice: what they wait for has been read.
  for (uint32_t i = 0; i < threads.size(); ++i) {
    if (!threads[i].alive || mode != Mode::Scheduling) continue;
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

void MachineImpl::touch_statement(uint32_t thread, const FunctionCode& f, uint32_t edge) {
  uint32_t frame = static_cast<uint32_t>(threads[thread].frames.size() - 1);
  writes_before_statement = writes.size();
  if (edge == program::kNone) {  // a call has just made this frame
    for (uint32_t i = 0; i < f.function->parameter_count; ++i) touch_register(true, thread, frame, i);
    return;
  }
  const program::Statement& s = edge_at(f, edge).statement;
  for (term::Term operand : s.operands)
    for (term::Term variable : term::variables(operand))
      touch_register(false, thread, frame, code.program.register_of(variable).reg);
  // The other ways to go have been looked at, too.
  const program::Location& location = f.function->locations[edge_at(f, edge).from];
  for (uint32_t e = location.first_edge; location.edge_count > 1 && e < location.first_edge + location.edge_count; ++e)
    for (term::Term variable : term::variables(f.function->edges[e].statement.operands[0]))
      touch_register(false, thread, frame, code.program.register_of(variable).reg);
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

std::vector<ByteRange> mortal_ranges(const CodeImpl& code, const CellMap& map) {
  std::vector<ByteRange> mortal;
  if (code.fixed_bytes != 0) mortal.push_back({map.static_offset, code.fixed_bytes});
  for (const std::vector<CellMap::Registers>& frames : map.threads)
    for (const CellMap::Registers& registers : frames)
      if (registers.layout->bytes != 0) mortal.push_back({registers.offset, registers.layout->bytes});
  for (const CellMap::Contents& contents : map.objects)
    if (contents.size != 0) mortal.push_back({contents.offset, static_cast<uint32_t>(contents.size)});
  std::sort(mortal.begin(), mortal.end(), [](const ByteRange& a, const ByteRange& b) { return a.begin < b.begin; });
  return mortal;
}

std::vector<bool> mortal_bytes(const CodeImpl& code, const CellMap& map) {
  std::vector<bool> mortal(map.size, false);
  for (const ByteRange& range : mortal_ranges(code, map)) std::fill_n(mortal.begin() + range.begin, range.length, true);
  return mortal;
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
  if (footprint_ready) return result;
  result.clear();
  CellMap old(code, memory, before), now(code, memory, save());
  for (const Touch& touch : reads) {
    if (touch.is_register)
      add_register(old, touch, result.reads);
    else
      add_bytes(code, old, touch.address, touch.size, result.reads);
  }
  for (const Touch& touch : writes) {
    if (touch.is_register)
      add_register(now, touch, result.writes);
    else
      add_bytes(code, now, touch.address, touch.size, result.writes);
  }
  add_moves(old, now, old_frames, result);
  // What is never dead, and new here or changed.
  std::vector<bool> was = mortal_bytes(code, old), is = mortal_bytes(code, now);
  for (uint32_t i = 0; i < saved.size(); ++i)
    if (!is[i] && (i >= before.size() || was[i] || before[i] != saved[i])) result.writes.push_back({i, 1});
  normalise(result.reads);
  normalise(result.writes);
  footprint_ready = true;
  return result;
}

void MachineImpl::cells(std::vector<ByteRange>& mortal, std::vector<ByteRange>& dead) {
  mortal = mortal_ranges(code, CellMap(code, memory, save()));
  dead.clear();  // dead registers are no part of states
}

}  // namespace whittle::exec
