# Every command of README.md and docs, with the output that the page shows for it.
#
# Commands are the lines `    $ ...` of its indented blocks; what follows in the block is the output. A line `...` stands for
# any lines. Numbers with a decimal point (times, sizes) and the width of gaps do not count.

# blocks: for each command a file NNN.command, and NNN.output with what the page shows (empty: anything goes).
blocks() { # blocks PAGE
  awk '
    /^    \$ / { ++n; file = sprintf("%03d", n); print substr($0, 7) > (file ".command"); printf "" > (file ".output"); inside = 1; gaps = 0; next }
    /^    / && inside { for (; gaps > 0; --gaps) print "" > (file ".output"); print substr($0, 5) > (file ".output"); next }
    /^$/ && inside { ++gaps; next }
    { inside = 0 }' "$source/$1"
}
plain() { sed -E 's/[0-9]+\.[0-9]+/#/g; s/[[:space:]]+/ /g; s/ $//' "$1"; }
# matches EXPECTED ACTUAL: the parts between `...` come one after the other, the first at the begin, the last at the end.
matches() {
  awk '
    NR == FNR { want[++wants] = $0; next }
    { have[++haves] = $0 }
    function fits(i, at,   k) { for (k = 0; i + k <= wants && want[i + k] != "..."; ++k) if (want[i + k] != have[at + k]) return 0; return 1 }
    function long(i,   k) { for (k = 0; i + k <= wants && want[i + k] != "..."; ++k); return k }
    END {
      at = 1; floating = 0
      for (i = 1; i <= wants;) {
        if (want[i] == "...") { floating = 1; ++i; continue }
        size = long(i); last = (i + size > wants)
        if (last && floating) at = haves - size + 1 > at ? haves - size + 1 : at
        else if (floating) while (at <= haves && !fits(i, at)) ++at
        if (!fits(i, at)) { print "shown, but it does not come: " want[i] > "/dev/stderr"; exit 1 }
        at += size; i += size; floating = 0
      }
      exit (floating || at == haves + 1) ? 0 : 1
    }' <(plain "$1") <(plain "$2")
}

# run_page PAGE LEAST: runs its commands, of which there are at least so many.
run_page() {
  local page=$1 least=$2
  cp -r "$source/examples" examples
  # As the user types it, on the two cores for which the pages were written.
  cat >whittle <<WHITTLE
#!/usr/bin/env bash
[[ \$1 == check && \$* != *--mcu* ]] && set -- "\$@" --cores 2
exec "$program" "\$@"
WHITTLE
  chmod +x whittle
  blocks "$page"
  [[ $(ls *.command | wc -l) -ge $least ]] || fail "$page has fewer commands than it should"
  local file attempt
  for file in *.command; do
    file=${file%.command}
    # Which of two engines finds a violation first is chance; the smaller counterexample mostly wins, and is shown.
    for attempt in 1 2 3; do
      bash "$file.command" >"$work/out" 2>"$work/err"
      status=$?
      [[ $(<"$file.command") == *'whittle run '* ]] && cat "$work/err" >>"$work/out"  # its traces go to stderr
      case $status in 0 | 10) ;; *) fail "$(cat "$file.command"): exit status $status" ;; esac
      [[ ! -s $file.output ]] && break
      matches "$file.output" "$work/out" && break
      [[ $attempt -lt 3 ]] || fail "$(cat "$file.command"): not what $page shows"
    done
  done
}
case_every_command_does_what_it_shows() { run_page README.md 12; }
case_howto() { run_page docs/howto.md 7; }
case_ci() { run_page docs/ci.md 1; }
case_dash() { run_page docs/dash.md 2; }
case_research() {
  mkdir -p sv-benchmarks/locks
  printf 'extern void __VERIFIER_error(void);\nint main(void) { int x = 3; if (x == 4) __VERIFIER_error(); return 0; }\n' >sv-benchmarks/locks/a_true-unreach-call.c
  printf 'extern void __VERIFIER_error(void);\nint main(void) { int x = 3; if (x == 3) __VERIFIER_error(); return 0; }\n' >sv-benchmarks/locks/b_false-unreach-call.c
  run_page docs/research.md 3
  [[ -s scatter.svg && -s quantile.svg ]] || fail "no plots"
}
# A command that is no test may be wrong without a test noticing.
case_no_command_escapes() {
  ! grep -nE '^    (\./)?(whittle|avr-gcc) ' "$source/README.md" | grep -v 'installs what is missing' || fail "a command without \$"
}
# Lines without $ are forms with words to replace: the options in them exist.
case_forms_have_options_that_exist() {
  local line command option
  while read -r line; do
    command=$(grep -oE 'whittle (bench [a-z-]+|[a-z-]+)' <<<"$line" | head -n 1)
    [[ -n $command ]] || continue
    "$program" ${command#whittle } --help >"$work/help" 2>&1 || fail "$line: no command $command"
    for option in $(grep -oE -- '(^|[ [])--[a-z][a-z-]*' <<<"${line%% -- *}" | tr -d ' ['); do
      grep -qE -- "(^|[^a-z-])$option([^a-z-]|$)" "$work/help" || fail "$line: no option $option"
    done
  done < <(grep -hE '^    (\./)?whittle [a-z]' "$source"/docs/*.md | grep -v '^    whittle --')
}
case_reference_is_current() {
  whittle help --as markdown
  [[ -n ${WHITTLE_UPDATE:-} ]] && cp "$work/out" "$source/docs/cli.md"
  cmp "$work/out" "$source/docs/cli.md" || fail "docs/cli.md is old: WHITTLE_UPDATE=1 ctest -R reference_is_current"
}
case_site_has_no_broken_link() {
  command -v cmark-gfm >/dev/null && command -v python3 >/dev/null || return 0
  python3 -B "$source/docs/site/build.py" "$source" site >"$work/out" 2>"$work/err" || fail "the site does not build"
  grep -q 'id="find-a-deadlock"' site/howto.html || fail "headings have no names"
  # A link that leads nowhere is noticed.
  cp -r "$source/docs" "$source/README.md" "$source/NEWS.md" "$source/CONTRIBUTING.md" . && mkdir -p runtime && cp "$source/runtime/README.md" runtime/
  echo '[nowhere](nothing.md)' >>docs/howto.md
  ! python3 -B docs/site/build.py . broken >"$work/out" 2>"$work/err" || fail "a broken link passes"
  expect_err 'docs/howto.md: a link leads nowhere: nothing.md'
}
