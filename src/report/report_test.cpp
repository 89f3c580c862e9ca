#include "report/report.h"
#include "report/test_suite.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>

#include "report/sha256.h"

namespace whittle::report {

using testing::HasSubstr;
using testing::Not;

/// A race with one input, and a source file to quote.
class Report : public testing::Test {
 protected:
  Report() {
    dir = std::filesystem::temp_directory_path() / ("whittle_report_" + std::to_string(::getpid()));
    std::filesystem::create_directory(dir);
    file = (dir / "race.c").string();
    std::ofstream(file) << "int x;\nint main() {\n  x = __VERIFIER_nondet_int();\n  x <&>= 2;\n  reach_error();\n}\n";
    run.version = "0.0";
    run.files = {file};
    run.seconds = 0.5;
    run.peak_memory = 1 << 20;
    run.replay = "whittle run race.c --inputs -1";
    run.specification.properties = {verdict::Property::UnreachCall};
    verdict::Verdict& v = run.verdict;
    v.answer = verdict::Answer::False;
    v.engine = "test";
    v.violation = verdict::Violation{verdict::Property::UnreachCall, "reach_error() is called", "main", file, 5, 0};
    v.counterexample.inputs = {{32, 0xffffffffu, "__VERIFIER_nondet_int", file, 3}};
    v.counterexample.schedule = {0, 0, 0, 1, 0};
    run.trace.steps = {{0, "main", file, 3, 7, "x = input", {{"x", "-1"}}, ""},
                     {1, "thread", file, 4, 3, "x = 2", {{"x", "2"}}, "thread 1 starts"},
                     {0, "main", file, 5, 3, "reach_error()", {}, ""}};
    v.assumptions = {"function `f` has no body"};
    v.statistics.add("runs", 7);
  }
  ~Report() override { std::filesystem::remove_all(dir); }

  std::filesystem::path dir;
  std::string file;
  report::Run run;
  Sources sources;
};

TEST_F(Report, TextHasInputsFirstThenColumnsThenViolation) {
  std::string text = counterexample_text(run, sources, {});
  size_t inputs = text.find("-1"), trace = text.find("x <&>= 2;"),
         violation = text.find("violation: reach_error() is called");
  ASSERT_NE(inputs, std::string::npos);
  ASSERT_NE(trace, std::string::npos);
  ASSERT_NE(violation, std::string::npos);
  EXPECT_LT(inputs, trace);
  EXPECT_LT(trace, violation);
  EXPECT_THAT(text, HasSubstr("thread 0 (main)"));
  EXPECT_THAT(text, HasSubstr("-> x = 2; thread 1 starts"));
  EXPECT_THAT(text, HasSubstr("replay: whittle run"));
  EXPECT_THAT(text, Not(HasSubstr("\033")));
  EXPECT_THAT(counterexample_text(run, sources, {.colour = true}), HasSubstr("\033["));
  // The other thread's column starts to the right of main's.
  size_t line_start = text.rfind('\n', trace) + 1, main_start = text.rfind('\n', text.find("x = __VER")) + 1;
  EXPECT_GT(trace - line_start, text.find("x = __VER") - main_start);
}

TEST_F(Report, LongTracesAreCutInTheMiddle) {
  verdict::DetailedStep step = run.trace.steps[0];
  run.trace.steps.clear();
  for (int i = 0; i < 100; ++i) {
    step.changes = {{"x", "value" + std::to_string(i)}};
    step.line = 1000 + static_cast<unsigned>(i);
    run.trace.steps.push_back(step);
  }
  std::string text = counterexample_text(run, sources, {.max_rows = 20});
  EXPECT_THAT(text, HasSubstr("80 lines left out"));
  EXPECT_THAT(text, HasSubstr("x = value4\n"));
  EXPECT_THAT(text, Not(HasSubstr("x = value5\n")));
  EXPECT_THAT(text, Not(HasSubstr("x = value84\n")));
  EXPECT_THAT(text, HasSubstr("x = value85\n"));
  EXPECT_THAT(text, HasSubstr("x = value99\n"));
}

TEST_F(Report, StepsOnOneLineAreOneRow) {
  run.trace.steps = {{0, "main", file, 3, 1, "a", {{"x", "1"}}, ""},
                             {0, "main", file, 3, 5, "b", {{"y", "2"}}, ""},
                             {0, "main", file, 3, 1, "a", {{"x", "3"}}, ""}};
  std::vector<Row> all = rows(run.trace, sources);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].changes.size(), 2u);
}

