#include "engines/guided/crew.h"

#include <algorithm>
#include <vector>

#include "cluster/parcel.h"
#include "solve/stack.h"

namespace whittle::engines::guided {

using cluster::Message;
using cluster::Parcel;
using cluster::Unpacker;

namespace {

constexpr unsigned kAttempts = 3;  ///< with processes that are lost

std::vector<uint64_t*> numbers(Figures& f) {
  return {&f.runs_full, &f.runs_partial, &f.runs_all, &f.steps, &f.forks, &f.deepest};
}

std::vector<uint8_t> packed(RoundEnd end) {
  Parcel out;
  out.value(end.end);
  for (const std::string* text : {&end.incomplete, &end.bound_place, &end.why}) out.text(*text);
  for (uint64_t* number : numbers(end.figures)) out.value(*number);
  out.value(static_cast<uint32_t>(end.counterexample.inputs.size()));
  for (const verdict::Input& input : end.counterexample.inputs) {
    out.value(static_cast<uint32_t>(input.width));
    out.value(input.value);
  }
  for (uint32_t thread : end.counterexample.schedule) out.value(thread);
  return out.take();
}

RoundEnd unpacked(const std::vector<uint8_t>& bytes) {
  Unpacker in(bytes);
  RoundEnd end;
  end.end = in.value<Search::End>();
  for (std::string* text : {&end.incomplete, &end.bound_place, &end.why}) *text = in.text();
  for (uint64_t* number : numbers(end.figures)) *number = in.value<uint64_t>();
  for (auto left = in.value<uint32_t>(); left > 0; --left) {
    const auto width = in.value<uint32_t>();
    end.counterexample.inputs.push_back({width, in.value<u128>(), "", "", 0});
  }
  while (!in.empty()) end.counterexample.schedule.push_back(in.value<uint32_t>());
  return end;
}

void add(Figures& sum, const Figures& more) {
  sum.runs_full += more.runs_full;
  sum.runs_partial += more.runs_partial;
  sum.steps += more.steps;
  sum.forks += more.forks;
  sum.deepest = std::max(sum.deepest, more.deepest);
}

}  // namespace

RoundEnd end_of(const Search& search, Search::End end) {
  return {end, search.incomplete(), search.bound_place(), "", search.figures(), search.counterexample()};
}

Crew::Crew(const program::Program& program, std::shared_ptr<const exec::Code> code, const Options& options, bool learns,
           unsigned processes, Context& context)
    : program_(program),
      code_(std::move(code)),
      options_(options),
      learns_(learns),
      processes_(std::max(processes, learns ? 2u : 1u)),
      context_(context) {}

/// In a process of its own: a solver and a machine of its own, too.
void Crew::work(cluster::Group& group, Limits& limits, uint64_t bound) {
  Statistics statistics;
  Progress silent(false);
  Context context{limits, statistics, silent, nullptr, context_.solver_options, context_.analyses};
  const std::unique_ptr<solve::Solver> solver = solve::make_solver(context, program_.terms());
  Options options = options_;
  options.summaries = learns_ && group.rank() == 1;
  Search search(program_, code_, *solver, options, context);
  if (!options.summaries) search.share(subtrees_);
  RoundEnd end = end_of(search, search.run(bound, options.steps));
  if (end.end == Search::End::Stopped)
    end.why = limits.stopped() == Stop::No ? "limit of steps reached" : to_string(limits.stopped());
  group.send(0, packed(std::move(end)));
}

RoundEnd Crew::round(uint64_t bound, bool fresh, const std::function<void()>& now_and_then) {
  if (fresh) subtrees_.clear();
  for (unsigned attempt = 0; attempt < kAttempts; ++attempt) {
    RoundEnd end;
    if (pass(bound, now_and_then, end)) return end;
    subtrees_.forget_claims();  // what lost processes had begun is begun again
  }
  RoundEnd end;
  end.why = "processes of the search were lost again and again";
  return end;
}

/// False: processes were lost, and with them what they had not done.
bool Crew::pass(uint64_t bound, const std::function<void()>& now_and_then, RoundEnd& out) {
  cluster::ForkedGroup workers(processes_, context_.limits,
                               [&](cluster::Group& group, Limits& limits) { work(group, limits, bound); });
  std::vector<bool> ended(processes_ + 1);
  const unsigned first_sharer = learns_ ? 2 : 1;
  unsigned complete = 0;
  std::string why;
  Figures sum;
  for (;;) {
    for (Message message; workers.here().receive(message);) {
      ended[message.from] = true;
      RoundEnd end = unpacked(message.bytes);
      const bool alone = message.from < first_sharer;
      if (end.end == Search::End::Violation || (alone && end.end == Search::End::Complete)) {
        out = std::move(end);
        return true;
      }
      if (alone) continue;
      add(sum, end.figures);
      if (end.end == Search::End::Complete)
        ++complete;
      else
        why = end.why;
    }
    if (context_.limits.poll_now() != Stop::No) {
      out.figures = sum;
      return true;
    }
    now_and_then();
    for (unsigned rank = 1; rank <= processes_; ++rank)
      if (!ended[rank] && workers.lost(rank)) ended[rank] = true, ++lost_;
    if (std::all_of(ended.begin() + first_sharer, ended.end(), [](bool e) { return e; })) {
      out.figures = sum;
      out.why = why;
      if (complete != processes_ + 1 - first_sharer) return !why.empty();
      // Each of them came to the end, so every subtree that one of them passed by was done by another one.
      out.end = Search::End::Complete;
      out.incomplete = subtrees_.incomplete();
      out.bound_place = subtrees_.bound();
      return true;
    }
    workers.here().idle();
  }
}

}  // namespace whittle::engines::guided
