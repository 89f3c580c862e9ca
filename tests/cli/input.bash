# Everything that can be wrong with what the user hands in: one clear line, the right exit status, no file left behind.

ok_program() { echo 'int main(void) { return 0; }' >ok.c; }

case_missing_file() {
  whittle check nothing.c
  expect_one_line 65 'nothing\.c'
  expect_files
}
case_directory() {
  mkdir folder.c
  whittle check folder.c
  expect_one_line 65 'folder\.c'
  expect_files folder.c
}
case_empty_file() {
  : >empty.c
  whittle check empty.c
  expect_one_line 65 'empty'
  expect_files empty.c
}
case_empty_bitcode() {
  : >empty.bc
  whittle check empty.bc
  expect_one_line 65 'empty\.bc'
  expect_files empty.bc
}
case_unreadable_file() {
  [[ $(id -u) -eq 0 ]] && return # root reads everything
  ok_program
  chmod 000 ok.c
  whittle check ok.c
  expect_one_line 65 'ok\.c'
}
case_syntax_error() {
  printf 'int main(void) {\n  int x = ;\n  return 0;\n}\n' >bad.c
  whittle check bad.c
  expect_status 65
  expect_err 'bad\.c:2:.*expected expression'
  [[ ! -s $work/out ]] || fail "stdout is not empty"
  expect_files bad.c
}
case_no_main() {
  echo 'int helper(void) { return 0; }' >part.c
  whittle check part.c
  expect_one_line 65 'main'
  expect_files part.c
}
case_no_entry() {
  ok_program
  whittle check ok.c --entry start
  expect_one_line 65 'start'
}
case_unknown_kind_of_file() {
  echo 'hello' >note.txt
  whittle check note.txt
  [[ $status -eq 64 || $status -eq 65 ]] || fail "exit status $status"
  expect_err '^whittle: .*note\.txt'
}
case_wrong_architecture() {
  ok_program
  clang-19 --target=avr -c -emit-llvm ok.c -o avr.bc || fail "clang-19 cannot make bitcode for avr"
  whittle check avr.bc
  expect_one_line 65 'avr\.bc'
  expect_files ok.c avr.bc
}
case_truncated_bitcode() {
  ok_program
  clang-19 -c -emit-llvm ok.c -o whole.bc || fail "clang-19 cannot make bitcode"
  local size
  size=$(stat -c %s whole.bc)
  local cut
  for cut in 3 4 100 $((size / 2)) $((size - 4)); do
    head -c "$cut" whole.bc >cut.bc
    whittle check cut.bc
    expect_one_line 65 'cut\.bc'
  done
  expect_files ok.c whole.bc cut.bc
}
case_broken_assembly() {
  echo 'define i32 @main( {' >bad.ll
  whittle check bad.ll
  expect_status 65
  expect_err 'bad\.ll'
  expect_files bad.ll
}
case_unknown_option() {
  ok_program
  whittle check ok.c --timout 5s
  expect_one_line 64 'unknown option --timout \(did you mean `--timeout`\?\)'
}
case_unknown_command() {
  whittle chekc ok.c
  expect_one_line 64 'unknown command chekc \(did you mean `check`\?\)'
}
case_no_command() {
  whittle
  expect_one_line 64 'no command'
}
case_unknown_engine() {
  ok_program
  whittle check ok.c --engine tets
  expect_one_line 64 'unknown engine tets \(did you mean `test`\?\)'
}
case_unknown_property() {
  ok_program
  whittle check ok.c --property unreach-cal
  expect_one_line 64 'unreach-call'
}
case_missing_property_file() {
  ok_program
  whittle check ok.c --property nothing.prp
  [[ $status -eq 64 || $status -eq 65 ]] || fail "exit status $status"
  expect_one_line "$status" 'nothing\.prp'
}
case_unreadable_property_file() {
  ok_program
  mkdir folder.prp
  whittle check ok.c --property folder.prp
  expect_one_line 65 'folder\.prp'
}
case_broken_property_file() {
  ok_program
  echo 'CHECK( init(main()), LTL(G ! nonsense' >bad.prp
  whittle check ok.c --property bad.prp
  expect_one_line 65 'bad\.prp'
}
case_bad_inputs() {
  ok_program
  whittle run ok.c --inputs 1,two
  expect_one_line 64 'two'
}
case_bad_counterexample() {
  ok_program
  echo nonsense >x.cex
  whittle run ok.c --counterexample x.cex
  expect_one_line 65 'x\.cex'
}
case_preprocessed_source_says_nothing_of_the_preprocessor() {
  printf '# 1 "a.c"\nint main(void) { return 0; }\n' >a.i
  for model in LP64 ILP32; do
    whittle check a.i --quiet --data-model $model
    expect_verdict true
    expect_no_err
  done
}
case_inputs_that_no_run_asks_for_are_said() {
  printf 'int main(void) { return 3; }\n' >a.c
  whittle run a.c --inputs 1,2
  expect_status 3
  expect_err 'asks for 0 of the 2 values of --inputs'
}
# C23 has no undeclared functions, but those of dialects need no declaration, and harnesses call them.
case_dialects_in_c23() {
  cat >a.c <<'END'
int main() {
  int x = __VERIFIER_nondet_int();
  unsigned y = nondet_uint();
  __CPROVER_assume(y < 3);
  if (x == 5) __CPROVER_assert(y != LIMIT, "not the limit");
  constexpr int most = 5;
  __VERIFIER_assume(x < most);
  __ESBMC_assert(x < most, "less");
}
int half(const int *p) { return *p / 2; }
END
  whittle check a.c -D LIMIT=3 --timeout 60s -- -std=c23
  expect_verdict true
  whittle check a.c -D LIMIT=2 --timeout 60s -- -std=c23
  expect_verdict 'false(unreach-call)'
  expect_out 'a.c:5: in main'
  whittle check a.c --entry half -D LIMIT=3 --timeout 60s -- -std=c23
  expect_verdict true
  echo 'int main() { return of_nobody(); }' >b.c
  whittle check b.c -- -std=c23
  expect_one_line 65 "undeclared identifier 'of_nobody'"
}
case_pointers_without_a_value_lead_out_of_their_page() {
  cat >a.c <<'END'
void *__VERIFIER_nondet_pointer(void);
struct block { char bytes[36]; };
int main(void) {
  struct block *p = __VERIFIER_nondet_pointer(), copy;
  if (p->bytes[0] == 5) return 1;
  copy = *p;
  return copy.bytes[7];
}
END
  whittle run a.c --property unreach-call --inputs $((0x5c000ffa)),0
  expect_one_line 5 'read of 36 bytes at offset 4090 of memory of no object'
}
case_violations_by_an_accidental_address_are_not_shown() {
  cat >a.c <<'END'
void reach_error(void);
int __VERIFIER_nondet_int(void);
struct place { int code, control; };
struct request { struct place *current; };
int state;
int main(void) {
  struct request r[2];
  if (__VERIFIER_nondet_int() == 1) r[1].current = (struct place *)&state;
  r[0].current->code = 1;
  if (state != LEAST) reach_error();
  return 0;
}
END
  whittle check a.c --engine dash --property unreach-call --timeout 20s -D LEAST=0
  expect_verdict unknown
  whittle check a.c --engine dash --property unreach-call --timeout 20s -D LEAST=7
  expect_verdict 'false(unreach-call)'
}
