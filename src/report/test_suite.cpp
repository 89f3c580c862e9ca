#include "report/test_suite.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <pugixml.hpp>
#include <sstream>

#include "base/file.h"
#include "report/report.h"
#include "report/sha256.h"

namespace whittle::report {

namespace {

std::string name_of(const TestCase& test, size_t i) { return i < test.names.size() ? test.names[i] : ""; }

std::string xml_text(const pugi::xml_document& document) {
  std::ostringstream out;
  document.save(out, "  ");
  return out.str();
}

std::string metadata(const SuiteInfo& info) {
  pugi::xml_document document;
  auto declaration = document.append_child(pugi::node_declaration);
  declaration.append_attribute("version") = "1.0";
  declaration.append_attribute("encoding") = "UTF-8";
  declaration.append_attribute("standalone") = "no";
  auto type = document.append_child(pugi::node_doctype);
  type.set_value("test-metadata PUBLIC \"+//IDN sosy-lab.org//DTD test-format test-metadata 1.1//EN\" "
                 "\"https://sosy-lab.org/test-format/test-metadata-1.1.dtd\"");
  auto root = document.append_child("test-metadata");
  auto add = [&](const char* name, const std::string& value) { root.append_child(name).text() = value.c_str(); };
  add("sourcecodelang", "C");
  add("producer", "whittle " + info.version);
  add("specification", info.specification);
  add("programfile", info.file);
  add("programhash", sha256_hex(file_text(info.file)));
  add("entryfunction", info.entry);
  add("architecture", info.data_model == "ILP32" ? "32bit" : "64bit");
  add("creationtime", info.created);
  return xml_text(document);
}

std::string test_xml(const TestCase& test) {
  pugi::xml_document document;
  auto declaration = document.append_child(pugi::node_declaration);
  declaration.append_attribute("version") = "1.0";
  declaration.append_attribute("encoding") = "UTF-8";
  declaration.append_attribute("standalone") = "no";
  auto type = document.append_child(pugi::node_doctype);
  type.set_value("testcase PUBLIC \"+//IDN sosy-lab.org//DTD test-format testcase 1.1//EN\" "
                 "\"https://sosy-lab.org/test-format/testcase-1.1.dtd\"");
  auto root = document.append_child("testcase");
  if (test.violates) root.append_attribute("coversError") = "true";
  for (const verdict::Input& input : test.inputs) root.append_child("input").text() = value_text(input).c_str();
  return xml_text(document);
}

/// KLEE's format, version 3: numbers are 32 bits, the highest byte first.
std::string ktest(const TestCase& test, const std::string& program) {
  std::string out = "KTEST";
  auto number = [&](uint64_t value) {
    for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift);
  };
  auto text = [&](const std::string& bytes) {
    number(bytes.size());
    out += bytes;
  };
  number(3);
  number(1);
  text(program);
  number(0);
  number(0);
  number(test.inputs.size());
  for (size_t i = 0; i < test.inputs.size(); ++i) {
    const verdict::Input& input = test.inputs[i];
    text(name_of(test, i).empty() ? fmt::format("input_{}", i + 1) : name_of(test, i));
    std::string bytes;
    for (unsigned at = 0; at < (input.width + 7) / 8; ++at) bytes += static_cast<char>(input.value >> (8 * at));
    text(bytes);
  }
  return out;
}

std::string unit_tests(const std::vector<TestCase>& cases, const SuiteInfo& info) {
  std::string out = fmt::format(
      "// Unit tests for {0}: each case runs main with its inputs, in a process of its own.\n"
      "//   cc -Wl,--wrap=main tests.c {0} -lpthread -lm -o tests && ./tests\n"
      "// (--wrap: it begins here, and main keeps its name, with which it returns 0 at its end)\n"
      "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <sys/wait.h>\n#include <unistd.h>\n\n"
      "int __real_main(int argc, char** argv);  // of the program\n\n"
      "struct value {{\n  unsigned long long low, high;\n}};\nenum {{ kExits, kAborts, kViolates }};\n"
      "struct test {{\n  int end, status, count;\n  const struct value* inputs;\n}};\n\n",
      info.file);
  for (size_t i = 0; i < cases.size(); ++i) {
    out += fmt::format("static const struct value inputs_{}[] = {{\n", i + 1);
    for (size_t k = 0; k < cases[i].inputs.size(); ++k) {
      const verdict::Input& input = cases[i].inputs[k];
      out += fmt::format("    {{{:#x}u, {:#x}u}},  // {}{} = {}\n", static_cast<uint64_t>(input.value),
                         static_cast<uint64_t>(input.value >> 64),
                         name_of(cases[i], k).empty() ? "" : name_of(cases[i], k) + ": ", input.origin, value_text(input));
    }
    out += "    {0, 0}};\n";
  }
  out += "static const struct test tests[] = {\n";
  for (size_t i = 0; i < cases.size(); ++i)
    out += fmt::format("    {{{}, {}, {}, inputs_{}}},\n", cases[i].violates ? "kViolates" : cases[i].aborts ? "kAborts" : "kExits",
                       cases[i].status & 0xff, cases[i].inputs.size(), i + 1);
  out += R"--c--(};

static const struct test* now;
static int used;
static struct value next_input(void) {
  struct value none = {0, 0};
  return used < now->count ? now->inputs[used++] : none;
}
#define INPUT(type, name)                   \
  type __VERIFIER_nondet_##name(void) {     \
    struct value v = next_input();          \
    type result;                            \
    memcpy(&result, &v, sizeof result);     \
    return result;                          \
  }
INPUT(_Bool, bool)
INPUT(char, char)
INPUT(unsigned char, uchar)
INPUT(short, short)
INPUT(unsigned short, ushort)
INPUT(int, int)
INPUT(unsigned, uint)
INPUT(long, long)
INPUT(unsigned long, ulong)
INPUT(long long, longlong)
INPUT(unsigned long long, ulonglong)
INPUT(float, float)
INPUT(double, double)
INPUT(size_t, size_t)
INPUT(void*, pointer)
void __VERIFIER_assume(int condition) {
  if (!condition) _exit(84);
}
__attribute__((weak)) void reach_error(void) { abort(); }
__attribute__((weak)) void __VERIFIER_error(void) { abort(); }

int __wrap_main(void) {
  int failed = 0, count = (int)(sizeof tests / sizeof *tests);
  for (int i = 0; i < count; i++) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
      char* arguments[] = {"program", 0};
      now = &tests[i];
      exit(__real_main(1, arguments));
    }
    int status = 0;
    waitpid(child, &status, 0);
    int good = tests[i].end == kExits ? WIFEXITED(status) && WEXITSTATUS(status) == tests[i].status : WIFSIGNALED(status);
    if (tests[i].end == kViolates) {
      printf("test %d: a violation that whittle found%s\n", i + 1, good ? "" : " (not noticed here: use a sanitizer)");
    } else {
      printf("test %d: %s\n", i + 1, good ? "as before" : "ends in another way");
      failed += !good;
    }
  }
  return failed != 0;
}
)--c--";
  return out;
}

}  // namespace

std::map<std::string, std::string> test_suite(const std::vector<TestCase>& cases, const SuiteInfo& info) {
  std::map<std::string, std::string> files;
  files["metadata.xml"] = metadata(info);
  files["tests.c"] = unit_tests(cases, info);
  for (size_t i = 0; i < cases.size(); ++i) {
    files[fmt::format("test-{}.xml", i + 1)] = test_xml(cases[i]);
    files[fmt::format("test-{}.ktest", i + 1)] = ktest(cases[i], info.file);
  }
  return files;
}

}  // namespace whittle::report
