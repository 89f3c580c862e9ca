#include "solve/z3_library.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace whittle::solve {

Z3_context make_z3_context(bool counted) {
  Z3_config config = Z3_mk_config();
  Z3_context made = counted ? Z3_mk_context_rc(config) : Z3_mk_context(config);
  Z3_del_config(config);
  Z3_set_error_handler(made, [](Z3_context, Z3_error_code) {});
  return made;
}

Failure z3_failure(Z3_context context) {
  const Z3_error_code code = Z3_get_error_code(context);
  return {code == Z3_MEMOUT_FAIL ? "memory limit" : fmt::format("z3: {}", Z3_get_error_msg(context, code))};
}

void set_z3_limits(Z3_context context, Z3_solver solver, const Budget& budget) {
  constexpr double kMost = 4294967295.0;
  Z3_params params = Z3_mk_params(context);
  Z3_params_inc_ref(context, params);
  auto set = [&](const char* name, double n) {
    Z3_params_set_uint(context, params, Z3_mk_string_symbol(context, name), static_cast<unsigned>(std::min(n, kMost)));
  };
  set("timeout", std::isfinite(budget.seconds) ? std::max(1.0, std::ceil(budget.seconds * 1000)) : kMost);
  set("rlimit", static_cast<double>(budget.steps));  // 0: none
  Z3_solver_set_params(context, solver, params);
  Z3_params_dec_ref(context, params);
}

std::vector<size_t> z3_core(Z3_context context, Z3_solver solver, std::span<const Z3_ast> names) {
  Z3_ast_vector core = Z3_solver_get_unsat_core(context, solver);
  throw_if_failed(context);
  Z3_ast_vector_inc_ref(context, core);
  std::unordered_set<Z3_ast> needed;
  for (unsigned i = 0; i < Z3_ast_vector_size(context, core); ++i) needed.insert(Z3_ast_vector_get(context, core, i));
  std::vector<size_t> found;
  for (size_t i = 0; i < names.size(); ++i)
    if (needed.erase(names[i]) > 0) found.push_back(i);
  Z3_ast_vector_dec_ref(context, core);
  return found;
}

}  // namespace whittle::solve
