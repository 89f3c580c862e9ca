# harness.bash WHITTLE SOURCE-FOLDER SCRIPT CASE: runs function case_CASE of SCRIPT.bash in a folder of its own.
#
# A case calls `whittle ARGS...`, which leaves stdout, stderr and the exit status in files out, err and in $status, and then
# says what it expects. The first thing that is not as expected ends the case.
set -u
program=$1 source=$2 script=$3 name=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/here" "$work/tmp"
export TMPDIR="$work/tmp" XDG_CACHE_HOME="$work/cache"
cd "$work/here" || exit 1

fail() {
  echo "FAILED: $*"
  echo "--- stdout"; head -n 40 "$work/out"
  echo "--- stderr"; head -n 40 "$work/err"
  exit 1
}
whittle() {
  "$program" "$@" >"$work/out" 2>"$work/err"
  status=$?
}
expect_status() { [[ $status -eq $1 ]] || fail "exit status $status, not $1"; }
expect_out() { grep -qE -- "$1" "$work/out" || fail "stdout has no line matching: $1"; }
expect_no_out() { ! grep -qE -- "$1" "$work/out" || fail "stdout has a line matching: $1"; }
expect_err() { grep -qE -- "$1" "$work/err" || fail "stderr has no line matching: $1"; }
expect_no_err() { [[ ! -s $work/err ]] || fail "stderr is not empty"; }
expect_verdict() {
  [[ $(tail -n 1 "$work/out") == "$1" ]] || fail "the last line on stdout is not: $1"
  case $1 in true) expect_status 0 ;; false*) expect_status 10 ;; *) expect_status 5 ;; esac
}
# expect_one_line STATUS PATTERN: one clear line on stderr, nothing on stdout, no stack trace.
expect_one_line() {
  expect_status "$1"
  expect_err "^whittle: .*$2"
  [[ $(grep -c . "$work/err") -eq 1 ]] || fail "stderr has more than one line"
  [[ ! -s $work/out ]] || fail "stdout is not empty"
}
# expect_files NAME...: these and no others are in the working folder, and nothing is left in the temporary one.
expect_files() {
  local wanted
  wanted=$(printf '%s\n' "$@" | sort)
  [[ $(ls -A | sort) == "$wanted" ]] || fail "files here: $(ls -A | tr '\n' ' ')"
  [[ -z $(ls -A "$TMPDIR") ]] || fail "left in the temporary folder: $(ls -A "$TMPDIR")"
}
# A mistyped expectation expects nothing. (Bash calls this in a process of its own.)
command_not_found_handle() { echo "no such command: $1" >>"$work/missing"; return 127; }

source "$source/tests/cli/$script.bash"
"case_$name"
ended=$?
[[ ! -e $work/missing ]] || fail "$(cat "$work/missing")"
exit $ended