TEST_F(Report, AnInterruptIsNotTheLineBeforeWhichItComes) {
  run.trace.lanes = {"program", "interrupts"};
  run.trace.steps = {{0, "main", file, 3, 0, "in r0, TIFR", {}, ""},
                     {1, "main", file, 3, 0, "interrupt INT0", {}, "interrupt INT0"},
                     {1, "", "", 0, 0, "jmp 0x92", {}, ""},  // from the vector to the handler
                     {1, "handler", file, 4, 0, "sts x, r24", {{"x", "2"}}, ""}};
  for (uint64_t i = 0; i < run.trace.steps.size(); ++i) run.trace.steps[i].cycles = i;
  const std::vector<Row> all = rows(run.trace, sources);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[1].source, "interrupt INT0");
  EXPECT_EQ(all[1].line, 0u);
  EXPECT_TRUE(all[1].notes.empty());
  EXPECT_EQ(all[2].line, 4u);
}

TEST_F(Report, JsonHasTheFieldsOfTheManual) {
  auto parsed = nlohmann::json::parse(json(run));
  for (const char* field :
       {"verdict", "property", "engine", "seconds", "peak_memory", "statistics", "assumptions", "trace"})
    EXPECT_TRUE(parsed.contains(field)) << field;
  EXPECT_EQ(parsed["verdict"], "false(unreach-call)");
  EXPECT_EQ(parsed["property"], "unreach-call");
  EXPECT_EQ(parsed["statistics"]["runs"], 7);
  EXPECT_EQ(parsed["trace"].size(), 3u);
  EXPECT_EQ(parsed["counterexample"]["inputs"][0]["value"], "-1");
  EXPECT_EQ(parsed["counterexample"]["schedule"], "0:3,1,0");
  run.verdict.violation->message = "bad \xff byte";
  EXPECT_NO_THROW(nlohmann::json::parse(json(run)));
  run.verdict = {};
  EXPECT_EQ(nlohmann::json::parse(json(run))["verdict"], "unknown");
}

/// `before` steps on other lines, then rounds of two lines each.
verdict::DetailedTrace loop(const std::string& file, unsigned before, unsigned rounds) {
  verdict::DetailedTrace trace;
  for (unsigned i = 0; i < before; ++i) trace.steps.push_back({0, "main", file, 10 + i, 1, "a", {}, ""});
  for (unsigned i = 0; i < rounds; ++i) {
    trace.steps.push_back({0, "main", file, 3, 1, "i++", {{"i", std::to_string(i)}}, ""});
    trace.steps.push_back({0, "main", file, 4, 1, "done = 1", {{"done", "1"}}, ""});
  }
  trace.steps.push_back({0, "main", file, 5, 1, "end", {}, ""});
  return trace;
}

TEST_F(Report, RoundsThatGoTheSameWayAreFolded) {
  run.trace = loop(file, 3, 5000);
  std::vector<Part> parts = fold(rows(run.trace, sources));
  ASSERT_EQ(parts.size(), 5u);
  EXPECT_EQ(parts[3].rounds, 5000u);
  EXPECT_EQ(parts[3].first.size(), 2u);
  EXPECT_EQ(parts[3].varying, std::vector<std::string>{"i"}) << "what never changes is not named";
  EXPECT_THAT(counterexample_text(run, sources, {}), HasSubstr("the same lines 4998 more times except i\n"));
  EXPECT_THAT(counterexample_text(run, sources, {.max_rows = 0}), HasSubstr("i = 2500\n")) << "unless all is wanted";
  run.trace = loop(file, 3, 3);
  for (const Part& part : fold(rows(run.trace, sources))) EXPECT_EQ(part.rounds, 0u) << "too few";
}

TEST_F(Report, LoopsInLoopsAreFolded) {
  verdict::DetailedTrace all;
  for (unsigned outer = 0; outer < 20; ++outer) {
    verdict::DetailedTrace inner = loop(file, 1, 10 + outer);
    inner.steps[0].line = 2;  // loops begin with their first line
    all.steps.insert(all.steps.end(), inner.steps.begin(), inner.steps.end());
  }
  run.trace = all;
  std::vector<Part> parts = fold(rows(run.trace, sources));
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_EQ(parts[0].rounds, 20u);
}

