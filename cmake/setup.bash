# Sourced by ./whittle and ./test: packages, configuration, build. Everything it says goes to stderr.

say() { printf 'whittle: %s\n' "$*" >&2; }
die() { say "$@"; exit 70; }

# packages KIND...: names of the packages of these kinds in cmake/packages.txt.
packages() {
  local kind
  for kind in "$@"; do awk -v kind="$kind" '$1 == kind { print $2 }' "$root/cmake/packages.txt"; done
}

# missing PACKAGE...: those that are not installed.
missing() {
  local installed
  installed=" $(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null | awk '$1 == "installed" { print $2 }' | tr '\n' ' ') "
  local package
  for package in "$@"; do [[ $installed == *" $package "* ]] || printf '%s\n' "$package"; done
}

# install_packages KIND...: installs what is missing of these kinds, or ends naming what could not be had.
install_packages() {
  command -v dpkg-query >/dev/null || { say "this is no Debian system: cannot look for packages, trying to build anyway"; return; }
  local wanted lacking
  mapfile -t wanted < <(packages "$@")
  mapfile -t lacking < <(missing "${wanted[@]}")
  [[ ${#lacking[@]} -eq 0 ]] && return
  local as_root=()
  if [[ $(id -u) -ne 0 ]]; then
    command -v sudo >/dev/null || die "missing packages: ${lacking[*]} (install them as root; there is no sudo here)"
    as_root=(sudo)
  fi
  say "installing with ${as_root[*]:+${as_root[*]} }apt-get: ${lacking[*]}"
  local log
  log=$(mktemp)
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get)
  if ! "${apt[@]}" install -y --no-install-recommends "${lacking[@]}" >"$log" 2>&1; then
    # Package lists may be old, or never have been fetched.
    "${apt[@]}" update >>"$log" 2>&1
    "${apt[@]}" install -y --no-install-recommends "${lacking[@]}" >>"$log" 2>&1
  fi
  mapfile -t lacking < <(missing "${wanted[@]}")
  if [[ ${#lacking[@]} -gt 0 ]]; then
    grep -E '^(E|Err)' "$log" | tail -n 3 >&2
    rm -f "$log"
    die "missing packages that apt-get could not install: ${lacking[*]}"
  fi
  rm -f "$log"
}

# need_tools TOOL...: ends with one clear line if a program is not there.
need_tools() {
  local tool
  for tool in "$@"; do command -v "$tool" >/dev/null || die "missing program: $tool (see cmake/packages.txt)"; done
}

# stale PRESET: has anything the build depends on changed since it was last built?
stale() {
  local stamp="$root/build/$1/.built"
  [[ ! -e $stamp ]] && return 0
  [[ -n $(find "$root/src" "$root/runtime" "$root/cmake" "$root/CMakeLists.txt" "$root/CMakePresets.json" -newer "$stamp" -print -quit) ]]
}

# build PRESET TARGET [CMAKE-ARGUMENT...]: configures and builds, with the compiler's words only if it fails.
build() {
  local preset=$1 target=$2
  shift 2
  local dir="$root/build/$preset"
  mkdir -p "$dir"
  local log="$dir/build.log" started=$SECONDS
  (
    flock 9
    touch "$dir/.building"
    say "building ($preset); the first time takes some minutes, the log is build/$preset/build.log"
    if ! { cmake -S "$root" --preset "$preset" "$@" && cmake --build "$dir" --target "$target" -j "$(nproc)"; } >"$log" 2>&1; then
      grep -E -m 20 -A 5 'error:|CMake Error|FAILED:' "$log" >&2
      die "the build failed; build/$preset/build.log tells all"
    fi
    mv "$dir/.building" "$dir/.built"
  ) 9>"$dir/.lock" || exit 70
  say "built in $((SECONDS - started)) s"
}
