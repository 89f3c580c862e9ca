# Every command of README.md, with the output that README.md shows for it.
#
# Commands are the lines `    $ ...` of its indented blocks; what follows in the block is the output. A line `...` stands for
# any lines. Numbers with a decimal point (times, sizes) and the width of gaps do not count.

# blocks: for each command a file NNN.command, and NNN.output with what README.md shows (empty: anything goes).
blocks() {
  awk '
    /^    \$ / { ++n; file = sprintf("%03d", n); print substr($0, 7) > (file ".command"); printf "" > (file ".output"); inside = 1; gaps = 0; next }
    /^    / && inside { for (; gaps > 0; --gaps) print "" > (file ".output"); print substr($0, 5) > (file ".output"); next }
    /^$/ && inside { ++gaps; next }
    { inside = 0 }' "$source/README.md"
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
        if (!fits(i, at)) { print "README.md shows, but it does not come: " want[i] > "/dev/stderr"; exit 1 }
        at += size; i += size; floating = 0
      }
      exit (floating || at == haves + 1) ? 0 : 1
    }' <(plain "$1") <(plain "$2")
}

case_every_command_does_what_it_shows() {
  cp -r "$source/examples" examples
  # As the user types it, on the two cores for which README.md was written.
  cat >whittle <<WHITTLE
#!/usr/bin/env bash
[[ \$1 == check && \$* != *--mcu* ]] && set -- "\$@" --cores 2
exec "$program" "\$@"
WHITTLE
  chmod +x whittle
  blocks
  [[ $(ls *.command | wc -l) -ge 12 ]] || fail "README.md has fewer commands than it should"
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
      [[ $attempt -lt 3 ]] || fail "$(cat "$file.command"): not what README.md shows"
    done
  done
}
# A command that is no test may be wrong without anybody noticing.
case_no_command_escapes() {
  ! grep -nE '^    (\./)?(whittle|avr-gcc) ' "$source/README.md" | grep -v 'installs what is missing' || fail "a command without \$"
}
