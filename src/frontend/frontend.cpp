#include "frontend/frontend.h"

#include "frontend/assumptions.h"
#include "frontend/disguise.h"
#include "frontend/function_lowering.h"
#include "frontend/jumps.h"
#include "frontend/module_info.h"
#include "frontend/modules.h"
#include "frontend/noreturn.h"
#include "frontend/other_types.h"
#include "frontend/scopes.h"
#include "frontend/start.h"
#include "frontend/weak_cas.h"

namespace whittle::frontend {

program::Program load_program(const std::vector<std::string>& files, const Options& options) {
  LinkedModule linked = link_files(files, options);
  const bool jumps = lower_jumps(linked, linked.entry);
  end_objects_of_blocks(*linked.module);
  program::Program program;
  program.data_model = options.data_model;
  program.files = files;
  program.disguised_addresses = disguises_addresses(*linked.module);
  program.warnings = std::move(linked.warnings);
  program.assumptions = linked.assumptions;
  ModuleInfo info(linked, options, program);
  const std::vector<const llvm::Function*>& functions = info.functions();
  for (program::FunctionId id = 0; id < functions.size(); ++id) FunctionLowering::declare(info, *functions[id], id);
  for (program::FunctionId id = 0; id < functions.size(); ++id) {
    if (info.opaque(*functions[id])) {
      make_opaque_body(info, *functions[id], id);
    } else {
      FunctionLowering(info, *functions[id], id).run();
    }
  }
  program.entry = make_start(info);
  follow_other_types(info, program);
  cut_after_endless_calls(program);
  let_fail(program, info.weak_cas());
  note_assumptions(*linked.module, options, program);
  if (jumps)
    program.assumptions.push_back("after longjmp, variables of the function that called setjmp hold what they held before it");
  return program;
}

std::string write_harness(const std::vector<std::string>& files, const Options& options) {
  return harness_text(files, options);
}

}  // namespace whittle::frontend
