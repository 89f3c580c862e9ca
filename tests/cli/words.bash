# What whittle says of itself and of mistakes: help, manual page, completions, messages.

tell() { # tell PATTERN ARGUMENT...: wrong usage, one line
  local pattern=$1
  shift
  whittle "$@"
  expect_one_line 64 "$pattern"
}
case_no_words_of_the_library() {
  echo 'int main(void) { return 0; }' >a.c
  tell '--seed: `x` is no number$' check a.c --seed x
  tell '--seed is given more than once$' check a.c --seed 1 --seed 2
  tell '--seed needs a value: N$' check a.c --seed
  tell '--solver: `z4` is none of auto, z3, cvc5, cadical$' check a.c --solver z4
  tell '--data-model: `LP32` is none of ILP32, LP64$' check a.c --data-model LP32
  tell '--cores: 0 is too small or too large$' check a.c --cores 0
  tell '--trace-lines: `many` is no number$' check a.c --trace-lines many
  tell '--as: `png` is none of program, cfg, dot, devices$' show a.c --as png
  tell 'SHELL: `csh` is none of bash, zsh, fish$' completion csh
  tell '--dir is missing' bench svcomp
  tell '--seed: 99999999999999999999 is too small or too large$' check a.c --seed 99999999999999999999
  tell '--only is about a project file, and a\.c is a file' check a.c --only x
  tell '--project is about a project file, and a\.c is a file' check a.c --project x.yml
  echo hello >a.txt
  tell 'a\.txt: not a .*\.elf or \.hex file$' check a.txt
  tell '--jobs: `x` is no number$' bench svcomp --dir . --jobs x
  tell 'unknown command chek.*check' help chek
}
case_words_fit_the_program() {
  cat >pointer.c <<'C'
#include <assert.h>
#include <stdlib.h>
#include <string.h>
static struct { int (*f)(void); } table;
int one(void) { return 1; }
int main(void) {
  table.f = one;
  char *a = malloc(2), *b = strdup("x");
  assert(table.f() == 1 && a && b);
}
C
  whittle check pointer.c --timeout 60s
  expect_verdict true
  expect_out '^  malloc, strdup never fail$'
  expect_err 'no inputs, heap, function pointers:'   # and no recursion
  expect_no_out 'recursion'
}

case_version_in_short() {
  whittle -v
  expect_status 0
  expect_out '^whittle [0-9]'
}
case_help_of_suites() {
  local suite
  for suite in svcomp compare startup path-reduction dpr dash dead-variables explicit-peers scale guided parsers; do
    whittle bench $suite --help
    expect_status 0
    expect_out "$suite"
    expect_no_err
  done
  whittle bench --help
  expect_status 0
  expect_out '^ +startup '
  whittle bench compare --help
  expect_out '^whittle bench compare A\.json B\.json \['
  whittle bench dpr --help
  expect_out '^whittle bench dpr \[--quick\]'
}
case_help_names_firmware_and_devices() {
  whittle check --help
  expect_out '\.elf, \.hex'
  expect_out '^Usage: whittle check \[OPTIONS\] \[FILE'
  whittle show --help
  expect_out 'devices'
  whittle help --as man
  expect_out 'hex'
  expect_out 'devices'
}
case_quiet_keeps_warnings() {
  printf 'int main(void) { return undeclared_function(); }\n' >a.c
  whittle check a.c --quiet --timeout 20s
  [[ $(wc -l <"$work/out") -eq 1 ]] || fail "more than the verdict on stdout"
  expect_err 'warning: .*undeclared_function'
}
case_full_stdout_is_an_error() {
  [[ -w /dev/full ]] || return 0
  echo 'int main(void) { return 0; }' >a.c
  local arguments
  for arguments in 'check a.c' 'help' 'show a.c' '--version' 'bench' 'completion bash'; do
    "$program" $arguments >/dev/full 2>"$work/err"
    status=$?
    expect_status 74
    expect_err '^whittle: cannot write to stdout: '
  done
}
case_dumb_terminals_get_plain_text() {
  command -v script >/dev/null || return 0
  echo 'int main(void) { int x[2]; return x[3]; }' >a.c
  TERM=dumb script -qec "'$program' check a.c --timeout 20s" /dev/null >"$work/out" 2>"$work/err" </dev/null
  ! grep -q $'\033' "$work/out" || fail "escape sequences"
  TERM=xterm script -qec "'$program' check a.c --timeout 20s" /dev/null >"$work/out" 2>"$work/err" </dev/null
  grep -q $'\033' "$work/out" || fail "no colours on a terminal that has them"
}
case_manual_page_has_every_option() {
  local command option
  whittle help --as man
  sed 's/\\-/-/g' "$work/out" >"$work/man"
  for command in check run show check-proof help; do
    "$program" $command --help >"$work/help"
    while read -r option; do
      grep -qE -- "(^|[^a-z-])${option}([^a-z-]|$)" "$work/man" || fail "$option of $command is not in the manual page"
    done < <(grep -oE -- '^  +(-[A-Za-z],)?--?[a-zA-Z][a-z-]*' "$work/help" | grep -oE -- '--?[a-zA-Z][a-z-]*$')
  done
}
case_manual_page_is_well_formed() {
  command -v man >/dev/null || return 0
  "$program" help --as man >whittle.1
  [[ -z $(LC_ALL=C MANROFFSEQ='' MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z whittle.1 2>&1 >/dev/null) ]] || fail "man warns"
}
# complete SHELL-WORDS: what bash offers.
complete_in_bash() {
  "$program" completion bash >completion.bash
  bash -c 'source completion.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _whittle; printf "%s\n" "${COMPREPLY[@]}"' complete "$@" >"$work/out" 2>"$work/err"
  expect_no_err
}
case_bash_completion() {
  touch bank.c
  complete_in_bash whittle ch
  [[ $(sort "$work/out" | tr '\n' ' ') == 'check check-proof ' ]] || fail "commands"
  complete_in_bash whittle check --engine gu
  [[ $(<"$work/out") == guided ]] || fail "engines"
  complete_in_bash whittle check --time
  expect_out '^--timeout$'
  complete_in_bash whittle check ba
  expect_out '^bank\.c$'
  complete_in_bash whittle show a.c --as d
  [[ $(sort "$work/out" | tr '\n' ' ') == 'devices dot ' ]] || fail "forms"
  complete_in_bash whittle completion z
  expect_out '^zsh$'
}
case_zsh_completion() {
  command -v zsh >/dev/null || return 0
  "$program" completion zsh >_whittle
  zsh -n _whittle || fail "zsh does not read it"
  grep -q "'--engine\[How to search\]:value:(auto test " _whittle || fail "engines"
}
case_fish_completion() {
  command -v fish >/dev/null || return 0
  "$program" completion fish >whittle.fish
  HOME=$work fish -c 'source whittle.fish; complete -C "whittle check --engine gu"' >"$work/out" 2>"$work/err"
  expect_out '^guided'
  HOME=$work fish -c 'source whittle.fish; complete -C "whittle sh"' >"$work/out" 2>"$work/err"
  expect_out '^show'
}
