// Random programs are walked at random; whatever happens on a walk must be foreseen by the analyses.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <random>

#include "program/analysis/access.h"
#include "program/analysis/reachability.h"
#include "program/parse.h"
#include "program/print.h"

namespace whittle::program::analysis {
namespace {

using verdict::Property;

/// Pointers wander through registers, static, thread-local, stack and heap objects, calls and threads.
std::string random_program(std::mt19937& random) {
  std::string text =
      "program LP64\nentry 0\n"
      "object 0 \"x\" at 0x101000 size 16 align 8\n"
      "object 1 \"y\" at 0x103000 size 16 align 8 = 0x0010100000000000\n"
      "object 2 \"z\" at 0x105000 size 16 align 8 = 0x10100000000000002010000000000000\n"
      "object 3 \"tls\" at 0x105000 size 16 align 8 thread_local\n";
  static const char* const kConstants[] = {"&x", "&y+8", "&z", "@f1", "@f2", "0x102fd8", "@f3", "0"};
  for (unsigned f = 0; f < 4; ++f) {
    unsigned n = 4 + random() % 8, parameters = f == 0 ? 0 : f == 3 ? 1 : 2;
    text += fmt::format("function {} \"f{}\" returns {} entry 0 locations {} parameters {}\n", f, f, f == 0 ? 0 : 64,
                        n + 6 - parameters, parameters);
    for (unsigned r = 0; r < 5; ++r) text += fmt::format("register {} 64\n", r);
    text += "register 5 1\n";
    // Some pointers to begin with, or walks end before anything happens.
    static const char* const kStart[] = {"&x", "&y", "&z", "stack_alloc(16)", "heap_alloc(16, 1)", "thread_local tls"};
    unsigned start = 5 - parameters;
    for (unsigned i = 0; i < start; ++i)
      text += fmt::format("{} -> {}: r{} := {}\n", i, i + 1, parameters + i, kStart[random() % 6]);
    n += start;
    for (unsigned l = start; l < n; ++l) {
      auto r = [&] { return fmt::format("r{}", random() % 5); };
      unsigned to = random() % 4 != 0 ? l + 1 : random() % (n + 1);
      std::string s;
      switch (random() % 20) {
        case 0: s = fmt::format("{} := {}", r(), kConstants[random() % 8]); break;
        case 1: s = fmt::format("{} := ({} + 8)", r(), r()); break;
        case 2: s = fmt::format("{} := ({} - 8)", r(), r()); break;
        case 3: s = fmt::format("{} := (({} <u {}) ? {} : {})", r(), r(), r(), r(), r()); break;
        case 4:
        case 5: s = fmt::format("{} := load.64({})", r(), r()); break;
        case 6:
        case 7: s = fmt::format("store.64({}, {})", r(), r()); break;
        case 8: s = fmt::format("{} := stack_alloc(16)", r()); break;
        case 9: s = fmt::format("{} := heap_alloc(16, 1)", r()); break;
        case 10: s = fmt::format("heap_free({})", r()); break;
        case 11: s = fmt::format("copy({}, {}, 8)", r(), r()); break;
        case 12: s = fmt::format("{} := call f{}({}, {})", r(), 1 + random() % 2, r(), r()); break;
        case 13: s = fmt::format("{} := icall({}, {}, {})", r(), random() % 2 ? "@f2" : r(), r(), r()); break;
        case 14: s = fmt::format("{} := spawn({}, {}, {})", r(), random() % 2 ? "@f3" : r(), r(), r()); break;
        case 15: s = fmt::format("{} := thread_local tls", r()); break;
        case 16: s = fmt::format("{} := atomic_rmw.64 exchange({}, {})", r(), r(), r()); break;
        case 17: s = fmt::format("{} := load.64({})", r(), random() % 2 ? "&y" : "(r0 + &x)"); break;
        case 18: s = random() % 4 == 0 ? "check((r0 != 0)) property unreach-call \"\"" : "fill(r1, 0, 8)"; break;
        default: text += fmt::format("{} -> {}: assume(r5)\n", l, random() % (n + 1)); s = "assume(!r5)";
      }
      text += fmt::format("{} -> {}: {}\n", l, to, s);
    }
    text += fmt::format("{}: return{}\n", n, f == 0 ? "" : "(r0)");
  }
  return text;
}

/// Walks without looking at conditions; stops at the first access that is not good.
class Walker {
 public:
  Walker(const Program& program, std::mt19937& random)
      : program_(program),
        random_(random),
        calls_(program),
        points_(program, calls_),
        accesses_(program, calls_, points_),
        ahead_(program, calls_, {.properties = {Property::UnreachCall}}) {
    for (ObjectId o = 0; o < program.objects.size(); ++o)
      if (!program.objects[o].thread_local_) objects_.push_back({program.objects[o].address, 16, o, 0, true, true});
    for (const Object& object : program.objects)
      for (size_t i = 0; i < object.initial.size(); i += 8) {
        uint64_t word = 0;
        for (unsigned b = 0; b < 8; ++b) word |= uint64_t{object.initial[i + b]} << (8 * b);
        if (!object.thread_local_) memory_[object.address + i] = word;
      }
  }

