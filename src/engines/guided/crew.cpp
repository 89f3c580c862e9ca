#include "engines/guided/crew.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/error.h"
#include "cluster/parcel.h"
#include "solve/stack.h"

namespace whittle::engines::guided {

using cluster::Message;
using cluster::Parcel;
using cluster::Unpacker;

namespace {

constexpr unsigned kAttempts = 3;  ///< with processes that are lost
constexpr unsigned kStepsUnheard = 64;  ///< between two looks at messages

enum class Kind : uint8_t {
  // From process 0, in groups
  Round,    ///< its number and bound, and whether one searches with summaries: begin
  Granted,  ///< answer to Claim: it is yours; or not
  Over,     ///< the round is
  Dismiss,  ///< the search is
  // To process 0: with the number of the round. Of forks only the last one.
  Claim,       ///< the way to a subtree
  Done,        ///< the same
  Bound,       ///< the texts of Shares
  Incomplete,  ///<
  End,         ///< of the round, here
};

Parcel parcel(Kind kind) {
  Parcel out;
  out.value(kind);
  return out;
}
Parcel parcel(Kind kind, uint64_t round) {
  Parcel out = parcel(kind);
  out.value(round);
  return out;
}

std::vector<uint64_t*> numbers(Figures& f) {
  return {&f.runs_full, &f.runs_partial, &f.runs_all, &f.steps, &f.forks, &f.deepest};
}

std::vector<uint8_t> packed(uint64_t round, RoundEnd end) {
  Parcel out = parcel(Kind::End, round);
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

RoundEnd unpacked(Unpacker& in) {
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

Crew::Crew(const program::Program& program, std::shared_ptr<const exec::Code> code, const Options& options, bool learns,
           cluster::Group& group, Context& context)
    : program_(program),
      code_(std::move(code)),
      options_(options),
      learns_(learns),
      processes_(group.size() - 1),
      context_(context),
      group_(&group) {}

class Crew::Remote final : public Shares {
 public:
  Remote(cluster::Group& group, Limits& limits, uint64_t round) : group_(group), limits_(limits), round_(round) {}

  /// False also if there will be no answer: then over() is true, or the limits have stopped.
  bool claim(const Way& way) override {
    say(Kind::Claim, way);
    while (!over_ && limits_.poll_now() == Stop::No) {
      Message message;
      if (!group_.receive(message)) {
        group_.idle();
        continue;
      }
      group_.busy();
      Unpacker in(message.bytes);
      if (hear(in) == Kind::Granted) return in.value<bool>();
    }
    return false;
  }
  void done(const Way& way) override { say(Kind::Done, way); }
  void note_bound(const std::string& place) override { say(Kind::Bound, place, said_bound_); }
  void note_incomplete(const std::string& why) override { say(Kind::Incomplete, why, said_incomplete_); }
  bool over() override {
    if (over_ || ++steps_ % kStepsUnheard != 0) return over_;
    Message message;
    while (!over_ && group_.receive(message)) {
      Unpacker in(message.bytes);
      hear(in);
    }
    return over_;
  }

 private:
  Kind hear(Unpacker& in) {
    const Kind kind = in.value<Kind>();
    if (kind == Kind::Over) over_ = true;
    return kind;
  }
  void say(Kind kind, const Way& way) {
    Parcel out = parcel(kind, round_);
    out.value(way);
    group_.send(0, out.take());
  }
  void say(Kind kind, const std::string& text, bool& said) {
    if (std::exchange(said, true)) return;  // the first text counts
    Parcel out = parcel(kind, round_);
    out.text(text);
    group_.send(0, out.take());
  }

  cluster::Group& group_;
  Limits& limits_;
  const uint64_t round_;
  unsigned steps_ = 0;
  bool over_ = false, said_bound_ = false, said_incomplete_ = false;
};

/// In a process of its own: a solver and a machine of its own, too.
void Crew::search(cluster::Group& group, Limits& limits, uint64_t bound, uint64_t round, Shares& with) {
  Statistics statistics;
  Progress silent(false);
  Context context{limits, statistics, silent, nullptr, context_.solver_options, context_.analyses};
  const std::unique_ptr<solve::Solver> solver = solve::make_solver(context, program_.terms());
  Options options = options_;
  options.summaries = learner(group.rank());
  Search search(program_, code_, *solver, options, context);
  search.share(with);
  RoundEnd end = end_of(search, search.run(bound, options.steps));
  if (end.end == Search::End::Stopped)
    end.why = limits.stopped() == Stop::No ? "limit of steps reached" : to_string(limits.stopped());
  if (!with.over()) group.send(0, packed(round, std::move(end)));
}

void Crew::serve() {
  for (bool more = true; more && context_.limits.poll_now() == Stop::No;) {
    Message message;
    if (!group_->receive(message)) {
      group_->idle();
      continue;
    }
    group_->busy();
    Unpacker in(message.bytes);
    switch (in.value<Kind>()) {
      case Kind::Round: {
        const auto round = in.value<uint64_t>(), bound = in.value<uint64_t>();
        learns_ = in.value<bool>();
        Remote others(*group_, context_.limits, round);
        search(*group_, context_.limits, bound, round, others);
        break;
      }
      case Kind::Dismiss: more = false; break;
      default: break;  // of a round that this process has ended
    }
  }
}

void Crew::dismiss() {
  for (unsigned rank = 1; rank <= processes_; ++rank) group_->send(rank, parcel(Kind::Dismiss).take());
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
  ++round_;
  if (group_ == nullptr) {
    cluster::ForkedGroup workers(processes_, context_.limits,
                                 [&](cluster::Group& group, Limits& limits) { search(group, limits, bound, round_, subtrees_); });
    return gather(workers.here(), [&](unsigned rank) { return workers.lost(rank); }, now_and_then, out);
  }
  Parcel begin = parcel(Kind::Round, round_);
  begin.value(bound);
  begin.value(learns_);
  const std::vector<uint8_t> message = begin.take();
  for (unsigned rank = 1; rank <= processes_; ++rank) group_->send(rank, message);
  const bool whole = gather(*group_, [](unsigned) { return false; }, now_and_then, out);
  for (unsigned rank = 1; rank <= processes_; ++rank) group_->send(rank, parcel(Kind::Over).take());
  return whole;
}

/// How the round ended in the process that the message is from, if it says that.
std::optional<RoundEnd> Crew::understand(cluster::Group& here, const Message& message) {
  Unpacker in(message.bytes);
  const Kind kind = in.value<Kind>();
  if (in.value<uint64_t>() != round_) return std::nullopt;  // nothing of an earlier round counts any more
  switch (kind) {
    case Kind::Claim: {
      Parcel answer = parcel(Kind::Granted);
      answer.value(subtrees_.claim(in.value<Way>()));
      here.send(message.from, answer.take());
      break;
    }
    case Kind::Done: subtrees_.done(in.value<Way>()); break;
    case Kind::Bound: subtrees_.note_bound(in.text()); break;
    case Kind::Incomplete: subtrees_.note_incomplete(in.text()); break;
    case Kind::End: return unpacked(in);
    default: fail_internal("guided: a message that process 0 does not get");
  }
  return std::nullopt;
}

bool Crew::gather(cluster::Group& here, const std::function<bool(unsigned)>& lost, const std::function<void()>& now_and_then, RoundEnd& out) {
  std::vector<bool> ended(processes_ + 1);
  const unsigned first_sharer = learner(1) ? 2 : 1;
  unsigned complete = 0;
  std::string why;
  Figures sum;
  for (;;) {
    bool heard = false;
    for (Message message; here.receive(message); heard = true) {
      std::optional<RoundEnd> end = understand(here, message);
      if (!end) continue;
      ended[message.from] = true;
      const bool alone = message.from < first_sharer;
      if (end->end == Search::End::Violation || (alone && end->end == Search::End::Complete)) {
        out = std::move(*end);
        return true;
      }
      if (alone) continue;
      add(sum, end->figures);
      if (end->end == Search::End::Complete)
        ++complete;
      else
        why = end->why;
    }
    if (context_.limits.poll_now() != Stop::No) {
      out.figures = sum;
      return true;
    }
    now_and_then();
    for (unsigned rank = 1; rank <= processes_; ++rank)
      if (!ended[rank] && lost(rank)) ended[rank] = true, ++lost_;
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
    if (heard)
      here.busy();
    else
      here.idle();
  }
}

}  // namespace whittle::engines::guided
