#include "program/program.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace whittle::program {
namespace {

Statement statement(Kind kind, std::vector<RegisterId> targets = {}, std::vector<term::Term> operands = {}) {
  Statement s;
  s.kind = kind;
  s.targets = std::move(targets);
  s.operands = std::move(operands);
  return s;
}

/// i := 0; while (i < 10) i := i + 1; return i
Program counting() {
  Program program;
  program.functions.push_back({.name = "count", .return_width = 32});
  program.entry = 0;
  FunctionBuilder builder(program, 0);
  term::Store& store = program.terms();
  RegisterId i = builder.reg(32, "i");
  LocationId start = builder.location(), head = builder.location(), body = builder.location(), end = builder.location();
  term::Term less = store.slt(builder.var(i), store.constant(32, 10));
  // Given out of order on purpose.
  builder.edge(end, kNone, statement(Kind::Return, {}, {builder.var(i)}));
  builder.edge(head, body, statement(Kind::Assume, {}, {less}));
  builder.edge(start, head, statement(Kind::Assign, {i}, {store.constant(32, 0)}));
  builder.edge(body, head, statement(Kind::Assign, {i}, {store.add(builder.var(i), store.constant(32, 1))}));
  builder.edge(head, end, statement(Kind::Assume, {}, {store.bnot(less)}));
  builder.finish(start);
  return program;
}

std::string broken_rule(const Program& program) {
  try {
    program.validate();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::Internal);
    return error.what();
  }
  return "";
}

TEST(Program, BuilderSortsEdgesAndFindsLoopHeads) {
  Program program = counting();
  const Function& f = program.functions[0];
  EXPECT_EQ(broken_rule(program), "");
  for (size_t i = 1; i < f.edges.size(); ++i) EXPECT_LE(f.edges[i - 1].from, f.edges[i].from);
  EXPECT_EQ(f.locations[1].edge_count, 2u);
  EXPECT_FALSE(f.locations[0].loop_head);
  EXPECT_TRUE(f.locations[1].loop_head);
  EXPECT_FALSE(f.locations[2].loop_head);
  EXPECT_EQ(f.edges[f.locations[1].first_edge].to, 2u)
      << "edges of one location keep the order in which they were given";
}

TEST(Program, RegistersAndTheirVariables) {
  Program program = counting();
  term::Term stranger = program.terms().variable(8, "fresh");
  program.functions.push_back({.name = "g"});
  RegisterId r = program.add_register(1, 16, "x", 0);
  auto ref = program.register_of(program.functions[1].registers[r].variable);
  EXPECT_EQ(ref.function, 1u);
  EXPECT_EQ(ref.reg, 0u);
  EXPECT_EQ(program.register_of(stranger).function, kNone);
  EXPECT_EQ(program.register_of(program.terms().variable(8, "later")).reg, kNone);
  EXPECT_EQ(program.functions[1].registers[r].width(), 16u);
}

TEST(Program, FunctionsHaveAddresses) {
  Program program = counting();
  program.functions.push_back({.name = "g"});
  EXPECT_EQ(program.find_function("g"), FunctionId{1});
  EXPECT_EQ(program.find_function("h"), std::nullopt);
  EXPECT_EQ(program.function_at(Program::function_address(1)), FunctionId{1});
  EXPECT_EQ(program.function_at(Program::function_address(1) + 4), std::nullopt);
  EXPECT_EQ(program.function_at(Program::function_address(2)), std::nullopt);
  EXPECT_EQ(program.function_at(0), std::nullopt);
}

