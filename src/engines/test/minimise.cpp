#include "engines/test/minimise.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>

namespace whittle::engines::test {

namespace {

constexpr uint64_t kRuns = 4000;
constexpr double kSeconds = 2;

u128 magnitude_of(i128 value) { return value < 0 ? -static_cast<u128>(value) : static_cast<u128>(value); }

/// The largest and the smallest value of the type, signed or not: people know these.
std::array<i128, 3> ends_of(unsigned width) {
  if (width < 8 || width > 64) return {0, 0, 0};
  const i128 half = i128{1} << (width - 1);
  return {half - 1, -half, -1};
}

double real_of(const Record::Value& input) {
  if (input.width == 32) return std::bit_cast<float>(static_cast<uint32_t>(input.value));
  return std::bit_cast<double>(static_cast<uint64_t>(input.value));
}
u128 bits_of(double value, unsigned width) {
  return width == 32 ? std::bit_cast<uint32_t>(static_cast<float>(value)) : std::bit_cast<uint64_t>(value);
}
/// Its digits as a number, and how far the point is from their end.
u128 weight_of_real(const Record::Value& input) {
  constexpr u128 kNoNumber = 1000;
  const double value = real_of(input);
  if (!std::isfinite(value)) return kNoNumber;
  if (value == 0) return std::signbit(value) ? 1 : 0;
  const std::string text = input.width == 32 ? fmt::format("{:e}", static_cast<float>(std::fabs(value))) : fmt::format("{:e}", std::fabs(value));
  const std::string shortest = input.width == 32 ? fmt::format("{}", static_cast<float>(std::fabs(value))) : fmt::format("{}", std::fabs(value));
  u128 digits = 0;
  for (char c : shortest) {
    if (c == 'e') break;
    if (c >= '0' && c <= '9') digits = digits * 10 + static_cast<u128>(c - '0');
  }
  const size_t point = shortest.find('.');
  const int exponent = std::atoi(text.c_str() + text.find('e') + 1);
  return 2 * digits + (point == std::string::npos ? 0 : shortest.size() - point) + static_cast<u128>(std::abs(exponent)) + (value < 0 ? 1 : 0);
}

/// How much a value asks of a reader.
u128 weight_of(const Record::Value& input) {
  constexpr u128 kEnd = 1'000'000;
  if (input.floating && (input.width == 32 || input.width == 64)) return weight_of_real(input);
  // -1 may be the largest value of an unsigned type: 1 is smaller.
  const u128 plain = 2 * magnitude_of(input.as_signed()) + (input.as_signed() < 0 ? 1 : 0);
  for (i128 end : ends_of(input.width))
    if (input.as_signed() == end) return std::min(plain, kEnd);
  return plain > kEnd ? plain + kEnd : plain;
}

class Minimiser {
 public:
  Minimiser(exec::Machine& machine, Outcome failing, uint64_t max_runs, double max_seconds, Limits& limits)
      : machine_(machine),
        best_(std::move(failing)),
        cost_(cost_of(best_)),
        max_runs_(max_runs),
        deadline_(limits.elapsed() + max_seconds),
        limits_(limits) {}

  MinimiseResult run() {
    // Smaller inputs may allow a simpler schedule and the other way round.
    for (Cost before = cost_;; before = cost_) {
      schedules();
      inputs();
      if (cost_ == before || spent()) break;
    }
    return {std::move(best_), runs_};
  }

 private:
  bool spent() { return runs_ >= max_runs_ || limits_.elapsed() >= deadline_ || limits_.poll_now() != Stop::No; }

