// Two toy machines for tests and micro-benchmarks: a graph given as a list, and small programs over registers.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "base/hash.h"
#include "machine/machine.h"
#include "machine/state_numbers.h"

namespace whittle::explore::toy {

using machine::ByteRange;
using machine::Ending;
using machine::Footprint;
using machine::Position;
using machine::StepKind;
using machine::Successors;

/// Nodes with atoms and edges. An edge is a step of some kind; a node without edges ends in some way.
struct Graph {
  struct Edge {
    uint32_t to = 0;
    StepKind kind = StepKind::Moved;
  };
  struct Node {
    std::vector<Edge> edges;
    uint64_t atoms = 0;
    Ending ending = Ending::Halted;
    bool breaking = true;
  };
  std::vector<Node> nodes;
};

class GraphMachine final : public machine::Machine, public machine::StateNumbers {
 public:
  explicit GraphMachine(const Graph& graph) : graph_(graph) {}
  void reset() override { at_ = 0; }
  std::span<const uint8_t> save() override {
    bytes_.assign(4 + at_ % 7, static_cast<uint8_t>(at_));  // lengths vary, as they may
    std::memcpy(bytes_.data(), &at_, 4);
    return bytes_;
  }
  void load(std::span<const uint8_t> state) override { std::memcpy(&at_, state.data(), 4); }
  Successors successors() override {
    const Graph::Node& node = graph_.nodes[at_];
    uint32_t count = static_cast<uint32_t>(node.edges.size());
    return {count, count == 0 ? node.ending : Ending::None};
  }
  StepKind step(uint32_t choice) override {
    Graph::Edge edge = graph_.nodes[at_].edges[choice];
    at_ = edge.to;
    return edge.kind;
  }
  uint64_t observe() override { return graph_.nodes[at_].atoms; }
  Position position() override { return {at_ % 5, graph_.nodes[at_].breaking}; }
  void trace_footprints(bool) override {}
  const Footprint& footprint() override { return nothing_; }
  void cells(std::vector<ByteRange>& mortal, std::vector<ByteRange>& dead) override { mortal.clear(), dead.clear(); }
  void save_numbers(std::vector<uint8_t>&) override {}
  bool load_numbers(std::span<const uint8_t>) override { return true; }
  std::unique_ptr<machine::Machine> twin() override { return std::make_unique<GraphMachine>(graph_); }
  uint32_t at() const { return at_; }

 private:
  const Graph& graph_;
  uint32_t at_ = 0;
  std::vector<uint8_t> bytes_;
  Footprint nothing_;
};

enum class Op : uint8_t {
  Set,     ///< a = n
  Copy,    ///< a = b
  Add,     ///< a = a + b
  Load,    ///< a = register number (b mod registers): what is read shows at run time only
  Choose,  ///< a = any value
  Fork,    ///< go to n or on
  Branch,  ///< if a == 0 go to n
  Jump,    ///< go to n
  Push,    ///< a goes on the stack, the state grows
  Pop,     ///< and comes off it; nothing happens if it is empty
  Assume,  ///< a == n, or this is no run
  Check,   ///< a != n, or this is a violation
  Wait,    ///< until a == n
  Cut,     ///< nothing is known beyond
  Halt,
};
struct Instruction {
  Op op = Op::Halt;
  uint8_t a = 0, b = 0, n = 0;
};

/// One program for each thread; they share registers and the stack. Registers hold 0 .. values-1.
struct Program {
  std::vector<std::vector<Instruction>> threads;
  uint8_t registers = 3;
  uint8_t values = 3;
  uint8_t atoms = 0;      ///< atom i: register i is 0
  uint8_t max_stack = 3;  ///< a push beyond is ignored
};

/// State: program counters, height of the stack, registers, stack.
class RegisterMachine final : public machine::Machine, public machine::StateNumbers {
 public:
  explicit RegisterMachine(const Program& program);
  void reset() override;
  std::span<const uint8_t> save() override { return state_; }
  void load(std::span<const uint8_t> state) override { state_.assign(state.begin(), state.end()); }
  Successors successors() override;
  StepKind step(uint32_t choice) override;
  uint64_t observe() override;
  Position position() override;
  void save_numbers(std::vector<uint8_t>&) override {}
  bool load_numbers(std::span<const uint8_t>) override { return true; }
  std::unique_ptr<machine::Machine> twin() override { return std::make_unique<RegisterMachine>(program_); }
  void trace_footprints(bool on) override { trace_ = on; }
  const Footprint& footprint() override { return footprint_; }
  void cells(std::vector<ByteRange>& mortal, std::vector<ByteRange>& dead) override;

