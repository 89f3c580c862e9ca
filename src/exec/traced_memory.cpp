#include "exec/detailed_tracer_impl.h"

#include <algorithm>

#include "program/word_access.h"
#include "semantics/access.h"

namespace whittle::exec {

namespace {

constexpr size_t kModelWrites = 16;        ///< pieces of memory that one call of a model is shown to write

}  // namespace

bool DetailedTracer::Impl::is_hidden(uint64_t address) const {
  const auto object = machine.object_at(address);
  if (!object || object->kind != ObjectInfo::Kind::Stack) return false;
  const auto found = hidden.find(object->address);
  return found != hidden.end() && found->second;
}

uint32_t DetailedTracer::Impl::variable(uint64_t address) {
  const auto object = machine.object_at(address);
  if (!object) return 0;
  uint32_t& number = objects[object->address];
  if (number == 0) {
    number = static_cast<uint32_t>(variables.size());
    variables.push_back({naming.name(*object), 0, 0});
    scopes.push_back({});
  }
  if (object->kind == ObjectInfo::Kind::Heap) variables[number].name = naming.name(*object);
  touch(number);
  return number;
}

/// Says whose part the place is.
void DetailedTracer::Impl::belongs(verdict::Change& change, uint64_t address) {
  change.variable = variable(address);
  const auto object = machine.object_at(address);
  const std::string name = object ? naming.name(*object) : "";
  if (object && change.place.starts_with(name)) change.place.replace(0, name.size(), naming.place_name(*object));
}

/// A statement that made an object has just been executed.
void DetailedTracer::Impl::follow_objects(uint32_t thread, const Open& open) {
  const program::Statement& s = edge(open).statement;
  if ((s.kind != Kind::HeapAlloc && s.kind != Kind::StackAlloc && s.kind != Kind::Spawn) || !machine.alive(thread)) return;
  if (machine.frame_count(thread) <= open.frame || machine.frame(thread, open.frame).function != open.function) return;
  if (s.kind == Kind::Spawn) return follow_thread(thread, open);
  const uint64_t address = static_cast<uint64_t>(machine.register_value(thread, open.frame, s.targets[0]));
  const program::Register& r = program.functions[open.function].registers[s.targets[0]];
  const bool literal = s.kind == Kind::StackAlloc && s.text.starts_with(".compoundliteral");
  const Nameless nameless = literal ? uses_of(open.function, s.targets[0]) : Nameless{};
  naming.made(address, s.kind == Kind::HeapAlloc, literal ? nameless.type : r.type);
  objects.erase(address);
  hidden.erase(address);
  if (s.kind == Kind::HeapAlloc || open.frame >= threads[thread].frames.size()) return;
  // What has a name but no type is not of the source.
  const program::Type& pointed = type(type(r.type).element);
  const bool list = type(pointed.kind == program::Type::Kind::Array ? pointed.element : type(r.type).element).name.ends_with("__va_list_tag");
  hidden[address] = list || program.functions[open.function].runtime || (r.type == program::kNoType && !s.text.empty() && !literal) || (literal && nameless.only_copied);
  objects[address] = static_cast<uint32_t>(variables.size());
  variables.push_back({s.text, threads[thread].ordinal, threads[thread].frames[open.frame].number});
  scopes.push_back(r.scope);
}

/// `p->at = (struct point){1, 2}` is told by what p->at becomes; what a pointer leads to is told as it is.
DetailedTracer::Impl::Nameless DetailedTracer::Impl::uses_of(program::FunctionId function, program::RegisterId reg) const {
  const program::Function& f = program.functions[function];
  Nameless found;
  auto uses = [&](term::Term t) { return std::ranges::any_of(term::variables(t), [&](term::Term v) { return program.register_of(v).reg == reg; }); };
  auto seen = [&](term::Term t, program::TypeId pointer) {
    found.only_copied = false;
    if (t.op() == term::Op::Variable && type(pointer).kind == program::Type::Kind::Pointer) found.type = pointer;
  };
  for (const program::Edge& e : f.edges) {
    const program::Statement& s = e.statement;
    const size_t addresses = s.kind == Kind::Store || s.kind == Kind::Load || s.kind == Kind::Fill ? 1 : s.kind == Kind::Copy ? 2 : 0;
    for (size_t i = addresses; i < s.operands.size(); ++i) {
      const term::Term operand = s.operands[i];
      if (!uses(operand)) continue;
      const program::Function* callee = s.kind == Kind::Call ? &program.functions[s.callee] : nullptr;
      if (callee && i < callee->parameter_count && callee->registers[i].name.empty() && callee->registers[i].type == program::kNoType && !callee->runtime)
        continue;  // a struct that is passed by value
      seen(operand, callee && i < callee->parameter_count ? callee->registers[i].type
                    : s.kind == Kind::Assign              ? f.registers[s.targets[i]].type
                                                          : program::kNoType);
    }
  }
  return found;
}

/// A thread was made: the user's call names the function that it begins with.
void DetailedTracer::Impl::follow_thread(uint32_t thread, const Open& open) {
  const auto made = static_cast<uint32_t>(machine.register_value(thread, open.frame, edge(open).statement.targets[0]));
  const std::vector<Open>& calls = threads[thread].calls;
  const auto call = std::find_if(calls.rbegin(), calls.rend(), [](const Open& it) { return it.shown; });
  if (call == calls.rend() || made >= machine.thread_count()) return;
  for (term::Term operand : edge(*call).statement.operands)
    if (operand.width() == program.pointer_width())
      if (const auto function = program.function_at(static_cast<uint64_t>(machine.evaluate(thread, call->frame, operand))))
        begins_with[machine.ordinal(made)] = source_name(program.functions[*function]);
}

/// What a statement is about to write. Of a model of the library: by the user's call.
void DetailedTracer::Impl::follow_writes(uint32_t thread, ThreadState& state, Open& open) const {
  const program::Statement& s = edge(open).statement;
  if (open.shown) open.writer = open.step + 1;
  Open* model = nullptr;  // the user's call of it
  for (auto call = state.calls.rbegin(); open.writer == 0 && call != state.calls.rend(); ++call)
    if (call->shown) model = &*call, open.writer = call->step + 1;
  if (open.writer == 0) return;
  size_t count = 0;
  for (const semantics::Access& access : semantics::accesses(s)) {
    if (!access.write) continue;
    uint64_t size = access.bytes;
    if (access.size_operand != semantics::Access::kFixed)
      size = static_cast<uint64_t>(machine.evaluate(thread, open.frame, s.operands[access.size_operand]));
    const auto address = static_cast<uint64_t>(machine.evaluate(thread, open.frame, s.operands[access.address]));
    open.writes[count++] = {address, std::min(size, kFollowedBytes)};
    if (!model || is_hidden(address)) continue;
    if (!model->by_model.empty() && model->by_model.back().address + model->by_model.back().size == address)
      model->by_model.back().size += size;
    else if (model->by_model.size() < kModelWrites)
      model->by_model.push_back({address, size});
  }
}

/// The argument of the call that points to the place, or before it.
Through DetailedTracer::Impl::argument_at(uint32_t thread, const Open& call, uint64_t address) const {
  const auto object = machine.object_at(address);
  if (const program::Statement& s = edge(call).statement; object && !s.targets.empty()) {  // realloc
    const program::Register& r = program.functions[call.function].registers[s.targets[0]];
    const auto value = r.width() == program.pointer_width() ? static_cast<uint64_t>(machine.register_value(thread, call.frame, s.targets[0])) : 0;
    // `text = strdup("a")` must not read as if the pointer were the text.
    if (!r.name.empty() && value == object->address && type(type(r.type).element).size != 1) return {r.name, r.type, value};
  }
  for (term::Term operand : edge(call).statement.operands) {
    if (operand.width() != program.pointer_width()) continue;
    const auto value = static_cast<uint64_t>(machine.evaluate(thread, call.frame, operand));
    const auto other = machine.object_at(value);
    if (object && other && other->address == object->address && value <= address) return through(thread, call.frame, operand);
  }
  return {};
}

/// Pieces that overlap or follow on each other, in the order in which they were first written: what qsort moves is one array.
std::vector<DetailedTracer::Impl::Open::Range> DetailedTracer::Impl::joined(std::vector<Open::Range> pieces) const {
  auto join = [&](Open::Range& to, const Open::Range& piece) {
    const auto object = machine.object_at(to.address);
    if (!object || piece.address < object->address || piece.address >= object->address + object->size) return false;
    if (piece.address > to.address + to.size || to.address > piece.address + piece.size) return false;
    const uint64_t end = std::max(to.address + to.size, piece.address + piece.size);
    to.address = std::min(to.address, piece.address);
    to.size = end - to.address;
    return true;
  };
  for (size_t i = 0; i < pieces.size(); ++i)
    for (size_t k = i + 1; k < pieces.size();)
      if (join(pieces[i], pieces[k])) {
        pieces.erase(pieces.begin() + static_cast<ptrdiff_t>(k));
        k = i + 1;  // what did not touch it before may now
      } else {
        ++k;
      }
  return pieces;
}

/// What a model of the library has written into the user's objects: "buf = \"abc\"".
std::vector<verdict::Change> DetailedTracer::Impl::written(uint32_t thread, const Open& call) {
  const program::Statement& s = edge(call).statement;
  std::vector<verdict::Change> all;
  const program::FunctionRole role = s.kind == Kind::Call ? program.functions[s.callee].role : program::FunctionRole::Threads;
  if (role != program::FunctionRole::None && role != program::FunctionRole::JoinThread) return all;
  for (const Open::Range& range : joined(call.by_model)) {
    const auto object = machine.object_at(range.address);
    if (!object || !object->alive || range.address + range.size > object->address + object->size) continue;
    const auto id = program.object_at(range.address);
    const bool error = naming.is_errno(*object);
    if (object->kind == ObjectInfo::Kind::Static && (!id || program.objects[*id].runtime) && !error) continue;
    if ((object->kind == ObjectInfo::Kind::ThreadLocal && !error) || is_hidden(range.address)) continue;
    std::vector<uint8_t> before(std::min(range.size, kFollowedBytes));
    machine.read_memory(range.address, before);
    const bool zero = std::ranges::all_of(before, [](uint8_t byte) { return byte == 0; });
    if (zero && error) continue;
    if (zero && object->kind == ObjectInfo::Kind::Heap && range.size == object->size) continue;  // calloc
    for (verdict::Change& change : naming.changes(argument_at(thread, call, range.address), range.address, before)) {
      if (change.name.find("._") != std::string::npos || change.name.find("->_") != std::string::npos) continue;  // of a FILE
      if (object->kind == ObjectInfo::Kind::Heap && change.name.starts_with("byte")) continue;                     // of a DIR: only the library knows
      belongs(change, range.address);
      all.push_back(std::move(change));
    }
  }
  return all;
}

void DetailedTracer::Impl::begin_access(uint32_t thread, Open& open) const {
  const program::Statement& s = edge(open).statement;
  const bool block = s.kind == Kind::Copy || s.kind == Kind::Fill;
  if (!block && s.kind != Kind::Store && s.kind != Kind::Load && !program::updates_word(s.kind)) return;
  open.address = static_cast<uint64_t>(machine.evaluate(thread, open.frame, s.operands[0]));
  open.size = block ? static_cast<uint64_t>(machine.evaluate(thread, open.frame, s.operands[2])) : s.width / 8;
  open.through = through(thread, open.frame, s.operands[0]);
  if (s.kind == Kind::Store) open.stored = stored(thread, open);
  if (s.kind == Kind::Load || open.size > kFollowedBytes) return;
  open.before.resize(open.size);
  machine.read_memory(open.address, open.before);
}

std::optional<std::pair<std::string, std::string>> DetailedTracer::given(uint32_t thread, uint64_t address, u128 value, unsigned width) {
  constexpr size_t kTold = 8;  ///< of one line
  Impl::ThreadState& state = impl_->threads[thread];
  const bool own = state.withdrawn && state.withdrawn->shown;
  const Impl::Open* open = own ? &*state.withdrawn : impl_->user_call(thread);
  if (!open || !impl_->machine.object_at(address)) return std::nullopt;
  const uint64_t size = width / 8;
  const Naming& naming = impl_->naming;
  const bool loads = impl_->edge(*open).statement.kind == Kind::Load;
  const auto named = naming.place(loads ? open->through : impl_->argument_at(thread, *open, address), address, size);
  const PlaceName place = named ? *named : naming.place(address, size);
  if (place.type == program::kNoType) return std::nullopt;
  std::string text = naming.value(value, width, place.type);
  DetailedStep* call = own ? nullptr : impl_->step(open->step);
  if (std::vector<verdict::Change>* told = own ? &state.given : call ? &call->changes : nullptr; told && told->size() < kTold) {
    told->push_back({place.text, text, naming.place(address, size).text});
    impl_->belongs(told->back(), address);
  }
  return std::pair(place.text, std::move(text));
}

/// What the value of a store tells of the place: a number with a point, or not, and which bits are those that were read there.
Stored DetailedTracer::Impl::stored(uint32_t thread, const Open& open) const {
  const program::Statement& s = edge(open).statement;
  const term::Term value = s.operands[1];
  constexpr program::Kinds kFloat = program::kind_bit(program::Type::Kind::Float);
  if (s.text == program::kFloatText) return {kFloat, {}};
  // What was loaded or returned may be a struct that fits into a register.
  const bool copied = value.op() == term::Op::Variable && program.functions[open.function].registers[program.register_of(value).reg].name.empty();
  Stored result{copied ? program::kAnyKind : ~kFloat, {}};
  constexpr program::Kinds kPointer = program::kind_bit(program::Type::Kind::Pointer);
  const auto bits = static_cast<uint64_t>(machine.evaluate(thread, open.frame, value));
  // Objects lie high: what is inside of one is hardly anything but its address.
  if (!copied && bits != 0) result.kinds = machine.object_at(bits) || program.function_at(bits) ? kPointer : result.kinds & ~kPointer;
  if (value.op() == term::Op::Variable || value.op() == term::Op::Constant || open.frame >= threads[thread].frames.size()) return result;
  const auto& load = threads[thread].frames[open.frame].last_load;
  if (!load || load->second != open.address) return result;
  const std::vector<term::Term> all = term::variables(value);
  if (std::ranges::none_of(all, [&](term::Term v) { return program.register_of(v).reg == load->first; })) return result;
  auto with = [&](u128 before) {
    return program.terms().evaluate_leaves(value, [&](term::Term leaf) {
      const program::RegisterId reg = program.register_of(leaf).reg;
      return reg == load->first ? before & mask128(leaf.width()) : machine.register_value(thread, open.frame, reg);
    });
  };
  const u128 kept = with(0) ^ with(~u128{0});
  if (kept != 0) result.bits = ~kept & mask128(s.width);
  return result;
}

/// What a load has read, unless no one but its own function could have written it.
void DetailedTracer::Impl::add_read(DetailedStep& to, uint32_t thread, const Open& open) {
  const program::Statement& s = edge(open).statement;
  const auto object = machine.object_at(open.address);
  if (!object || object->constant || s.targets.empty() || is_hidden(open.address)) return;
  const auto seen = naming.place(open.through, open.address, open.size);
  const u128 value = machine.register_value(thread, open.frame, s.targets[0]);
  PlaceName named = seen ? *seen : naming.place(open.address, open.size);
  // The first member of a union, if it makes sense.
  if (type(named.type).kind == program::Type::Kind::Float && !naming.is_usual(value, named.type)) {
    constexpr program::Kinds kOther = ~program::kind_bit(program::Type::Kind::Float);
    const auto other = naming.place(open.through, open.address, open.size, kOther);
    const PlaceName better = other ? *other : naming.place(open.address, open.size, kOther);
    if (better.type != program::kNoType) named = better;
  }
  if (type(named.type).kind == program::Type::Kind::Pointer && open.frame < threads[thread].frames.size())
    threads[thread].frames[open.frame].loaded[s.targets[0]] = {named.text, named.type, static_cast<uint64_t>(value)};
  uint64_t writer = 0;
  for (uint64_t i = 0; i < open.size; ++i)
    if (auto found = writers.find(open.address + i); found != writers.end()) writer = std::max(writer, found->second);
  to.reads.push_back({named.text, naming.value(value, static_cast<unsigned>(open.size * 8), named.type), writer});
}

/// What realloc moves is what it was.
void DetailedTracer::Impl::follow_copy(uint32_t thread, const Open& open) {
  if (!machine.alive(thread) || machine.frame_count(thread) <= open.frame || machine.frame(thread, open.frame).function != open.function) return;
  const program::Statement& s = edge(open).statement;
  auto address = [&](size_t i) { return static_cast<uint64_t>(machine.evaluate(thread, open.frame, s.operands[i])); };
  naming.copied(address(0), address(1));
}

/// A pointer that is stored tells what type the object has that it points to.
void DetailedTracer::Impl::follow_pointer(const Open& open) {
  uint64_t value = 0;
  if (open.size > sizeof value || is_hidden(open.address)) return;
  if (!machine.read_memory(open.address, {reinterpret_cast<uint8_t*>(&value), open.size}) || !naming.knows(value)) return;
  const auto seen = naming.place(open.through, open.address, open.size);
  naming.pointed(value, (seen ? *seen : naming.place(open.address, open.size)).type);
}

}  // namespace whittle::exec