TEST_F(Report, RoundsHaveTheNumbersOfTheirLoop) {
  // Round 6 goes another way.
  run.trace = {};
  run.trace.rounds = {{}};
  for (unsigned i = 1; i <= 20; ++i) {
    run.trace.rounds.push_back({0, 1, i, verdict::Round::Kind::Loop});
    for (unsigned line : {3u, 4u, 5u}) {
      if (line == 5 && i != 6) continue;
      verdict::DetailedStep step{0, "main", file, line, 1, "s", {{"i", std::to_string(i)}}, ""};
      step.round = i;
      run.trace.steps.push_back(step);
    }
  }
  const std::string text = counterexample_text(run, sources, {});
  EXPECT_THAT(text, HasSubstr("... rounds 2 to 4 as round 1 except i\n"));
  EXPECT_THAT(text, HasSubstr("... rounds 8 to 19 as round 7 except i\n"));
}

TEST_F(Report, HtmlIsSelfContainedAndEscaped) {
  run.trace.steps[0].changes = {{"text", "\"</script><b>\""}};
  run.verdict.violation->message = "x <&> 2";
  std::string page = html(run, sources);
  EXPECT_THAT(page, HasSubstr("x &lt;&amp;&gt; 2"));
  EXPECT_THAT(page, Not(HasSubstr("</script><b>")));
  EXPECT_THAT(page, Not(HasSubstr("http")));
  EXPECT_THAT(page, Not(HasSubstr("{lanes}")));
}

TEST_F(Report, SarifNamesRuleAndPlace) {
  auto parsed = nlohmann::json::parse(sarif(run));
  EXPECT_EQ(parsed["version"], "2.1.0");
  auto result = parsed["runs"][0]["results"][0];
  EXPECT_EQ(result["ruleId"], "unreach-call");
  EXPECT_EQ(result["locations"][0]["physicalLocation"]["region"]["startLine"], 5);
  EXPECT_EQ(result["codeFlows"][0]["threadFlows"].size(), 2u);
  EXPECT_EQ(parsed["runs"][0]["invocations"][0]["executionSuccessful"], true);
  EXPECT_FALSE(parsed["runs"][0]["tool"]["driver"]["rules"][0]["help"]["text"].empty());
  run.verdict = {};
  run.verdict.reason = "time limit reached";
  auto unknown = nlohmann::json::parse(sarif(run))["runs"][0];
  EXPECT_TRUE(unknown["results"].empty());
  EXPECT_EQ(unknown["invocations"][0]["executionSuccessful"], false);
  EXPECT_EQ(unknown["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"], "no answer: time limit reached");
  run.verdict.answer = verdict::Answer::True;
  EXPECT_EQ(nlohmann::json::parse(sarif(run))["runs"][0]["invocations"][0]["executionSuccessful"], true);
}

TEST_F(Report, SarifFingerprintsStayWhenLinesMove) {
  auto print = [&] { return nlohmann::json::parse(sarif(run))["runs"][0]["results"][0]["partialFingerprints"]["whittle/v1"]; };
  auto before = print();
  std::ofstream(file) << "// a new line\nint x;\nint main() {\n  x = __VERIFIER_nondet_int();\n  x <&>= 2;\n  reach_error();\n}\n";
  run.verdict.violation->line = 6;
  EXPECT_EQ(print(), before);
  run.verdict.violation->line = 4;
  EXPECT_NE(print(), before) << "another mistake";
}

TEST_F(Report, SarifStaysSmall) {
  run.trace = loop(file, 5000, 60'000);
  std::string text = sarif(run);
  EXPECT_LT(text.size(), 1'000'000u);
  EXPECT_THAT(text, HasSubstr("the same lines 59998 more times except i"));
  EXPECT_THAT(text, HasSubstr("steps are left out here"));
}

TEST_F(Report, SarifEncodesNamesOfFiles) {
  run.verdict.violation->file = "a b/50%#.c";
  auto result = nlohmann::json::parse(sarif(run))["runs"][0]["results"][0];
  EXPECT_EQ(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "a%20b/50%25%23.c");
}

TEST_F(Report, TestSuites) {
  TestCase test{run.verdict.counterexample.inputs, {"x"}, false, 3, false};
  auto files = test_suite({test}, {.version = "0.0", .file = file, .specification = "COVER", .created = "now"});
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(files["test-1.xml"].c_str()));
  EXPECT_STREQ(document.child("testcase").child("input").text().get(), "-1");
  ASSERT_TRUE(document.load_string(files["metadata.xml"].c_str()));
  EXPECT_STREQ(document.child("test-metadata").child("architecture").text().get(), "64bit");
  const std::string& bytes = files["test-1.ktest"];
  EXPECT_EQ(bytes.substr(0, 9), std::string("KTEST\0\0\0\3", 9));
  EXPECT_EQ(bytes.substr(bytes.size() - 9), std::string("x\0\0\0\4\xff\xff\xff\xff", 9));
  EXPECT_THAT(files["tests.c"], HasSubstr("{kExits, 3, 1, inputs_1}"));
}