  /// Runs a candidate; keeps it if it fails the same way and is smaller.
  bool attempt(std::vector<Segment> segments, std::vector<u128> values) {
    if (spent()) return false;
    ++runs_;
    auto scheduler = guided(std::move(segments));
    auto source = listed_inputs(std::move(values));
    Outcome outcome = drive(machine_, *scheduler, *source, 4 * best_.statements + 10'000, limits_);
    if (outcome.end != End::Violation || !verdict::same_place(*outcome.violation, *best_.violation)) return false;
    Cost cost = cost_of(outcome);
    if (!(cost < cost_)) return false;
    best_ = std::move(outcome);
    cost_ = cost;
    return true;
  }

  std::vector<u128> values() const {
    std::vector<u128> result;
    for (const Record::Value& input : best_.record.inputs) result.push_back(input.value);
    return result;
  }

  void schedules() {
    attempt({}, values());
    for (bool smaller = true; smaller && !spent();) {
      smaller = cut_chunks() || merge_segments();
    }
    shorten_segments();
  }

  /// Lets threads take fewer steps: rounds of a loop that are not needed disappear. How long a round is is not known, so
  /// small numbers of steps are tried; what succeeds is done again, twice as much each time.
  void shorten_segments() {
    constexpr uint64_t kRound = 40;
    for (size_t at = 0; !spent(); ++at) {
      const size_t count = segments_of(best_.record.schedule).size();
      if (at + 1 >= count) return;  // the last one ends with the violation
      for (uint64_t step = 1; step <= kRound && !spent(); ++step) {
        uint64_t less = step;
        while (fewer_steps(at, less)) less *= 2;
        for (; less > step; less /= 2) fewer_steps(at, less / 2);
      }
    }
  }
  bool fewer_steps(size_t at, uint64_t less) {
    std::vector<Segment> segments = segments_of(best_.record.schedule);
    if (at >= segments.size() || segments[at].count <= less) return false;
    segments[at].count -= less;
    return attempt(std::move(segments), values());
  }

  /// Leaves out runs of segments, large ones first.
  bool cut_chunks() {
    bool smaller = false;
    for (size_t size = segments_of(best_.record.schedule).size() / 2; size >= 1; size /= 2) {
      for (size_t at = 0; !spent();) {
        std::vector<Segment> segments = segments_of(best_.record.schedule);
        if (at + size > segments.size()) break;
        segments.erase(segments.begin() + static_cast<ptrdiff_t>(at),
                       segments.begin() + static_cast<ptrdiff_t>(at + size));
        if (attempt(std::move(segments), values()))
          smaller = true;
        else
          at += size;
      }
    }
    return smaller;
  }

  /// Lets a segment go on until its thread blocks, or moves the thread's next segment up to it, or this one down to
  /// that.
  bool merge_segments() {
    bool smaller = false;
    for (size_t at = 0; !spent(); ++at) {
      std::vector<Segment> segments = segments_of(best_.record.schedule);
      if (at >= segments.size()) break;
      std::vector<Segment> all = segments;
      all[at].count = Segment::kAll;
      if (attempt(std::move(all), values())) {
        smaller = true;
        continue;
      }
      size_t next = at + 1;
      while (next < segments.size() && segments[next].thread != segments[at].thread) ++next;
      if (next >= segments.size()) continue;
      std::vector<Segment> up = segments;
      up[at].count += up[next].count;
      up.erase(up.begin() + static_cast<ptrdiff_t>(next));
      std::vector<Segment> down = segments;
      down[next].count += down[at].count;
      down.erase(down.begin() + static_cast<ptrdiff_t>(at));
      if (attempt(std::move(up), values()) || attempt(std::move(down), values())) smaller = true;
    }
    return smaller;
  }

  /// What is asked for later moves up: whole rounds of a loop disappear. Large pieces first.
  void leave_out_inputs() {
    for (size_t size = best_.record.inputs.size() / 2; size >= 1; size /= 2) {
      for (size_t at = 0; !spent();) {
        std::vector<u128> candidate = values();
        if (at + size > candidate.size()) break;
        candidate.erase(candidate.begin() + static_cast<ptrdiff_t>(at),
                        candidate.begin() + static_cast<ptrdiff_t>(at + size));
        if (!attempt(segments_of(best_.record.schedule), std::move(candidate))) at += size;
      }
    }
  }

  void inputs() {
    auto schedule = [&] { return segments_of(best_.record.schedule); };
    if (best_.record.inputs.empty()) return;
    attempt(schedule(), {});
    leave_out_inputs();
    for (size_t size = best_.record.inputs.size() / 2; size >= 1; size /= 2) {
      for (size_t at = 0; at < best_.record.inputs.size() && !spent(); at += size) {
        std::vector<u128> candidate = values();
        std::fill(candidate.begin() + static_cast<ptrdiff_t>(at),
                  candidate.begin() + static_cast<ptrdiff_t>(std::min(at + size, candidate.size())), u128{0});
        attempt(schedule(), std::move(candidate));
      }
    }
    for (size_t at = 0; at < best_.record.inputs.size() && !spent(); ++at) best_.record.inputs[at].floating ? shrink_real(at) : shrink(at);
  }

  /// Fewer digits.
  void shrink_real(size_t at) {
    auto with = [&](double value) {
      std::vector<u128> candidate = values();
      candidate[at] = bits_of(value, best_.record.inputs[at].width);
      return attempt(segments_of(best_.record.schedule), std::move(candidate));
    };
    for (double value : {0.0, 1.0, -1.0, 2.0, -2.0, 0.5, -0.5, 10.0, -10.0, 100.0, -100.0})
      if (real_of(best_.record.inputs[at]) == value || with(value)) return;
    const double from = real_of(best_.record.inputs[at]);
    if (!std::isfinite(from)) return;
    for (int digits = 1; digits < 17 && at < best_.record.inputs.size(); ++digits) {
      const double unit = std::pow(10, std::floor(std::log10(std::fabs(from))) - digits + 1);
      if (with(std::trunc(from / unit) * unit) || with((std::trunc(from / unit) + std::copysign(1, from)) * unit)) return;
    }
  }

  /// Towards zero: small values, then by steps that double while they succeed and start again when they do not.
  void shrink(size_t at) {
    auto with = [&](i128 value) {
      std::vector<u128> candidate = values();
      candidate[at] = static_cast<u128>(value);
      return attempt(segments_of(best_.record.schedule), std::move(candidate));
    };
    auto current = [&]() -> i128 { return at < best_.record.inputs.size() ? best_.record.inputs[at].as_signed() : 0; };
    for (i128 value : {0, 1, -1, 2, -2}) {
      if (current() == value) return;
      if (with(value)) return;
    }
    // From an end of the type, which weighs little, halving would only lead to values that weigh more.
    for (i128 value = 4; static_cast<u128>(value) < magnitude_of(current()); value *= 2)
      if (with(current() < 0 ? -value : value) || with(current() < 0 ? value : -value)) break;
    for (i128 step = current() / 2; step != 0 && !spent();) {
      if (with(current() - step)) {
        if (magnitude_of(step) > magnitude_of(current()) / 2) step = current() / 2;
      } else {
        step /= 2;
      }
    }
    if (at >= best_.record.inputs.size()) return;
    for (i128 value : ends_of(best_.record.inputs[at].width))
      if (value != 0 && value != current() && with(value)) return;
  }

  exec::Machine& machine_;
  Outcome best_;
  Cost cost_;
  uint64_t runs_ = 0, max_runs_;
  double deadline_;
  Limits& limits_;
};

}  // namespace

Cost cost_of(const Outcome& outcome) {
  const Record& record = outcome.record;
  Cost cost;
  cost.preemptions = outcome.preemptions;
  for (size_t i = 1; i < record.schedule.size(); ++i)
    if (record.schedule[i] != record.schedule[i - 1]) ++cost.switches;
  for (const Record::Value& input : record.inputs) {
    if (input.value != 0) ++cost.nonzero_inputs;
    u128 sum = cost.magnitude + weight_of(input);
    cost.magnitude = sum < cost.magnitude ? ~u128{0} : sum;
  }
  cost.inputs = record.inputs.size();
  cost.steps = record.schedule.empty() ? outcome.statements : record.schedule.size();
  return cost;
}

MinimiseResult minimise(exec::Machine& machine, Outcome failing, uint64_t max_runs, double max_seconds,
                        Limits& limits) {
  return Minimiser(machine, std::move(failing), max_runs, max_seconds, limits).run();
}

std::optional<verdict::Counterexample> make_small(const std::shared_ptr<const exec::Code>& code,
                                                  const verdict::Verdict& verdict, Limits& limits) {
  if (!verdict.violation) return std::nullopt;
  exec::Machine machine(code);
  std::vector<u128> values;
  for (const verdict::Input& input : verdict.counterexample.inputs) values.push_back(input.value);
  auto scheduler = guided(segments_of(verdict.counterexample.schedule));
  auto source = listed_inputs(std::move(values));
  Outcome found = drive(machine, *scheduler, *source, UINT64_MAX, limits);
  if (found.end != End::Violation || !verdict::same_place(*found.violation, *verdict.violation)) return std::nullopt;
  const Cost before = cost_of(found);
  const double seconds = std::min(kSeconds, limits.remaining() / 2);
  MinimiseResult small = minimise(machine, std::move(found), kRuns, seconds, limits);
  if (!(cost_of(small.outcome) < before)) return std::nullopt;
  return small.outcome.record.counterexample();
}

}  // namespace whittle::engines::test
