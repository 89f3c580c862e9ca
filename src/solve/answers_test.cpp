// Answers from a file are those that a solver gives, and nothing is asked twice.
#include "solve/answers.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <random>

#include "base/error.h"
#include "solve/stack.h"

namespace whittle::solve {
namespace {

using term::Store;

std::string temporary_file() {
  std::string folder = (std::filesystem::temp_directory_path() / "whittle_answers_XXXXXX").string();
  EXPECT_NE(mkdtemp(folder.data()), nullptr);
  return folder + "/kept";
}

/// The same questions for the same seed, over variables that have other numbers after `skipped` others.
class Questions {
 public:
  Questions(uint64_t seed, unsigned skipped) : random_(seed) {
    for (unsigned i = 0; i < skipped; ++i) store.variable(8, "other");
    for (int i = 0; i < 4; ++i) variables_.push_back(store.variable(8, "v"));
    variables_.push_back(store.read(variables_[0], 8));
  }
  Term condition() {
    const Term x = variables_[random_() % 5], y = variables_[random_() % 5], c = store.constant(8, random_() % 256);
    switch (random_() % 4) {
      case 0: return store.ult(store.mul(x, y), c);
      case 1: return store.eq(store.add(x, store.udiv(y, c)), store.extract(store.concat(c, x), 3, 8));
      case 2: return store.slt(x, store.sub(y, c));
      default: return store.bnot(store.eq(store.band(x, c), y));
    }
  }
  uint64_t pick(uint64_t n) { return random_() % n; }
  Store store;

 private:
  std::mt19937_64 random_;
  std::vector<Term> variables_;
};

/// A walk through pushes, pops and checks; every answer is compared with a bare solver's. Returns how many were asked.
uint64_t walk(Questions& questions, Answers& answers, unsigned steps) {
  Statistics figures;
  auto solver = make_remembering(questions.store, answers, make_solver(questions.store, {}, &figures));
  auto bare = make_z3(questions.store);
  std::vector<Term> added;
  std::vector<size_t> levels;
  for (unsigned i = 0; i < steps; ++i) {
    const uint64_t what = questions.pick(6);
    if (what == 0) solver->push(), bare->push(), levels.push_back(added.size());
    if (what == 1 && !levels.empty()) solver->pop(), bare->pop(), added.resize(levels.back()), levels.pop_back();
    if (what == 2) added.push_back(questions.condition()), solver->add(added.back()), bare->add(added.back());
    if (what < 3) continue;
    std::vector<Term> assumed;
    for (uint64_t n = questions.pick(4); n > 0; --n) assumed.push_back(questions.condition());
    const Result result = solver->check(assumed), expected = bare->check(assumed);
    EXPECT_EQ(result.answer, expected.answer);
    if (result.sat()) {
      for (const auto* list : {&added, &assumed})
        for (Term t : *list) EXPECT_EQ(solver->value(t), 1u);
    }
    if (result.unsat()) {
      const std::vector<Term> core = solver->core();
      for (Term t : core) EXPECT_TRUE(std::ranges::find(assumed, t) != assumed.end());
      EXPECT_TRUE(bare->check(core).unsat());
    }
  }
  return figures.count("solver.all.queries");
}

TEST(Answers, AreThoseOfASolverAndNotAskedTwice) {
  const std::string file = temporary_file();
  uint64_t asked = 0;
  for (uint64_t seed = 1; seed <= 8; ++seed) {
    Limits limits;
    Answers first(limits), second(limits);
    Questions once(seed, 0), again(seed, 0);
    asked += walk(once, first, 60);
    {
      CheckpointWriter out(file, seed);
      first.save(out);
      out.finish();
    }
    CheckpointReader in(file, seed);
    second.load(in);
    ASSERT_EQ(second.size(), first.size());
    EXPECT_EQ(walk(again, second, 60), 0u) << "seed " << seed;
  }
  EXPECT_GT(asked, 80u);
  std::filesystem::remove_all(std::filesystem::path(file).parent_path());
}

/// Numbers that mean something else there: a known answer may fit or not, it is never wrong.
TEST(Answers, HoldWhateverNumbersMean) {
  for (uint64_t seed = 1; seed <= 8; ++seed) {
    Limits limits;
    Answers answers(limits);
    for (unsigned skipped : {0u, 1u, 2u, 0u}) {
      Questions questions(seed % 3, skipped);
      walk(questions, answers, 40);
    }
  }
}

/// A file that says of each question what is not so. Models are looked through; that is what can be.
TEST(Answers, AModelIsEvaluatedBeforeItIsBelieved) {
  Limits limits;
  Answers answers(limits);
  Questions questions(5, 0);
  walk(questions, answers, 60);
  const std::string file = temporary_file();
  CheckpointWriter out(file, 1);
  answers.save(out);
  out.finish();
  CheckpointReader in(file, 1);
  const auto count = in.value<uint64_t>();
  std::vector<uint64_t> words = in.array<uint64_t>();
  const std::vector<char> reasons = in.array<char>();
  for (size_t at = 0; at < words.size();) {
    const uint64_t which = words[at + 3], values = words[at + 2] == 0 ? which : 0;
    for (uint64_t i = 0; i < values; ++i) words[at + 5 + which + 2 * i] ^= 0x55;
    at += 5 + which + 2 * values;
  }
  CheckpointWriter wrong(file, 1);
  wrong.value(count);
  wrong.array(words.data(), words.size());
  wrong.array(reasons.data(), reasons.size());
  wrong.finish();
  Answers forged(limits);
  CheckpointReader forged_in(file, 1);
  forged.load(forged_in);
  Questions same(5, 0);
  walk(same, forged, 60);
  std::filesystem::remove_all(std::filesystem::path(file).parent_path());
}

TEST(Answers, WhatLimitsCutShortIsNotRemembered) {
  Limits limits;
  Answers answers(limits);
  answers.add({1, 1}, {Answer::Unknown, "time limit", {}, {}});
  EXPECT_EQ(answers.size(), 1u);
  limits.interrupt();
  answers.add({2, 2}, {Answer::Unknown, "interrupted", {}, {}});
  answers.add({3, 3}, {Answer::Unsat, "", {}, {}});
  EXPECT_EQ(answers.find({2, 2}), nullptr);
  EXPECT_NE(answers.find({3, 3}), nullptr);
}

/// Contents that do not add up are refused, and none of them makes the reader read beyond its end.
TEST(Answers, DamagedContentsAreRefused) {
  const std::string file = temporary_file();
  std::mt19937_64 random(3);
  for (int round = 0; round < 100; ++round) {
    std::vector<uint64_t> words(random() % 12);
    for (uint64_t& word : words) word = random() % 4 == 0 ? random() : random() % 4;
    {
      CheckpointWriter out(file, 1);
      out.value(uint64_t{random() % 3});
      out.array(words.data(), words.size());
      out.array("abc", random() % 3);
      out.finish();
    }
    Limits limits;
    Answers answers(limits);
    CheckpointReader in(file, 1);
    try {
      answers.load(in);
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("is damaged"), std::string::npos);
    }
  }
  std::filesystem::remove_all(std::filesystem::path(file).parent_path());
}

}  // namespace
}  // namespace whittle::solve
