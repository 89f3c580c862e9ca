#include "engines/dash/invariants.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "engines/dash/facts.h"
#include "solve/linear.h"

namespace whittle::engines::dash {

using program::kNone;
using term::Op;

namespace {

constexpr size_t kMostNodes = 36;    ///< larger programs are left alone
constexpr size_t kMostStates = 120;  ///< of a node that are looked at
constexpr size_t kMostTerms = 14;    ///< of a node
constexpr size_t kMostStatesOfElements = 24;

}  // namespace

Invariants::Invariants(Space& space, Graph& graph, const Forest& forest, const Asking& asking)
    : space_(space), graph_(graph), forest_(forest), asking_(asking), store_(space.terms()) {}

bool Invariants::run(const std::vector<std::pair<Place, Term>>& given,
                     const std::vector<std::pair<Place, ElementFact>>& elements) {
  candidates_.resize(graph_.nodes());
  elements_.resize(graph_.nodes());
  take(given);
  take(elements);
  if (graph_.nodes() <= kMostNodes) {
    find_terms();
    for (uint32_t n = 2; n < graph_.nodes(); ++n) guess(n);
    look_back();
  } else if (given.empty()) {
    return false;
  }
  return adopt();
}

void Invariants::take(const std::vector<std::pair<Place, Term>>& given) {
  for (const auto& [place, predicate] : given) {
    auto n = graph_.find(place);
    if (!n || *n == graph_.entry()) continue;
    const auto& states = forest_.at(place);
    std::vector<Term> parts;
    flatten(predicate, parts);
    for (Term t : parts)
      if (std::all_of(states.begin(), states.end(), [&](StateRef s) { return forest_.holds(s, t); }))
        candidates_[*n].push_back(t);
  }
}

void Invariants::take(const std::vector<std::pair<Place, ElementFact>>& given) {
  for (const auto& [place, fact] : given) {
    const uint32_t n = *graph_.find(place);
    const auto& states = forest_.at(place);
    const size_t step = std::max<size_t>(1, states.size() / kMostStatesOfElements);
    bool holds = true;
    for (size_t i = 0; i < states.size() && holds; i += step) holds = holds_for_some(space_, forest_, states[i], fact);
    if (holds) elements_[n].push_back(fact);
  }
}

bool Invariants::keep(const std::vector<std::pair<Place, Term>>& given, bool from_start) {
  candidates_.resize(graph_.nodes());
  elements_.resize(graph_.nodes());
  take(given);
  if (from_start) {
    for (const auto& candidates : candidates_)
      for (Term t : candidates) note_terms(t);
    find_terms();
    guess(graph_.entry());
  }
  return adopt();
}

/// First conditions on their own: most know nothing of elements, and what holds then need not be asked about again.
bool Invariants::adopt() {
  if (std::ranges::all_of(elements_, [](const auto& facts) { return facts.empty(); })) return filter() && publish();
  const auto elements = std::exchange(elements_, std::vector<std::vector<ElementFact>>(graph_.nodes()));
  const auto all = candidates_;
  for (auto& candidates : candidates_) std::erase_if(candidates, [](Term t) { return reads_elements(t); });
  if (!filter()) return false;
  bool news = publish();
  const std::unordered_set<Term> fed = fed_by_elements();
  for (uint32_t n = 0; n < graph_.nodes(); ++n) {
    std::unordered_set<Term> held(candidates_[n].begin(), candidates_[n].end());
    candidates_[n].clear();
    for (Term t : all[n]) {
      const auto leaves = term::leaves(t);
      if (!held.contains(t) && (reads_elements(t) || std::ranges::any_of(leaves, [&](Term l) { return fed.contains(l); })))
        candidates_[n].push_back(t);
    }
  }
  elements_ = elements;
  if (filter()) news |= publish();
  return news;
}

bool Invariants::reads_elements(Term t) {
  return t.has_reads() && std::ranges::any_of(term::reads(t), [](Term r) { return !r.kid(0).is_constant(); });
}

/// Variables, and memory at constant addresses, whose values come from elements, or are chosen by them.
std::unordered_set<Term> Invariants::fed_by_elements() {
  std::unordered_set<Term> fed;
  auto comes_from = [&](Term t) {
    return reads_elements(t) || std::ranges::any_of(term::leaves(t), [&](Term l) { return fed.contains(l); });
  };
  for (size_t before = SIZE_MAX; before != fed.size();) {
    before = fed.size();
    for (uint32_t b = 0; b < graph_.block_count(); ++b) {
      if (graph_.block(b).gone) continue;
      const Effect& effect = graph_.effect(b);
      const bool chosen = std::ranges::any_of(effect.guards(), comes_from);
      for (const auto& [variable, value] : effect.values())
        if (value != variable && (chosen || comes_from(value))) fed.insert(variable);
      for (const auto& [address, value] : effect.written())
        if (address.is_constant() && (chosen || comes_from(value))) fed.insert(store_.read(address, value.width()));
    }
  }
  return fed;
}

bool Invariants::publish() {
  bool news = false;
  for (uint32_t n = 2; n < graph_.nodes(); ++n) {
    size_t before = graph_.node(n).invariants.size();
    graph_.add_invariants(n, candidates_[n]);
    news |= graph_.node(n).invariants.size() != before;
    for (const ElementFact& fact : elements_[n]) {
      auto& known = graph_.node(n).elements;
      if (std::find(known.begin(), known.end(), fact) != known.end()) continue;
      known.push_back(fact);
      news = true;
    }
  }
  return news;
}

/// What must hold at a node that no test reached so that no error follows within a few blocks.
void Invariants::look_back() {
  constexpr unsigned kBlocks = 3;
  constexpr size_t kMost = 8;  // of a node
  std::vector<std::vector<Term>> wanted(graph_.nodes());
  auto sayable = [&](Term t) {
    const auto variables = term::variables(t);
    return std::all_of(variables.begin(), variables.end(), [&](Term v) { return space_.owner(v).known(); });
  };
  auto want = [&](uint32_t n, Term t) {
    if (t.is_constant() || !sayable(t) || wanted[n].size() >= kMost) return false;
    if (std::find(wanted[n].begin(), wanted[n].end(), t) != wanted[n].end()) return false;
    wanted[n].push_back(t);
    return true;
  };
  std::vector<std::pair<uint32_t, Term>> last, next;
  for (unsigned step = 0; step < kBlocks; ++step) {
    for (uint32_t b = 0; b < graph_.block_count(); ++b) {
      const BlockInfo& info = graph_.block(b);
      const bool error = info.block.end == Block::End::Error;
      if (info.gone || info.block.end == Block::End::Unknown || error != (step == 0)) continue;
      const uint32_t from = *graph_.find(info.block.from);
      Effect effect(space_, info.block);
      const Term runs = store_.conjunction(effect.guards());
      if (error && want(from, store_.bnot(runs))) next.emplace_back(from, store_.bnot(runs));
      if (error) continue;
      const uint32_t to = *graph_.find(info.block.to);
      for (const auto& [n, t] : last) {
        if (n != to) continue;
        const Term before = store_.implies(runs, effect.pre(t));
        if (want(from, before)) next.emplace_back(from, before);
      }
    }
    last = std::move(next);
    next.clear();
  }
  for (uint32_t n = graph_.entry() + 1; n < graph_.nodes(); ++n) {
    // (Where tests were, splits say the same, and more to the point.)
    if (forest_.at(graph_.node(n).place).empty())
      candidates_[n].insert(candidates_[n].end(), wanted[n].begin(), wanted[n].end());
  }
}

void Invariants::note_terms(Term t) {
  std::vector<Term> todo{t};
  std::unordered_set<Term> seen;
  while (!todo.empty()) {
    Term x = todo.back();
    todo.pop_back();
    if (!seen.insert(x).second) continue;
    bool leaf = (x.is_variable() && space_.owner(x).known() && space_.owner(x).reg != kNone) ||
                (x.op() == Op::Read && x.kid(0).is_constant());
    if (leaf && std::find(leaves_.begin(), leaves_.end(), x) == leaves_.end() && leaves_.size() < 64)
      leaves_.push_back(x);
    if (x.is_constant()) {
      auto& list = constants_[x.width()];
      for (u128 c : {x.value(), x.value() + 1, x.value() - 1}) {
        c &= mask128(x.width());
        if (list.size() < 48 && std::find(list.begin(), list.end(), c) == list.end()) list.push_back(c);
      }
    }
    for (unsigned i = 0; i < x.arity(); ++i) todo.push_back(x.kid(i));
  }
}

void Invariants::find_terms() {
  for (unsigned width : {8u, 16u, 32u, 64u})
    for (u128 c : {u128{0}, u128{1}}) constants_[width].push_back(c);
  for (uint32_t b = 0; b < graph_.block_count(); ++b) {
    if (graph_.block(b).gone) continue;
    for (Term g : graph_.effect(b).guards()) note_terms(g);
  }
  for (uint32_t n = 2; n < graph_.nodes(); ++n)
    for (uint32_t r : graph_.node(n).regions)
      for (Term t : graph_.region(r).literals) note_terms(t);
}

std::vector<Term> Invariants::terms_at(uint32_t n) {
  const Place& place = graph_.node(n).place;
  std::vector<Term> terms;
  program::FunctionId f = space_.context(place.context).function;
  if (!live_.contains(f)) {
    const program::analysis::Liveness& liveness = space_.liveness(f);
    const auto& function = space_.program().functions[f];
    std::vector<std::vector<char>> table(function.locations.size(), std::vector<char>(function.registers.size()));
    for (program::LocationId l = 0; l < table.size(); ++l)
      for (program::RegisterId r = 0; r < function.registers.size(); ++r) table[l][r] = liveness.at(l).test(r);
    live_.emplace(f, std::move(table));
  }
  for (Term t : leaves_) {
    if (terms.size() >= kMostTerms) break;
    if (t.op() == Op::Read) {
      terms.push_back(t);
      continue;
    }
    Space::Owner owner = space_.owner(t);
    if (owner.context == place.context) {
      if (live_.at(f)[place.location][owner.reg]) terms.push_back(t);
      continue;
    }
    for (uint32_t c = space_.context(place.context).parent; c != kNone; c = space_.context(c).parent)
      if (c == owner.context) terms.push_back(t);
  }
  return terms;
}

void Invariants::guess_single(Term x, const std::vector<u128>& values, std::vector<Term>& out) {
  unsigned w = x.width();
  auto constant = [&](u128 c) { return store_.constant(w, c); };
  if (std::all_of(values.begin(), values.end(), [&](u128 v) { return v == values[0]; })) {
    out.push_back(store_.eq(x, constant(values[0])));
  }
  if (w < 8) return;
  i128 low = sign_extend128(values[0], w), high = low;
  u128 most = values[0], least = values[0];
  for (u128 v : values) {
    low = std::min(low, sign_extend128(v, w)), high = std::max(high, sign_extend128(v, w));
    most = std::max(most, v), least = std::min(least, v);
  }
  std::vector<i128> above, below;
  std::vector<u128> above_u;
  for (u128 c : constants_[w]) {
    i128 s = sign_extend128(c, w);
    if (s >= high) above.push_back(s);
    if (s <= low) below.push_back(s);
    if (c >= most) above_u.push_back(c);
  }
  std::sort(above.begin(), above.end());
  std::sort(below.rbegin(), below.rend());
  std::sort(above_u.begin(), above_u.end());
  for (size_t i = 0; i < above.size() && i < 3; ++i)
    out.push_back(store_.sle(x, constant(static_cast<u128>(above[i]))));
  for (size_t i = 0; i < below.size() && i < 3; ++i)
    out.push_back(store_.sge(x, constant(static_cast<u128>(below[i]))));
  for (size_t i = 0; i < above_u.size() && i < 2; ++i) out.push_back(store_.ule(x, constant(above_u[i])));
  for (u128 mask : {u128{1}, u128{3}})
    if (std::all_of(values.begin(), values.end(), [&](u128 v) { return (v & mask) == (values[0] & mask); }))
      out.push_back(store_.eq(store_.band(x, constant(mask)), constant(values[0] & mask)));
  size_t unequal = 0;
  for (u128 c : constants_[w])
    if (unequal < 6 && std::find(values.begin(), values.end(), c) == values.end())
      out.push_back(store_.ne(x, constant(c))), ++unequal;
}

/// By which the first numbers may grow as the others do.
static std::vector<i128> factors(const std::vector<u128>& u, const std::vector<u128>& v, unsigned width) {
  constexpr i128 kLargest = 256;
  std::vector<i128> found{1, -1, 2, -2, 3, 4, 8};
  for (size_t i = 1; i < u.size(); ++i) {
    const i128 by = sign_extend128(v[i], width) - sign_extend128(v[0], width);
    if (by == 0) continue;
    const i128 grown = sign_extend128(u[i], width) - sign_extend128(u[0], width), factor = grown / by;
    if (grown % by == 0 && factor != 0 && factor >= -kLargest && factor <= kLargest &&
        std::find(found.begin(), found.end(), factor) == found.end())
      found.push_back(factor);
    break;
  }
  return found;
}

void Invariants::guess_pair(Term x, Term y, const std::vector<u128>& a, const std::vector<u128>& b,
                            std::vector<Term>& out) {
  unsigned w = x.width();
  if (w < 16) return;
  u128 mask = mask128(w);
  size_t n = a.size();
  bool le = true, ge = true, ule = true, uge = true;
  for (size_t i = 0; i < n; ++i) {
    i128 s = sign_extend128(a[i], w), t = sign_extend128(b[i], w);
    le &= s <= t, ge &= s >= t;
    ule &= a[i] <= b[i], uge &= a[i] >= b[i];
  }
  if (le) out.push_back(store_.sle(x, y));
  if (ge) out.push_back(store_.sge(x, y));
  if (ule) out.push_back(store_.ule(x, y));
  if (uge) out.push_back(store_.uge(x, y));
  // x == factor * y + offset
  for (int swap = 0; swap < 2; ++swap) {
    const auto& u = swap ? b : a;
    const auto& v = swap ? a : b;
    for (i128 factor : factors(u, v, w)) {
      const u128 k = static_cast<u128>(factor) & mask;
      if (swap == 1 && (factor == 1 || factor == -1)) continue;
      u128 offset = (u[0] - k * v[0]) & mask;
      bool always = true, varies = false;
      for (size_t i = 0; i < n && always; ++i) {
        always = ((k * v[i] + offset) & mask) == u[i];
        varies |= v[i] != v[0];
      }
      if (!always || !varies) continue;
      Term left = swap ? y : x, right = swap ? x : y;
      out.push_back(store_.eq(left, store_.add(store_.mul(right, store_.constant(w, k)), store_.constant(w, offset))));
    }
  }
}

void Invariants::guess_triples(const std::vector<Term>& terms, const std::vector<std::vector<u128>>& columns,
                               std::vector<Term>& out) {
  size_t count = std::min<size_t>(terms.size(), 8);
  for (size_t i = 0; i < count; ++i)
    for (size_t j = i + 1; j < count; ++j)
      for (size_t k = 0; k < count; ++k) {
        if (k == i || k == j) continue;
        unsigned w = terms[i].width();
        if (w < 16 || terms[j].width() != w || terms[k].width() != w) continue;
        u128 mask = mask128(w), offset = (columns[i][0] + columns[j][0] - columns[k][0]) & mask;
        bool always = true, varies = false;
        for (size_t r = 0; r < columns[i].size() && always; ++r) {
          always = ((columns[i][r] + columns[j][r] - columns[k][r]) & mask) == offset;
          varies |= columns[i][r] != columns[i][0];
        }
        if (always && varies)
          out.push_back(store_.eq(store_.add(terms[i], terms[j]), store_.add(terms[k], store_.constant(w, offset))));
      }
}

/// factor * x - y stays within few numbers: what a loop counts in steps of another size, or not in each round.
void Invariants::guess_ranges(const std::vector<Term>& terms, const std::vector<std::vector<u128>>& columns,
                              std::vector<Term>& out) {
  constexpr i128 kFew = 3;
  constexpr size_t kMost = 24, kLeastStates = 6;
  const solve::LinearTerms linear(store_, true);
  size_t found = 0;
  for (size_t i = 0; i < terms.size(); ++i)
    for (size_t j = 0; j < terms.size(); ++j) {
      const unsigned w = terms[i].width();
      if (i == j || w < 16 || w > 64 || terms[j].width() != w || columns[i].size() < kLeastStates) continue;
      const bool varies = std::any_of(columns[i].begin(), columns[i].end(), [&](u128 v) { return v != columns[i][0]; });
      for (i128 factor : {1, 2, 3, 4}) {
        if (!varies || (factor == 1 && i > j) || found >= kMost) continue;
        i128 low = 0, high = 0;
        for (size_t r = 0; r < columns[i].size(); ++r) {
          const i128 d = factor * sign_extend128(columns[i][r], w) - sign_extend128(columns[j][r], w);
          low = r == 0 ? d : std::min(low, d), high = r == 0 ? d : std::max(high, d);
        }
        if (low == high || high - low > kFew) continue;  // one value: guess_pair
        ++found;
        solve::LinearSum above, below;  // d - high and low - d
        above.parts[terms[i].id()] = {terms[i], factor}, above.parts[terms[j].id()] = {terms[j], -1};
        above.constant = -high;
        below.parts[terms[i].id()] = {terms[i], -factor}, below.parts[terms[j].id()] = {terms[j], 1};
        below.constant = low;
        for (const solve::LinearSum* sum : {&above, &below})
          if (Term t = linear.not_positive(*sum)) out.push_back(t);
      }
    }
}

void Invariants::guess(uint32_t n) {
  const Node& node = graph_.node(n);
  std::vector<Term>& out = candidates_[n];
  const auto& all = forest_.at(node.place);
  if (n == graph_.entry()) {  // the one state in which programs begin
    for (Term t : leaves_)
      if (t.op() == Op::Read && space_.program().object_at(t.kid(0).value64()))
        out.push_back(store_.eq(t, store_.constant(t.width(), forest_.test(0).evaluate(space_, 0, t))));
    return;
  }
  if (all.empty()) {
    out.push_back(store_.falsity());
    return;
  }
  std::vector<StateRef> states;
  size_t step = std::max<size_t>(1, all.size() / kMostStates);
  for (size_t i = 0; i < all.size(); i += step) states.push_back(all[i]);
  std::vector<Term> terms = terms_at(n);
  std::vector<std::vector<u128>> columns;
  for (size_t i = 0; i < terms.size();) {
    std::vector<u128> column;
    bool address = false;  // where objects lie is nothing to build on
    for (StateRef s : states) {
      column.push_back(forest_.test(s.test).evaluate(space_, s.visit, terms[i]));
      for (const Site& site : space_.sites())
        address |= column.back() >= site.address && column.back() <= site.address + site.size;
    }
    if (address) {
      terms.erase(terms.begin() + static_cast<ptrdiff_t>(i));
      continue;
    }
    columns.push_back(std::move(column));
    ++i;
  }
  for (size_t i = 0; i < terms.size(); ++i) guess_single(terms[i], columns[i], out);
  for (size_t i = 0; i < terms.size(); ++i)
    for (size_t j = i + 1; j < terms.size(); ++j)
      if (terms[i].width() == terms[j].width()) guess_pair(terms[i], terms[j], columns[i], columns[j], out);
  guess_triples(terms, columns, out);
  guess_ranges(terms, columns, out);
  // What splits have found, where all tests agree.
  std::set<uint32_t> tried;
  for (uint32_t r : node.regions)
    for (Term literal : graph_.region(r).literals)
      for (Term t : {literal, store_.bnot(literal)}) {
        if (!tried.insert(t.id()).second || tried.size() > 80) continue;
        if (std::all_of(states.begin(), states.end(), [&](StateRef s) { return forest_.holds(s, t); }))
          out.push_back(t);
      }
  std::sort(out.begin(), out.end(), [](Term a, Term b) { return a.id() < b.id(); });
  out.erase(std::unique(out.begin(), out.end()), out.end());
  // The sample may have missed a state that speaks against it. (Not all are asked: the filter has the last word
  // anyway.)
  size_t stride = std::max<size_t>(1, all.size() / 600);
  std::erase_if(out, [&](Term t) {
    if (t.is_true() || asking_.out_of_budget()) return true;
    for (size_t i = 0; i < all.size(); i += stride)
      if (!forest_.holds(all[i], t)) return true;
    return false;
  });
}

bool Invariants::filter() {
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t b = 0; b < graph_.block_count(); ++b) {
      if (graph_.block(b).gone || graph_.block(b).block.end != Block::End::Node) continue;
      if (!filter_block(b, changed)) return false;
    }
  }
  return true;
}

