# Sourced by ./whittle and ./test: packages, configuration, build. Everything it says goes to stderr.

say() { printf 'whittle: %s\n' "$*" >&2; }
die() { say "$@"; exit 70; }

# system: debian (and Ubuntu, and what is made from them), fedora, or other.
system() {
  local ID='' ID_LIKE=''
  source "${WHITTLE_OS_RELEASE:-/etc/os-release}" 2>/dev/null
  case " $ID $ID_LIKE " in
    *' debian '* | *' ubuntu '*) echo debian ;;
    *' fedora '* | *' rhel '*) echo fedora ;;
    *) echo other ;;
  esac
}

# packages KIND...: names of the packages of these kinds in cmake/packages.txt, as this system has them.
packages() {
  local kind column=2
  [[ $(system) == fedora ]] && column=3
  for kind in "$@"; do
    awk -v kind="$kind" -v column="$column" '$1 == kind && $column != "-" { print $column }' "$root/cmake/packages.txt"
  done
}

# missing PACKAGE...: those that are not installed.
missing() {
  local installed package
  if [[ $(system) == fedora ]]; then
    for package in "$@"; do rpm -q --whatprovides "$package" >/dev/null 2>&1 || printf '%s\n' "$package"; done
    return
  fi
  installed=" $(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null | awk '$1 == "installed" { print $2 }' | tr '\n' ' ') "
  for package in "$@"; do [[ $installed == *" $package "* ]] || printf '%s\n' "$package"; done
}

# agreed COMMAND...: may this be run with sudo? Asks on a terminal; WHITTLE_YES=1 answers for scripts.
agreed() {
  [[ ${WHITTLE_YES:-} == 1 ]] && return
  [[ -t 0 && -t 2 ]] || return 1
  local answer
  printf 'whittle: run `%s`? [y/N] ' "$*" >&2
  read -r answer
  [[ $answer == [yY]* ]]
}

# install_packages KIND...: installs what is missing of these kinds, or ends naming what could not be had and the command
# that installs it.
install_packages() {
  local wanted lacking faster command
  case $(system) in
    debian) command=(apt-get install) ;;
    fedora) command=(dnf install) ;;
    *) say "this is neither Debian, Ubuntu nor Fedora: cannot look for packages (cmake/packages.txt lists them), trying to build anyway"; return ;;
  esac
  mapfile -t wanted < <(packages "$@")
  mapfile -t lacking < <(missing "${wanted[@]}")
  # What makes it only faster comes with the rest, or is tried once in a tree.
  mapfile -t faster < <(missing $(packages faster))
  [[ ${#lacking[@]} -eq 0 && ( ${#faster[@]} -eq 0 || -e $root/build/.faster-tried ) ]] && return
  mkdir -p "$root/build" && touch "$root/build/.faster-tried"
  if [[ $(id -u) -ne 0 ]]; then
    command=(sudo "${command[@]}")
    if ! command -v sudo >/dev/null || ! agreed "${command[@]}" "${lacking[@]}" "${faster[@]}"; then
      [[ ${#lacking[@]} -eq 0 ]] && return
      die "missing packages: ${lacking[*]} (install them with: ${command[*]} ${lacking[*]})"
    fi
  fi
  local all=("${lacking[@]}" "${faster[@]}")
  say "installing with ${command[*]::${#command[@]}-1}: ${all[*]}"
  local log
  log=$(mktemp)
  [[ ${#faster[@]} -gt 0 ]] && { fetch "${faster[@]}" >"$log" 2>&1 || say "going on without ${faster[*]}: whittle will start more slowly"; }
  if [[ ${#lacking[@]} -gt 0 ]]; then
    fetch "${lacking[@]}" >"$log" 2>&1
    mapfile -t lacking < <(missing "${wanted[@]}")
  fi
  if [[ ${#lacking[@]} -gt 0 ]]; then
    grep -E '^(E|Err)' "$log" | tail -n 3 >&2
    rm -f "$log"
    die "missing packages that could not be installed: ${lacking[*]} (try: ${command[*]} ${lacking[*]})"
  fi
  rm -f "$log"
}

# fetch PACKAGE...: installs them, with `command` of install_packages; twice, as package lists may be old or absent.
fetch() {
  if [[ $(system) == fedora ]]; then
    "${command[@]}" -y "$@"
    return
  fi
  local apt=("${command[@]::${#command[@]}-1}")
  [[ ${apt[0]} == sudo ]] && apt=(sudo env DEBIAN_FRONTEND=noninteractive "${apt[@]:1}") || apt=(env DEBIAN_FRONTEND=noninteractive "${apt[@]}")
  "${apt[@]}" install -y --no-install-recommends "$@" && return
  "${apt[@]}" update
  "${apt[@]}" install -y --no-install-recommends "$@"
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
    if ! flock -n 9; then
      say "waiting for another build of this tree ($preset), begun at $(date -r "$dir/.building" +%H:%M:%S 2>/dev/null); its log is build/$preset/build.log"
      flock 9
      stale "$preset" || exit 0
    fi
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
