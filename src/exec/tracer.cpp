#include "exec/runner.h"
#include "exec/detailed_tracer.h"

namespace whittle::exec {

struct Tracer::Impl {
  DetailedTracer teller;
};

Tracer::Tracer(Machine& machine, size_t max_steps) : impl_(new Impl{DetailedTracer(machine, max_steps)}) {}
Tracer::~Tracer() = default;
void Tracer::statement(uint32_t thread, program::FunctionId function, uint32_t edge) {
  impl_->teller.statement(thread, function, edge);
}
void Tracer::withdrawn(uint32_t thread) { impl_->teller.withdrawn(thread); }
void Tracer::note(uint32_t thread, std::string text) { impl_->teller.note(thread, std::move(text)); }
void Tracer::explain(verdict::Violation& violation) const { impl_->teller.explain(violation); }
size_t Tracer::size() const { return impl_->teller.size(); }
verdict::Trace Tracer::finish() { return verdict::plain(impl_->teller.finish()); }

}  // namespace whittle::exec