TEST_F(Report, YamlWitnessFollowsInputsToTheTarget) {
  run.trace.steps[0].statement = "x = __VERIFIER_nondet_int()";
  YAML::Node list = YAML::Load(yaml_witness(run));
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0]["entry_type"].as<std::string>(), "violation_sequence");
  EXPECT_EQ(list[0]["metadata"]["uuid"].as<std::string>().size(), 36u);
  EXPECT_EQ(list[0]["metadata"]["task"]["input_file_hashes"][file].as<std::string>().size(), 64u);
  YAML::Node content = list[0]["content"];
  auto point = [&](size_t i) { return content[i]["segment"][0]["waypoint"]; };
  ASSERT_GE(content.size(), 4u);  // the input, the end of thread 0's turn, the begin of thread 1's, the target
  EXPECT_EQ(point(0)["type"].as<std::string>(), "function_return");
  EXPECT_EQ(point(0)["location"]["column"].as<int>(), 29);
  EXPECT_EQ(point(0)["constraint"]["value"].as<std::string>(), "\\result == -1");
  EXPECT_EQ(point(1)["thread_id"].as<int>(), 0);
  EXPECT_EQ(point(2)["thread_id"].as<int>(), 1);
  EXPECT_EQ(point(content.size() - 1)["type"].as<std::string>(), "target");
}

TEST_F(Report, GraphmlWitnessIsAPathToTheViolation) {
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(graphml_witness(run).c_str()));
  pugi::xml_node graph = document.child("graphml").child("graph");
  EXPECT_EQ(std::distance(graph.children("edge").begin(), graph.children("edge").end()), 3);
  EXPECT_STREQ(graph.find_child_by_attribute("data", "key", "witness-type").text().get(), "violation_witness");
  EXPECT_STREQ(graph.child("edge").find_child_by_attribute("data", "key", "assumption").text().get(),
               "\\result == -1;");
}

TEST(Values, SignAndWidth) {
  auto text = [](unsigned width, u128 value, const char* origin) { return value_text({width, value, origin, "", 0}); };
  EXPECT_EQ(text(32, 0x40200000, "__VERIFIER_nondet_float"), "2.5f");
  EXPECT_EQ(text(32, 0x80000000, "__VERIFIER_nondet_float"), "-0.0f");
  EXPECT_EQ(text(32, 0x7f800000, "__VERIFIER_nondet_float"), "inff");
  EXPECT_EQ(text(32, 0x7fc00001, "__VERIFIER_nondet_float"), "0x7fc00001") << "not a number";
  EXPECT_EQ(text(64, 0x4008000000000000, "__VERIFIER_nondet_double"), "3.0");
  EXPECT_EQ(text(64, 0x3fb999999999999a, "nondet_double"), "0.1");
  EXPECT_EQ(text(32, 0xfffffffe, "__VERIFIER_nondet_int"), "-2");
  EXPECT_EQ(text(32, 0xfffffffe, "__VERIFIER_nondet_uint"), "4294967294");
  EXPECT_EQ(text(1, 1, "__VERIFIER_nondet_bool"), "1");
  EXPECT_EQ(text(128, u128{1} << 64, "__VERIFIER_nondet_uint128"), "0x10000000000000000");
  EXPECT_EQ(schedule_text({}), "");
  EXPECT_EQ(schedule_text({1, 1, 0, 2, 2, 2}), "1:2,0,2:3");
}

TEST(Sha256, KnownAnswers) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex(std::string(1000, 'a')).substr(0, 16), "41edece42d63e8d9");
}

}  // namespace whittle::report
