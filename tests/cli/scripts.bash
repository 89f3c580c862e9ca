# The set-up shared by ./whittle and ./test, with fake package tools.

fake() { # fake NAME BODY: a program of that name comes first in PATH
  mkdir -p "$work/bin"
  printf '#!/bin/bash\n%s\n' "$2" >"$work/bin/$1"
  chmod +x "$work/bin/$1"
  export PATH="$work/bin:$PATH"
}
fedora() {
  printf 'ID=fedora\nVERSION_ID=41\n' >"$work/os-release"
  export WHITTLE_OS_RELEASE=$work/os-release
}
# A user who is not root, and a sudo that does what it is told.
ordinary_user() {
  fake id 'echo 1000'
  fake sudo 'exec "$@"'
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
  ! grep -vE '^(#|(build|faster|test|optional) +[a-z0-9+.-]+ +[A-Za-z0-9+._-]+ +[^ ])' "$source/cmake/packages.txt" || fail "lines that are no packages"
  setup packages build
  expect_out '^libz3-dev$'
  [[ -z $(sort "$work/out" | uniq -d) ]] || fail "a package comes twice"
  fedora
  setup packages build faster
  expect_out '^z3-devel$'
  ! grep -qx -- - "$work/out" || fail "a package without a name"
}
case_missing_package_is_named_in_one_line() {
  fake_dpkg
  fake apt-get 'echo "E: no network"; exit 100'
  fake sudo 'exec "$@"'
  setup install_packages build
  expect_status 70
  expect_err '^whittle: missing packages that could not be installed: libz3-dev .try: apt-get install libz3-dev.$'
}
case_missing_package_is_installed() {
  fake_dpkg
  fake apt-get 'touch "$WHITTLE_FAKE"'
  fake sudo 'exec "$@"'
  setup install_packages build
  expect_status 0
  expect_err '^whittle: installing with .*apt-get: libz3-dev$'
}
case_sudo_is_asked_for() {
  fake_dpkg
  ordinary_user
  fake apt-get 'touch "$WHITTLE_FAKE"'
  setup install_packages build </dev/null
  expect_status 70
  expect_err '^whittle: missing packages: libz3-dev .install them with: sudo apt-get install libz3-dev.$'
  [[ ! -e $WHITTLE_FAKE ]] || fail "sudo was called without asking"
  WHITTLE_YES=1 setup install_packages build </dev/null
  expect_status 0
  expect_err '^whittle: installing with sudo apt-get: libz3-dev$'
}
case_fedora_has_its_own_command() {
  fedora
  ordinary_user
  fake rpm '[[ $* != *z3-devel* ]]'
  setup install_packages build </dev/null
  expect_status 70
  expect_err '^whittle: missing packages: z3-devel .install them with: sudo dnf install z3-devel.$'
}
case_what_is_only_faster_stops_nothing() {
  fake dpkg-query 'shift 3; for p in "$@"; do case $p in libclang-19-dev) ;; *) echo "installed $p" ;; esac; done; exit 0'
  fake apt-get 'echo "E: no network"; exit 100'
  mkdir -p tree && cp -r "$source/cmake" tree/
  install() { root=$PWD/tree bash -c 'source "$root/cmake/setup.bash"; install_packages build' >"$work/out" 2>"$work/err"; status=$?; }
  fake id 'echo 0'
  install
  expect_status 0
  expect_err 'going on without libclang-19-dev'
  install
  expect_no_err
}
case_copied_launcher_says_what_is_wrong() {
  cp "$source/whittle" launcher
  ./launcher check a.c >"$work/out" 2>"$work/err"
  status=$?
  expect_one_line 70 'this is a copy of the launcher: there are no sources in'
}
case_second_start_waits_and_says_for_what() {
  mkdir -p tree/build/release
  touch tree/build/release/.building
  fake cmake 'exit 0'
  (flock 9; sleep 2; touch -d '+1 minute' tree/build/release/.built) 9>tree/build/release/.lock &
  sleep 0.5
  mkdir -p tree/{src,runtime,cmake} && touch tree/CMakeLists.txt tree/CMakePresets.json
  root=$PWD/tree bash -c "source '$source/cmake/setup.bash'; build release whittle" >"$work/out" 2>"$work/err"
  status=$?
  wait
  expect_status 0
  expect_err '^whittle: waiting for another build of this tree .release., begun at [0-9:]+; its log is build/release/build.log'
  ! grep -q 'the first time takes' "$work/err" || fail "built again"
}
case_cmake_names_the_package() {
  command -v cmake >/dev/null || return 0
  mkdir -p tree && cp -r "$source/cmake" tree/
  printf 'include(cmake/Missing.cmake)\nset(CMAKE_SOURCE_DIR .)\nwhittle_missing("LLVM" llvm-19-dev)\n' >tree/try.cmake
  (cd tree && cmake -P try.cmake) >"$work/out" 2>"$work/err"
  expect_err 'LLVM not found: .*(llvm-19-dev|llvm-devel)'
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
