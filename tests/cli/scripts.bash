# The set-up shared by ./whittle and ./test, with fake package tools.

fake() { # fake NAME BODY: a program of that name comes first in PATH
  mkdir -p "$work/bin"
  printf '#!/bin/bash\n%s\n' "$2" >"$work/bin/$1"
  chmod +x "$work/bin/$1"
  export PATH="$work/bin:$PATH"
}
setup() { # setup COMMAND...: runs a function of setup.bash
  root=$source bash -c 'source "$root/cmake/setup.bash"; "$@"' setup "$@" >"$work/out" 2>"$work/err"
  status=$?
}
# A system on which everything but libz3-dev and g++ is installed.
fake_dpkg() {
  fake dpkg-query 'shift 3; for p in "$@"; do case $p in libz3-dev) [[ -e $WHITTLE_FAKE ]] && echo "installed $p" ;; *) echo "installed $p" ;; esac; done; exit 0'
  export WHITTLE_FAKE="$work/z3-installed"
}

case_package_list_is_well_formed() {
  ! grep -vE '^(#|(build|test|optional) +[a-z0-9+.-]+ +[^ ])' "$source/cmake/packages.txt" || fail "lines that are no packages"
  setup packages build
  expect_out '^libz3-dev$'
  [[ -z $(sort "$work/out" | uniq -d) ]] || fail "a package comes twice"
}
case_missing_package_is_named_in_one_line() {
  fake_dpkg
  fake apt-get 'echo "E: no network"; exit 100'
  fake sudo 'exec "$@"'
  setup install_packages build
  expect_status 70
  expect_err '^whittle: missing packages that apt-get could not install: libz3-dev$'
}
case_missing_package_is_installed() {
  fake_dpkg
  fake apt-get 'touch "$WHITTLE_FAKE"'
  fake sudo 'exec "$@"'
  setup install_packages build
  expect_status 0
  expect_err '^whittle: installing with .*apt-get: libz3-dev$'
}
case_nothing_missing_says_nothing() {
  fake_dpkg
  touch "$WHITTLE_FAKE"
  fake apt-get 'echo called >&2'
  setup install_packages build test
  expect_status 0
  expect_no_err
}
case_missing_program_is_named() {
  setup need_tools bash no-such-program
  expect_status 70
  expect_err '^whittle: missing program: no-such-program'
}
case_stale_when_a_source_is_newer() {
  mkdir -p tree/{src,runtime,cmake,build/release}
  touch tree/CMakeLists.txt tree/CMakePresets.json tree/src/a.cpp
  stale() { root=$PWD/tree bash -c "source '$source/cmake/setup.bash'; stale release"; }
  stale || fail "never built, yet not stale"
  touch -d '+1 minute' tree/build/release/.built
  stale && fail "nothing changed, yet stale"
  touch -d '+2 minutes' tree/src/a.cpp
  stale || fail "a source is newer, yet not stale"
}