 private:
  const Instruction& next(size_t thread) const { return program_.threads[thread][state_[thread]]; }
  uint8_t& height() { return state_[program_.threads.size()]; }
  uint32_t at(uint8_t r) const { return static_cast<uint32_t>(program_.threads.size()) + 1 + r; }
  uint8_t read(uint32_t offset) {
    if (trace_) footprint_.reads.push_back({offset, 1});
    return state_[offset];
  }
  void write(uint32_t offset, uint8_t value) {
    if (trace_) footprint_.writes.push_back({offset, 1});
    state_[offset] = value;
  }
  uint32_t open_choices(size_t thread) const;
  StepKind execute(size_t thread, const Instruction& i, uint32_t choice);
  void analyse();

  const Program program_;
  std::vector<uint8_t> state_;
  bool trace_ = false;
  Footprint footprint_;
  std::vector<std::vector<uint32_t>> live_;  ///< static: registers live before each instruction
  std::vector<std::vector<bool>> breaking_;
};

Graph random_graph(std::mt19937& random, uint32_t nodes);
Program random_program(std::mt19937& random, bool with_atoms);

inline RegisterMachine::RegisterMachine(const Program& program) : program_(program) {
  analyse();
  reset();
}

inline void RegisterMachine::reset() { state_.assign(at(program_.registers), 0); }

inline uint32_t RegisterMachine::open_choices(size_t thread) const {
  const Instruction& i = next(thread);
  switch (i.op) {
    case Op::Choose: return program_.values;
    case Op::Fork: return 2;
    case Op::Wait: return state_[at(i.a)] == i.n ? 1 : 0;
    case Op::Halt: return 0;
    default: return 1;
  }
}

inline Successors RegisterMachine::successors() {
  Successors result;
  bool waiting = false, cut = false;
  for (size_t t = 0; t < program_.threads.size(); ++t) {
    result.count += open_choices(t);
    waiting |= next(t).op == Op::Wait;
    cut |= next(t).op == Op::Cut && next(t).n != 0;
  }
  if (cut) return {0, Ending::Cut};
  if (result.count == 0) result.ending = waiting ? Ending::Deadlock : Ending::Halted;
  return result;
}

inline StepKind RegisterMachine::step(uint32_t choice) {
  footprint_.clear();
  for (size_t t = 0; t < program_.threads.size(); ++t)
    if (next(t).op == Op::Wait) read(at(next(t).a));
  for (size_t t = 0;; ++t) {
    uint32_t open = open_choices(t);
    if (choice < open) return execute(t, next(t), choice);
    choice -= open;
  }
}

inline StepKind RegisterMachine::execute(size_t thread, const Instruction& i, uint32_t choice) {
  uint8_t& pc = state_[thread];
  uint8_t target = static_cast<uint8_t>(pc + 1);
  uint32_t top = at(program_.registers) + height();
  switch (i.op) {
    case Op::Set: write(at(i.a), i.n); break;
    case Op::Copy: write(at(i.a), read(at(i.b))); break;
    case Op::Add: write(at(i.a), static_cast<uint8_t>((read(at(i.a)) + read(at(i.b))) % program_.values)); break;
    case Op::Load: write(at(i.a), read(at(read(at(i.b)) % program_.registers))); break;
    case Op::Choose: write(at(i.a), static_cast<uint8_t>(choice)); break;
    case Op::Fork: target = choice == 0 ? i.n : target; break;
    case Op::Branch: target = read(at(i.a)) == 0 ? i.n : target; break;
    case Op::Jump: target = i.n; break;
    case Op::Push:
      if (height() == program_.max_stack) break;
      ++height();
      state_.push_back(0);
      write(top, read(at(i.a)));
      break;
    case Op::Pop:
      if (height() == 0) break;
      write(at(i.a), read(top - 1));
      --height();
      state_.pop_back();
      break;
    case Op::Assume:
      if (read(at(i.a)) != i.n) return StepKind::Pruned;
      break;
    case Op::Check:
      if (read(at(i.a)) == i.n) return StepKind::Violation;
      break;
    case Op::Cut: return StepKind::Cut;
    case Op::Wait: break;
    case Op::Halt: break;
  }
  state_[thread] = target;
  return StepKind::Moved;
}

inline uint64_t RegisterMachine::observe() {
  uint64_t atoms = 0;
  for (uint8_t r = 0; r < program_.atoms; ++r) atoms |= uint64_t{state_[at(r)] == 0} << r;
  return atoms;
}

inline Position RegisterMachine::position() {
  Position here{0, false};
  for (size_t t = 0; t < program_.threads.size(); ++t) {
    here.location = here.location * 256 + state_[t];
    here.breaking |= breaking_[t][state_[t]] || program_.threads.size() > 1;
  }
  return here;
}

inline void RegisterMachine::cells(std::vector<ByteRange>& mortal, std::vector<ByteRange>& dead) {
  mortal.clear();
  dead.clear();
  uint32_t live = 0;
  for (size_t t = 0; t < program_.threads.size(); ++t) live |= live_[t][state_[t]];
  for (uint8_t r = program_.atoms; r < program_.registers; ++r) {
    mortal.push_back({at(r), 1});
    if ((live >> r & 1) == 0) dead.push_back({at(r), 1});
  }
  if (height() != 0) mortal.push_back({at(program_.registers), height()});
}

/// Liveness and breaking locations of each thread by itself. A register is dead in a state if it is dead in all
/// threads.
inline void RegisterMachine::analyse() {
  auto bit = [](uint8_t r) { return 1u << r; };
  for (const std::vector<Instruction>& code : program_.threads) {
    std::vector<uint32_t>& live = live_.emplace_back(code.size() + 1, 0);
    std::vector<bool>& breaking = breaking_.emplace_back(code.size() + 1, false);
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t pc = code.size(); pc-- > 0;) {
        const Instruction& i = code[pc];
        uint32_t after = 0;
        if (i.op != Op::Halt && i.op != Op::Jump) after |= live[pc + 1];
        if (i.op == Op::Fork || i.op == Op::Branch || i.op == Op::Jump) after |= live[i.n], breaking[i.n] = true;
        if (i.op == Op::Set || i.op == Op::Copy || i.op == Op::Load || i.op == Op::Choose) after &= ~bit(i.a);
        if (i.op == Op::Copy || i.op == Op::Add) after |= bit(i.b);
        if (i.op == Op::Load) after |= bit(program_.registers) - 1;
        if (i.op == Op::Add || i.op == Op::Branch || i.op == Op::Push || i.op >= Op::Assume) after |= bit(i.a);
        changed |= after != live[pc];
        live[pc] = after;
        bool writes = i.op <= Op::Choose || i.op == Op::Pop;
        if (i.op == Op::Choose || i.op == Op::Fork || i.op == Op::Wait || (writes && i.a < program_.atoms))
          breaking[pc] = true;
      }
    }
  }
}

