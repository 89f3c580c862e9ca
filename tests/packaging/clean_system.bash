# clean_system.bash BUILD SOURCE: makes the .deb, installs it in a fresh Debian 12, and checks the examples there.
# Needs root (or a user namespace with root's rights), debootstrap and a network; without them the test is skipped (77).
# WHITTLE_ROOT names a folder with an unpacked Debian 12 to use a copy of, instead of debootstrap.
set -u
build=$1 source=$2
skip() { echo "skipped: $*"; exit 77; }
fail() { echo "FAILED: $*"; exit 1; }
[[ $(id -u) -eq 0 ]] || skip "needs root"
command -v dpkg-shlibdeps >/dev/null || skip "needs dpkg-dev"
grep -q '^VERSION_ID="12"' /etc/os-release || skip "the package is built for the system it is built on, and this is no Debian 12"
work=$(mktemp -d)
trap 'umount "$work/root/proc" 2>/dev/null; rm -rf "$work"' EXIT

cmake --build "$build" --target whittle whittle_generated >"$work/log" 2>&1 || { tail "$work/log"; fail "cannot build"; }
(cd "$work" && cpack -G "DEB;TGZ" --config "$build/CPackConfig.cmake" -B "$work/packages") >"$work/log" 2>&1 || { tail "$work/log"; fail "cpack"; }
package=$(echo "$work"/packages/whittle_*.deb)
archive=$(echo "$work"/packages/whittle*.tar.gz)
[[ -e $package && -e $archive ]] || fail "no package"

if [[ -n ${WHITTLE_ROOT:-} ]]; then
  cp -a "$WHITTLE_ROOT" "$work/root"
else
  command -v debootstrap >/dev/null || skip "needs debootstrap"
  debootstrap --variant=minbase bookworm "$work/root" >"$work/log" 2>&1 || { tail -n 3 "$work/log"; skip "debootstrap cannot fetch Debian"; }
fi
mount -t proc proc "$work/root/proc" || skip "cannot mount /proc"
cp /etc/resolv.conf "$work/root/etc/" 2>/dev/null
cp "$package" "$archive" "$work/root/tmp/"
inside() { chroot "$work/root" env DEBIAN_FRONTEND=noninteractive LC_ALL=C PATH=/usr/bin:/bin:/usr/sbin:/sbin "$@"; }

inside apt-get update >"$work/log" 2>&1 || { tail -n 3 "$work/log"; skip "no network"; }
inside sh -c 'apt-get install -y --no-install-recommends /tmp/whittle_*.deb' >"$work/log" 2>&1 || { tail "$work/log"; fail "the package does not install"; }
inside whittle --version || fail "the program does not start"
inside sh -c 'cd /usr/share/doc/whittle && whittle check examples/bank.c' >"$work/out" 2>&1
[[ $? -eq 10 && $(tail -n 1 "$work/out") == 'false(unreach-call)' ]] || { tail "$work/out"; fail "examples/bank.c"; }
avr-gcc -mmcu=atmega16 -Os -gdwarf-4 "$source/examples/avr/crossing.c" -o "$work/root/tmp/crossing.elf" || fail "avr-gcc"
inside whittle check /tmp/crossing.elf --mcu atmega16 --ctl 'AG(!(cars == GREEN && walkers == GREEN))' >"$work/out" 2>&1
[[ $? -eq 0 && $(tail -n 1 "$work/out") == true ]] || { tail "$work/out"; fail "examples/avr"; }
# The archive, anywhere.
inside sh -c 'mkdir /opt/w && tar xzf /tmp/whittle*.tar.gz -C /opt/w --strip-components=1 && find /opt/w -name whittle -type f -perm -1 | head -1' >"$work/where"
inside sh -c "$(grep -m1 bin/whittle "$work/where") check /usr/share/doc/whittle/examples/bank.c" >"$work/out" 2>&1
[[ $? -eq 10 ]] || { tail "$work/out"; fail "the archive"; }
inside apt-get remove -y whittle >"$work/log" 2>&1 || fail "the package does not go"
[[ ! -e $work/root/usr/bin/whittle && ! -e $work/root/usr/share/whittle ]] || fail "files are left"
ls -l "$package" "$archive" | awk '{ print $5, $9 }'
echo "clean system works"
