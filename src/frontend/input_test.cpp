// Everything that can be wrong with input: one clear line, the right exit code, nothing left behind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/compile.h"
#include "frontend/test_support.h"

namespace whittle::frontend {
namespace {

using program::Program;
using test::error_of;
using test::Folder;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::Pair;

std::pair<int, std::string> error_for(const std::vector<std::string>& files,
                                      Options options = test::standard_options()) {
  auto error = error_of([&] { load_program(files, options); });
  EXPECT_EQ(error.second.find('\n'), std::string::npos) << error.second;
  return error;
}

TEST(Input, MissingFile) {
  Folder folder;
  EXPECT_THAT(error_for({folder.file("gone.c")}), Pair(65, EndsWith("gone.c: no such file")));
  EXPECT_THAT(error_for({folder.file("gone.bc")}), Pair(65, EndsWith("gone.bc: no such file")));
}

TEST(Input, NoFile) { EXPECT_EQ(error_for({}).first, 64); }

TEST(Input, Directory) {
  Folder folder;
  std::filesystem::create_directory(folder.file("dir.c"));
  EXPECT_THAT(error_for({folder.file("dir.c")}), Pair(65, EndsWith("is a directory")));
  std::filesystem::create_directory(folder.file("plain"));
  EXPECT_THAT(error_for({folder.file("plain")}), Pair(65, EndsWith("is a directory")));
}

TEST(Input, EmptyFile) {
  Folder folder;
  EXPECT_THAT(error_for({folder.write("a.c", "")}), Pair(65, EndsWith("a.c is empty")));
  EXPECT_THAT(error_for({folder.write("b.i", "\n \n")}), Pair(65, EndsWith("b.i is empty")));
  EXPECT_THAT(error_for({folder.write("c.bc", "")}), Pair(65, EndsWith("c.bc is empty")));
  EXPECT_THAT(error_for({folder.write("c.ll", "")}), Pair(65, EndsWith("c.ll is empty")));
}

TEST(Input, SyntaxErrorShowsFileAndLine) {
  Folder folder;
  auto error = error_for({folder.write("a.c", "int main(void) {\n  return 0\n}\n")});
  EXPECT_THAT(error, Pair(65, HasSubstr("a.c:2:11: error: expected ';'")));
  error = error_for({folder.write("a.i", "# 77 \"other.c\"\nint main(void) {\n  return 0\n}\n")});
  EXPECT_THAT(error, Pair(65, HasSubstr("a.i:3:11: error: expected ';'")));
  EXPECT_EQ(folder.count(), 2u);
}

TEST(Input, UnknownKindOfFile) {
  Folder folder;
  EXPECT_THAT(error_for({folder.write("a.txt", "hello")}), Pair(64, HasSubstr("a.txt: not a .c, .i, .bc, .ll, .elf or .hex file")));
}

TEST(Input, NoMainNamesTheNearestFunction) {
  Folder folder;
  EXPECT_THAT(error_for({folder.write("a.c", "int mian(void) { return 0; }\nint other(void) { return 1; }\n")}),
              Pair(65, HasSubstr("no function `main` (did you mean `mian`?)")));
  EXPECT_THAT(error_for({folder.write("b.c", "int compute(void) { return 0; }\n")}), Pair(65, HasSubstr("`compute`")));
  EXPECT_THAT(error_for({folder.write("c.c", "int x;\n")}), Pair(65, HasSubstr("nothing is defined")));
}

TEST(Input, TruncatedBitcode) {
  Folder folder;
  Compiled compiled = compile(folder.write("a.c", "int main(void) { return 0; }\n"), test::standard_options());
  ASSERT_GT(compiled.bitcode.size(), 500u);
  for (size_t size : {size_t{3}, size_t{40}, compiled.bitcode.size() / 2, compiled.bitcode.size() - 16}) {
    auto error = error_for({folder.write("a.bc", compiled.bitcode.substr(0, size))});
    EXPECT_EQ(error.first, 65) << size << ": " << error.second;
    EXPECT_THAT(error.second, HasSubstr("a.bc"));
  }
  EXPECT_THAT(error_for({folder.write("b.bc", "this is no bitcode at all")}), Pair(65, HasSubstr("not LLVM bitcode")));
}

TEST(Input, ForeignBitcode) {
  Folder folder;
  std::string source = folder.write("a.c", "int main(void) { return 0; }\n");
  std::string assembly =
      "target datalayout = \"e-m:e-i8:8:32-i16:16:32-i64:64-i128:128-n32:64-S128\"\n"
      "target triple = \"aarch64-unknown-linux-gnu\"\n"
      "define i32 @main() {\n  ret i32 0\n}\n";
  EXPECT_THAT(error_for({folder.write("a.ll", assembly)}), Pair(65, HasSubstr("aarch64")));
  Options narrow = test::standard_options();
  narrow.data_model = program::DataModel::ILP32;
  std::string bitcode = folder.write("a.bc", compile(source, narrow).bitcode);
  EXPECT_THAT(error_for({bitcode}), Pair(65, HasSubstr("--data-model ILP32")));
  EXPECT_EQ(error_of([&] { load_program({bitcode}, narrow).validate(); }).first, 0);
}

TEST(Input, BrokenAssembly) {
  Folder folder;
  EXPECT_THAT(error_for({folder.write("a.ll", "define i32 @main() {\n  ret i32 %x\n}\n")}),
              Pair(65, HasSubstr("a.ll:2:")));
  EXPECT_THAT(
      error_for({folder.write("b.ll",
                              "target triple = \"x86_64-pc-linux-gnu\"\ndefine i32 @main() {\na:\n  br label %b\nb:\n  "
                              "%y = add i32 %x, 1\n  %x = add i32 1, 1\n  ret i32 %y\n}\n")}),
      Pair(65, HasSubstr("invalid LLVM code")));
}

TEST(Input, NoCompiler) {
  Folder folder;
  Options options = test::standard_options();
  options.clang = "no-such-clang";
  EXPECT_THAT(error_for({folder.write("a.c", "int main(void) { return 0; }\n")}, options),
              Pair(64, HasSubstr("no-such-clang")));
}

TEST(Input, DefinedTwice) {
  Folder folder;
  std::string a = folder.write("a.c", "int f(void) { return 1; }\nint main(void) { return f(); }\n");
  std::string b = folder.write("b.c", "int f(void) { return 2; }\n");
  EXPECT_THAT(error_for({a, b}), Pair(65, HasSubstr("b.c")));
}

TEST(Input, SeveralFilesAndFlags) {
  Folder folder;
  std::string a = folder.write("a.c", "int f(void);\nint main(void) { return f(); }\n");
  std::string b = folder.write("b.c", "#include \"value.h\"\nint f(void) { return VALUE + OTHER; }\n");
  std::filesystem::create_directory(folder.file("include"));
  folder.write("include/value.h", "#define VALUE 40\n");
  Options options = test::standard_options();
  options.clang_flags = {"-I" + folder.file("include"), "-DOTHER=2"};
  program::Program program = load_program({a, b}, options);
  program.validate();
  EXPECT_EQ(test::text(program, test::statements(program, "f", program::Kind::Return)[0].operands[0]), "42");
}

TEST(Input, OldCodeCompiles) {
  program::Program program = test::lower(
      "add(a, b) int a, b; { return a + b + undeclared(a); }\n"
      "int *p; char *q;\nmain() { p = q; return add(1, 2); }\n");
  EXPECT_THAT(program.warnings, testing::ElementsAre(HasSubstr("undeclared")));
  EXPECT_THAT(program.assumptions, testing::ElementsAre(HasSubstr("`undeclared`")));
}

TEST(Input, LinesOfPreprocessedCodeAreItsOwn) {
  Folder folder;
  std::string file =
      folder.write("a.i", "# 1 \"x.c\"\n# 1 \"<built-in>\" 1\nint main(void) {\n# 55 \"x.c\"\n  return 3;\n}\n");
  program::Program program = load_program({file}, test::standard_options());
  program::SourcePosition position = test::statements(program, "main", program::Kind::Return)[0].position;
  EXPECT_EQ(program.where(position), file + ":5");
}

TEST(Input, LinesOfGeneratedCode) {
  Folder folder;
  folder.write("value.h", "#define VALUE 3\n");
  std::string there = folder.write("grammar.y", "nothing\n");
  auto position = [&](const std::string& file) {
    Program program = load_program({file}, test::standard_options());
    return program.where(test::statements(program, "main", program::Kind::Return)[0].position);
  };
  std::string made =
      folder.write("a.c", "#line 70 \"gone.c\"\n#include \"value.h\"\nint main(void) {\n  return VALUE;\n}\n");
  EXPECT_EQ(position(made), made + ":4") << "the file it was made from is not there";
  made = folder.write("b.c", "int main(void) {\n#line 70 \"" + there + "\"\n  return 3;\n}\n");
  EXPECT_EQ(position(made), there + ":70");
}

TEST(Input, ConstantsOfALongFileAreChecked) {
  std::string source;
  for (int i = 0; i < 3000; ++i) source += "static inline int f" + std::to_string(i) + "(int x) { return x + 1; }\n";
  ASSERT_GT(source.size(), 100'000U);
  source += "enum { LAST = 1 ? 0x7fffffff + 1 : 2 };\nint length[(1 << 31) < 0];\nint main(void) { return LAST; }\n";
  Options options = test::standard_options();
  options.specification = verdict::parse_specification("no-overflow");
  program::Program program = test::lower(source, options);
  size_t checks = 0;
  for (const program::Function& function : program.functions)
    if (function.name.starts_with("__whittle_constants_")) checks += test::count(program, function.name, program::Kind::Check);
  EXPECT_EQ(checks, 2U);
}

}  // namespace
}  // namespace whittle::frontend