  void walk() { run(program_.entry, {}, 0); }
  unsigned checked = 0, foreign = 0;

 private:
  struct LiveObject {
    uint64_t address, size;
    PlaceId place;
    uint32_t thread;
    bool alive, is_static;
  };
  struct Frame {
    FunctionId function;
    LocationId location;
  };
  /// Where all frames stood, and the sets that were promised then.
  struct Moment {
    uint32_t accesses;
    bool can_fail;
  };
  static constexpr unsigned kSteps = 150;

  /// Runs a function to its end; false if the walk is over. Threads run at once, on top of whoever starts them.
  bool run(FunctionId f, std::vector<uint64_t> arguments, uint32_t thread) {
    const Function& function = program_.functions[f];
    std::vector<uint64_t> registers(function.registers.size());
    for (size_t i = 0; i < function.parameter_count && i < arguments.size(); ++i) registers[i] = arguments[i];
    frames_.push_back({f, function.entry});
    size_t first_object = objects_.size();
    std::vector<LocationId> visited;
    while (true) {
      LocationId l = frames_.back().location;
      if (moments_.size() >= kSteps) return false;
      remember();
      visited.push_back(l);
      const Location& location = function.locations[l];
      uint32_t e = location.first_edge + random_() % location.edge_count;
      const Edge& edge = function.edges[e];
      frames_.back().location = edge.to;  // callees and threads run while the frame stands after the call
      if (edge.statement.kind == Kind::Return) {
        for (LocationId before : visited) EXPECT_TRUE(ahead_.returns(f, before));
        for (size_t i = first_object; i < objects_.size(); ++i)
          if (frame_of_[i] == frames_.size()) end(objects_[i], thread);
        result_ = edge.statement.operands.empty() ? 0 : value(edge.statement.operands[0], registers);
        frames_.pop_back();
        return true;
      }
      if (!step(f, e, registers, thread)) return false;
    }
  }

  void remember() {
    uint32_t set = accesses_.empty();
    bool can_fail = false;
    for (const Frame& frame : frames_) {
      set = accesses_.join(set, accesses_.number(frame.function, frame.location));
      can_fail |= ahead_.before_return(frame.function, frame.location);
    }
    EXPECT_TRUE(!can_fail || frames_.size() != 1 || ahead_.ever(frames_[0].function, frames_[0].location));
    moments_.push_back({set, can_fail});
  }

  uint64_t value(term::Term t, const std::vector<uint64_t>& registers) {
    term::Assignment assignment;
    assignment.variable = [&](term::Term v) { return u128{registers[program_.register_of(v).reg]}; };
    return static_cast<uint64_t>(program_.terms().evaluate(t, assignment));
  }

  LiveObject* find(uint64_t address) {
    for (LiveObject& o : objects_)
      if (o.alive && address - o.address <= o.size - 8 && address % 8 == 0) return &o;
    return nullptr;
  }

  /// The access must be in the set of the statement and in all that was promised before.
  bool access(const Statement& s, term::Term address, uint64_t at, bool write, uint32_t thread) {
    LiveObject* object = find(at);
    if (object == nullptr) return false;
    const Places& places = points_.places();
    EXPECT_TRUE(places.contains(points_.accessed(address), object->place)) << places.name(object->place);
    for (const Moment& moment : moments_) {
      const Access& promised = accesses_.numbered(moment.accesses);
      EXPECT_TRUE(places.contains(write ? promised.writes : promised.reads, object->place));
    }
    EXPECT_TRUE(!write || !object->is_static || written_.test(object->place));
    if (calls_.concurrent() && object->thread != thread && !object->is_static) ++foreign;
    ++checked;
    return true;
  }
  void end(LiveObject& object, uint32_t thread) {
    for (const Moment& moment : moments_)
      EXPECT_TRUE(points_.places().contains(accesses_.numbered(moment.accesses).writes, object.place) ||
                  object.thread != thread);
    object.alive = false;
  }

  uint64_t allocate(PlaceId place, uint32_t thread, bool stack) {
    uint64_t address = next_;
    next_ += 0x2000;
    frame_of_.resize(objects_.size() + 1, 0);
    frame_of_.back() = stack ? frames_.size() : 0;
    objects_.push_back({address, 16, place, thread, true, false});
    return address;
  }