TEST(Program, ObjectsArePlacedWithGaps) {
  Program program;
  auto add = [&](const char* name, uint64_t size, uint32_t align, bool thread_local_ = false) {
    program.objects.push_back({.name = name, .size = size, .align = align, .thread_local_ = thread_local_});
    program.objects.back().initial.resize(size);
  };
  add("tls", 4, 4, true);
  add("a", 3, 1);
  add("b", 8, 64);
  add("none", 0, 1);
  add("tls2", 4, 4, true);
  add("c", 4, 4);
  program.place_objects();
  program.validate();
  for (ObjectId id : {1u, 2u, 5u}) {
    const Object& object = program.objects[id];
    EXPECT_EQ(object.address % object.align, 0u);
    EXPECT_EQ(program.object_at(object.address), id);
    EXPECT_EQ(program.object_at(object.address + object.size - 1), id);
    EXPECT_EQ(program.object_at(object.address + object.size), std::nullopt);
    EXPECT_EQ(program.object_at(object.address - 1), std::nullopt);
  }
  EXPECT_EQ(program.find_object("c"), ObjectId{5});
  EXPECT_GE(program.objects[2].address, program.objects[1].address + 3 + layout::kStaticSpread);
  program.objects[2].size = layout::kDynamicBase - layout::kStaticBase - 4096;  // room for narrow gaps only
  program.place_objects();
  EXPECT_LT(program.objects[2].address, program.objects[1].address + 128);
  program.objects[2].size = uint64_t{1} << 40;
  EXPECT_THROW(program.place_objects(), Error);
}

TEST(Program, Where) {
  Program program;
  program.files = {"a.c"};
  EXPECT_EQ(program.where({0, 12, 3}), "a.c:12");
  EXPECT_EQ(program.where({}), "?");
  EXPECT_EQ(program.where({7, 1, 1}), "?");
}

TEST(Validate, NamesTheBrokenRule) {
  auto broken = [](auto change) {
    Program program = counting();
    change(program, program.functions[0], program.terms());
    return broken_rule(program);
  };
  using P = Program&;
  using F = Function&;
  using S = term::Store&;
  EXPECT_NE(broken([](P, F f, S s) { f.edges[0].statement.operands[0] = s.constant(8, 0); }), "");
  EXPECT_NE(broken([](P, F f, S) { f.edges[0].statement.targets = {7}; }), "");
  EXPECT_NE(broken([](P, F f, S) { f.edges[0].statement.operands.clear(); }), "");
  EXPECT_NE(broken([](P, F f, S) { f.edges[0].to = kNone; }), "");
  EXPECT_NE(broken([](P, F f, S) { f.edges[0].to = 99; }), "");
  EXPECT_NE(broken([](P, F f, S) { std::swap(f.edges[0], f.edges[1]); }), "");
  EXPECT_NE(broken([](P, F f, S) { f.edges[1].statement.kind = Kind::Skip; }), "");
  EXPECT_NE(broken([](P, F f, S) { f.edges.back().statement.operands.clear(); }), "");
  EXPECT_NE(broken([](P, F f, S s) { f.edges[0].statement.operands[0] = s.variable(32, "stranger"); }), "");
  EXPECT_NE(broken([](P, F f, S s) { f.edges[0].statement.operands[0] = s.read(s.constant(64, 4096), 32); }), "");
  EXPECT_NE(broken([](P p, F, S) { p.entry = 5; }), "");
  EXPECT_NE(broken([](P, F f, S) { f.parameter_count = 1; }), "");
  EXPECT_NE(broken([](P p, F, S) { p.types.clear(); }), "");
  EXPECT_EQ(broken([](P, F f, S s) {
              f.edges[0].statement = statement(Kind::Load, {0}, {s.constant(64, 4096)});
              f.edges[0].statement.width = 12;
            }),
            "function `count`, edge 0 at location 0 (load, ?): it accesses 12 bits");
}

TEST(Statement, EveryKindHasItsName) {
  std::set<std::string_view> names;
  for (unsigned i = 0; i < kKindCount; ++i) names.insert(name(static_cast<Kind>(i)));
  EXPECT_EQ(names.size(), kKindCount);
  EXPECT_EQ(name(Kind::Skip), "skip");
  EXPECT_EQ(name(Kind::Await), "await");
  EXPECT_EQ(name(Kind::HostMath), "host_math");
  EXPECT_EQ(name(Kind::Unsupported), "unsupported");
  EXPECT_EQ(name(Rmw::UMin), "umin");
}

}  // namespace
}  // namespace whittle::program