/// Candidates at the node that do not hold go: conditions first, then facts about elements.
void Invariants::drop(uint32_t node, const std::vector<char>& dropped) {
  size_t i = 0;
  if (asking_.dropped && !forest_.at(graph_.node(node).place).empty()) {
    for (size_t k = 0; k < candidates_[node].size(); ++k)
      if (dropped[k]) asking_.dropped(node, candidates_[node][k]);
    for (size_t k = 0; k < elements_[node].size(); ++k)
      if (dropped[candidates_[node].size() + k]) asking_.dropped(node, body(space_, elements_[node][k]));
  }
  std::erase_if(candidates_[node], [&](Term) { return dropped[i++] != 0; });
  std::erase_if(elements_[node], [&](const ElementFact&) { return dropped[i++] != 0; });
}

bool Invariants::filter_block(uint32_t b, bool& changed) {
  const Block& block = graph_.block(b).block;
  const uint32_t from = *graph_.find(block.from), to = *graph_.find(block.to);
  if (candidates_[to].empty() && elements_[to].empty()) return true;
  Effect effect(space_, block);
  std::vector<Term> known = candidates_[from];
  for (Term t : graph_.node(from).invariants) known.push_back(t);
  for (Term t : graph_.node(from).pointer_equations) known.push_back(t);
  std::vector<Term> assumptions = known;
  for (Term g : effect.guards()) assumptions.push_back(g);
  std::vector<Term> before;
  for (Term t : candidates_[to]) before.push_back(effect.pre(t));
  for (const ElementFact& fact : elements_[to]) before.push_back(effect.pre(body(space_, fact)));
  std::vector<ElementFact> facts_before = elements_[from];
  for (const ElementFact& fact : graph_.node(from).elements) facts_before.push_back(fact);
  if (!facts_before.empty() || !elements_[to].empty()) {
    use_addresses(space_, known, assumptions);
    use_addresses(space_, known, before);
  }
  Facts facts(store_);
  for (Term t : assumptions) facts.add(t);
  if (facts.contradiction()) return true;
  std::vector<char> dropped(before.size(), 0), open(before.size(), 0);
  std::vector<Term> asked = assumptions;
  for (size_t i = 0; i < before.size(); ++i) {
    open[i] = !facts.simplify(before[i]).is_true();
    if (open[i]) asked.push_back(before[i]);
  }
  if (!facts_before.empty() || std::any_of(asked.begin(), asked.end(), [](Term t) { return t.has_reads(); })) {
    const std::vector<Term> more = instances(space_, facts_before, asked);
    assumptions.insert(assumptions.end(), more.begin(), more.end());
  }
  for (;;) {
    std::vector<Term> claims;
    for (size_t i = 0; i < before.size(); ++i)
      if (open[i]) claims.push_back(before[i]);
    if (claims.empty()) return true;
    if (asking_.out_of_budget()) return false;
    std::vector<Term> query = assumptions;
    query.push_back(store_.bnot(store_.conjunction(claims)));
    const solve::Result result = asking_.ask(query);
    if (result.unsat()) return true;
    bool any = false;
    for (size_t i = 0; i < before.size() && result.sat(); ++i)
      if (open[i] && asking_.value(before[i]) == 0) dropped[i] = 1, open[i] = 0, any = true;
    if (!any)  // not decided: do without the last one
      for (size_t i = before.size(); i-- > 0;)
        if (open[i]) {
          dropped[i] = 1, open[i] = 0;
          break;
        }
    changed = true;
    drop(to, dropped);
    if (from == to) return true;  // less is known before the block, too: it comes again
    size_t kept = 0;
    for (size_t i = 0; i < before.size(); ++i)
      if (!dropped[i]) before[kept] = before[i], open[kept++] = open[i];
    before.resize(kept);
    open.resize(kept);
    dropped.assign(kept, 0);
  }
}