  bool step(FunctionId f, uint32_t e, std::vector<uint64_t>& registers, uint32_t thread) {
    const Statement& s = program_.functions[f].edges[e].statement;
    auto operand = [&](size_t i) { return value(s.operands[i], registers); };
    auto set = [&](uint64_t v) {
      if (!s.targets.empty()) registers[s.targets[0]] = v;
      return true;
    };
    auto touch = [&](size_t i, bool write) { return access(s, s.operands[i], operand(i), write, thread); };
    switch (s.kind) {
      case Kind::Assign: return set(operand(0));
      case Kind::Load: return touch(0, false) && set(memory_[operand(0)]);
      case Kind::Store:
        if (!touch(0, true)) return false;
        memory_[operand(0)] = operand(1);
        return true;
      case Kind::Fill:
        if (!touch(0, true)) return false;
        memory_[operand(0)] = 0;
        return true;
      case Kind::Copy:
        if (!touch(1, false) || !touch(0, true)) return false;
        memory_[operand(0)] = memory_[operand(1)];
        return true;
      case Kind::AtomicRmw: {
        if (!touch(0, false) || !touch(0, true)) return false;
        uint64_t at = operand(0), old = memory_[at];
        memory_[at] = operand(1);
        return set(old);
      }
      case Kind::StackAlloc: return set(allocate(points_.places().of_site(f, e), thread, true));
      case Kind::HeapAlloc: return set(allocate(points_.places().of_site(f, e), thread, false));
      case Kind::HeapFree: {
        LiveObject* object = find(operand(0));
        if (object == nullptr || object->is_static || frame_of_[object - objects_.data()] != 0 || !touch(0, true))
          return false;
        if (object->place == 3) return false;  // thread-local ones cannot be freed
        object->alive = false;
        return true;
      }
      case Kind::ThreadLocal: return set(thread_local_of(thread));
      case Kind::Check:
        for (const Moment& moment : moments_) EXPECT_TRUE(moment.can_fail);
        return true;
      case Kind::Call: return run(s.callee, {operand(0), operand(1)}, thread) && set(result_);
      case Kind::IndirectCall:
      case Kind::Spawn: return enter(s, operand(0), {operand(1), operand(2)}, thread) && set(result_);
      default: return true;
    }
  }

  bool enter(const Statement& s, uint64_t address, std::vector<uint64_t> arguments, uint32_t thread) {
    auto f = program_.function_at(address);
    if (!f || program_.functions[*f].parameter_count > 2 || *f == 0) return false;
    std::vector<FunctionId> targets = calls_.targets(s);
    EXPECT_NE(std::find(targets.begin(), targets.end(), *f), targets.end());
    bool spawn = s.kind == Kind::Spawn;
    if (!run(*f, std::move(arguments), spawn ? ++threads_ : thread)) return false;
    if (spawn) result_ = threads_;
    return true;
  }

  uint64_t thread_local_of(uint32_t thread) {
    auto [entry, fresh] = thread_locals_.try_emplace(thread, 0);
    if (fresh) entry->second = allocate(3, thread, false);
    return entry->second;
  }

  const Program& program_;
  std::mt19937& random_;
  CallGraph calls_;
  PointsTo points_;
  AccessSets accesses_;
  Reachability ahead_;
  BitSet written_ = written_objects(program_, calls_, points_);
  std::vector<Frame> frames_;
  std::vector<Moment> moments_;
  std::vector<LiveObject> objects_;
  std::vector<size_t> frame_of_ = std::vector<size_t>(3, 0);  ///< by object: depth of the frame it ends with, 0 if none
  std::map<uint64_t, uint64_t> memory_;
  std::map<uint32_t, uint64_t> thread_locals_;
  uint64_t next_ = layout::kDynamicBase;
  uint64_t result_ = 0;
  uint32_t threads_ = 0;
};

TEST(Walk, WhateverHappensWasForeseen) {
  unsigned programs = std::getenv("WHITTLE_LONG") != nullptr ? 3000 : 300;
  std::mt19937 random(11);
  unsigned checked = 0, foreign = 0;
  for (unsigned i = 0; i < programs; ++i) {
    std::string text = random_program(random);
    Program program = parse_text(text);
    for (unsigned w = 0; w < 12; ++w) {
      Walker walker(program, random);
      walker.walk();
      checked += walker.checked, foreign += walker.foreign;
      ASSERT_FALSE(testing::Test::HasFailure()) << "program " << i << " walk " << w << "\n" << text;
    }
  }
  EXPECT_GT(checked, 5 * programs);
  EXPECT_GT(foreign, 10u);
}

}  // namespace
}  // namespace whittle::program::analysis