inline Graph random_graph(std::mt19937& random, uint32_t nodes) {
  auto below = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
  Graph graph;
  const bool cuts = below(4) == 0, prunes = below(3) == 0;
  const uint32_t chains = 1 + below(6);
  for (uint32_t n = 0; n < nodes; ++n) {
    Graph::Node node;
    // Mostly one successor with similar atoms, so that there are paths to reduce.
    uint32_t degree = below(12) == 0 ? 0 : below(chains) == 0 ? 2 + below(2) : 1;
    for (uint32_t e = 0; e < degree; ++e) {
      Graph::Edge edge{below(3) == 0 ? below(nodes) : std::min(nodes - 1, n + 1 + below(2)), StepKind::Moved};
      if (prunes && below(8) == 0) edge.kind = StepKind::Pruned;
      if (cuts && below(40) == 0) edge.kind = StepKind::Cut;
      node.edges.push_back(edge);
    }
    node.atoms = below(3) == 0 || n == 0 ? below(8) : graph.nodes[n - 1].atoms;
    node.ending = below(3) == 0 ? Ending::Deadlock : cuts && below(4) == 0 ? Ending::Cut : Ending::Halted;
    node.breaking = below(3) == 0;
    graph.nodes.push_back(node);
  }
  return graph;
}

inline Program random_program(std::mt19937& random, bool with_atoms) {
  auto below = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
  Program program;
  program.registers = static_cast<uint8_t>(2 + below(3));
  program.values = static_cast<uint8_t>(2 + below(2));
  program.atoms = static_cast<uint8_t>(with_atoms ? 1 + below(program.registers) : 0);
  const bool errors = below(2) == 0, cuts = below(8) == 0;
  for (uint32_t threads = below(4) == 0 ? 2 : 1; threads > 0; --threads) {
    const uint32_t length = 4 + below(threads == 2 ? 5 : 12);
    std::vector<Instruction> code;
    for (uint32_t pc = 0; pc < length; ++pc) {
      Instruction i;
      i.op = static_cast<Op>(below(static_cast<uint32_t>(Op::Halt)));
      if (below(3) == 0) i.op = Op::Choose;
      if (i.op == Op::Check && !errors) i.op = Op::Copy;
      if (i.op == Op::Cut && !cuts) i.op = Op::Load;
      i.a = static_cast<uint8_t>(below(program.registers));
      i.b = static_cast<uint8_t>(below(program.registers));
      bool jumps = i.op == Op::Fork || i.op == Op::Branch || i.op == Op::Jump;
      i.n = static_cast<uint8_t>(below(jumps ? length + 1 : program.values));
      code.push_back(i);
    }
    code.push_back({Op::Halt});
    program.threads.push_back(code);
  }
  return program;
}

}  // namespace whittle::explore::toy
