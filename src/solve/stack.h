// The solver everyone uses: layers stacked before a back end. Each layer is optional, so tests and benchmarks can tell
// what it is worth.
//
//   Statistics statistics;
//   auto solver = make_solver(store, {}, &statistics);
#pragma once

#include <array>
#include <string_view>

#include "base/context.h"
#include "solve/solver.h"

namespace whittle::solve {

/// Measured: whichever was fastest on questions of the kind (bench/solvers).
enum class Engine : uint8_t { Measured, Z3, Cvc5, Cadical };
/// The names that users know: auto, z3, cvc5, cadical.
inline constexpr std::array<std::string_view, 4> kEngineNames{"auto", "z3", "cvc5", "cadical"};
/// Measured if it is none of them.
Engine engine_named(std::string_view name);

struct StackOptions {
  Engine engine = Engine::Measured;
  bool split = true;          ///< conjunctions apart, duplicates and trivial conditions out, equalities put to use
  bool independence = true;   ///< conditions that share no unknowns are decided separately
  bool cache = true;          ///< answers of earlier queries, of their subsets and supersets
  bool reuse_models = true;   ///< models of earlier queries are tried before asking
  bool cross_check = false;   ///< every answer of the back end is asked of the other back end, too
  std::string log_directory;  ///< not empty: every query that reaches the back end is written there as SMT-LIB
};

/// What the user asked for. A Context points to it.
struct SolverOptions {
  Engine engine = Engine::Measured;
  bool cross_check = false;
  std::string log_directory;
};

/// What an engine asks about: paths (CaDiCaL, Z3 where there are floats), or whether blocks preserve conditions, with limits
/// in steps of Z3 (Z3).
enum class Asked : uint8_t { Paths, Induction };

/// The solver of an engine: as the context's options say. A check ends when the context's limits do, whatever its own
/// budget; figures named solver_* are added to the context's statistics. All must outlive the solver, and so must the
/// store.
std::unique_ptr<Solver> make_solver(Context& context, const term::Store& store, Asked asked = Asked::Paths);

/// `statistics`, if given, gets figures named solver.*; it must outlive the solver, and so must the store.
std::unique_ptr<Solver> make_solver(const term::Store& store, const StackOptions& options = {},
                                    Statistics* statistics = nullptr);

struct StackContext;
// The layers, from the top of the stack down. Each takes the solver behind it.
std::unique_ptr<Solver> make_split(StackContext& context, std::unique_ptr<Solver> inner);
std::unique_ptr<Solver> make_independence(StackContext& context, std::unique_ptr<Solver> inner);
std::unique_ptr<Solver> make_cache(StackContext& context, std::unique_ptr<Solver> inner);
std::unique_ptr<Solver> make_model_reuse(StackContext& context, std::unique_ptr<Solver> inner);
std::unique_ptr<Solver> make_cross_check(StackContext& context, std::unique_ptr<Solver> inner,
                                         std::unique_ptr<Solver> other);
std::unique_ptr<Solver> make_smtlib_log(StackContext& context, std::unique_ptr<Solver> inner, std::string directory);
/// Counts queries, answers and seconds as solver.NAME.queries, .sat, .unsat, .unknown, .seconds.
std::unique_ptr<Solver> make_statistics(StackContext& context, std::unique_ptr<Solver> inner, std::string name);

}  // namespace whittle::solve