bool Invariants::slice() {
  std::vector<Needed> needed(graph_.nodes());
  for (uint32_t n = 0; n < graph_.nodes(); ++n)
    needed[n] = {std::vector<char>(graph_.node(n).invariants.size(), 0),
                 std::vector<char>(graph_.node(n).elements.size(), 0)};
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t b = 0; b < graph_.block_count(); ++b)
      if (!graph_.block(b).gone && !need(b, needed, changed)) return false;
  }
  for (uint32_t n = graph_.entry(); n < graph_.nodes(); ++n) {
    size_t i = 0, k = 0;
    std::erase_if(graph_.node(n).invariants, [&](Term) { return needed[n].invariants[i++] == 0; });
    std::erase_if(graph_.node(n).elements, [&](const ElementFact&) { return needed[n].elements[k++] == 0; });
  }
  return true;
}

/// What the block must not be run without, so that it does not break what is needed after it.
bool Invariants::need(uint32_t b, std::vector<Needed>& needed, bool& changed) {
  const Block& block = graph_.block(b).block;
  const uint32_t from = *graph_.find(block.from);
  const Node& node = graph_.node(from);
  Effect effect(space_, block);
  std::vector<Term> claims;
  if (block.end == Block::End::Node) {
    const uint32_t to = *graph_.find(block.to);
    const Node& after = graph_.node(to);
    for (size_t i = 0; i < after.invariants.size(); ++i)
      if (needed[to].invariants[i]) claims.push_back(effect.pre(after.invariants[i]));
    for (size_t i = 0; i < after.elements.size(); ++i)
      if (needed[to].elements[i]) claims.push_back(effect.pre(body(space_, after.elements[i])));
    if (claims.empty()) return true;
  }
  if (asking_.out_of_budget()) return false;
  const size_t own = node.invariants.size();
  std::vector<Term> query = node.invariants;
  for (Term t : node.pointer_equations) query.push_back(t);
  for (Term g : effect.guards()) query.push_back(g);
  query.push_back(store_.bnot(store_.conjunction(claims)));
  if (claims.empty()) query.back() = store_.truth();
  if (!node.elements.empty()) use_addresses(space_, node.invariants, query);
  std::vector<size_t> of;
  const size_t first = query.size();
  const std::vector<Term> more = instances(space_, node.elements, query, &of);
  query.insert(query.end(), more.begin(), more.end());
  // What is needed anyway first: that may be enough.
  std::vector<Term> least;
  for (size_t i = 0; i < query.size(); ++i) {
    const bool asked = i < own                                           ? needed[from].invariants[i] != 0
                       : i >= first && of[i - first] != program::kNone ? needed[from].elements[of[i - first]] != 0
                                                                         : true;
    if (asked) least.push_back(query[i]);
  }
  if (least.size() < query.size() && asking_.ask(least).unsat()) return true;
  if (!asking_.ask(query).unsat()) return false;
  std::unordered_set<Term> core;
  for (Term t : asking_.core()) core.insert(t);
  for (size_t i = 0; i < query.size(); ++i) {
    if (!core.contains(query[i])) continue;
    char* mark = i < own                                           ? &needed[from].invariants[i]
                 : i >= first && of[i - first] != program::kNone ? &needed[from].elements[of[i - first]]
                                                                   : nullptr;
    if (mark && *mark == 0) *mark = 1, changed = true;
  }
  return true;
}

}  // namespace whittle::engines::dash
