# prefix.bash BUILD SOURCE: installs into a prefix, moves it, and uses everything in it as a user would.
set -u
build=$1 source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $*"; exit 1; }

cmake --build "$build" --target whittle_generated >"$work/build.log" 2>&1 || { tail "$work/build.log"; fail "cannot build the manual page"; }
cmake --install "$build" --prefix "$work/first" >"$work/install.log" 2>&1 || { tail "$work/install.log"; fail "cmake --install"; }
mv "$work/first" "$work/moved"
prefix=$work/moved
for file in bin/whittle share/whittle/whittle_runtime_ILP32.bc share/whittle/whittle_runtime_LP64.bc \
            share/whittle/include share/whittle/schema/report.schema.json share/whittle/native/replay.c share/whittle/benchexec/whittle.py \
            share/man/man1/whittle.1 share/bash-completion/completions/whittle share/zsh/vendor-completions/_whittle \
            share/fish/vendor_completions.d/whittle.fish share/cmake/whittle/whittleConfig.cmake \
            share/doc/whittle/copyright share/doc/whittle/examples/bank.c; do
  [[ -e $prefix/$file ]] || fail "$file is not installed"
done

cd "$work" || exit 1
cp "$source/examples/bank.c" bank.c
for model in LP64 ILP32; do
  "$prefix/bin/whittle" check bank.c --data-model $model >out 2>err
  [[ $? -eq 10 && $(tail -n 1 out) == 'false(unreach-call)' ]] || { cat err; fail "bank.c ($model)"; }
done
# Nothing of the source or build tree is opened.
if command -v strace >/dev/null; then
  strace -f -e trace=open,openat,execve -o trace "$prefix/bin/whittle" check bank.c >/dev/null 2>&1
  ! grep -E "\"($source|$build)/" trace || fail "files of the source tree are read"
fi
# A harness that includes a header of whittle's own.
printf '#include <klee/klee.h>\nint main(void) { int x; klee_make_symbolic(&x, sizeof x, "x"); return 0; }\n' >k.c
"$prefix/bin/whittle" check k.c >out 2>err || { cat out err; fail "klee.h is not found"; }

mkdir project && cd project || exit 1
mkdir include
cat >CMakeLists.txt <<'CMAKE'
cmake_minimum_required(VERSION 3.16)
project(example C)
enable_testing()
find_package(whittle 0.1 REQUIRED)
add_library(ring STATIC ring.c)
target_include_directories(ring PUBLIC include)
target_compile_definitions(ring PRIVATE SIZE=4)
whittle_check(ring SOURCES harness.c PROPERTY unreach-call valid-deref LABELS proofs)
whittle_check(ring NAME ring.broken SOURCES harness.c OPTIONS -D BROKEN EXPECT false)
whittle_check(ring NAME ring.quiet SOURCES harness.c OPTIONS -D BROKEN --quiet EXPECT false)
whittle_check(ring NAME ring.alone ONLY_SOURCES alone.c TIMEOUT 2h)
CMAKE
cat >include/ring.h <<'C'
void put(int value);
C
cat >ring.c <<'C'
#include <ring.h>
static int cells[SIZE];
static unsigned head;
void put(int value) {
  cells[head] = value;
#ifdef BROKEN
  head = (head + 1) % (SIZE + 1);
#else
  head = (head + 1) % SIZE;
#endif
}
C
echo 'int main(void) { return 0; }' >alone.c
cat >harness.c <<'C'
#include <ring.h>
int main(void) {
  for (int i = 0; i < 6; ++i) put(i);
  return 0;
}
C
cmake -S . -B build -DCMAKE_PREFIX_PATH="$prefix" >log 2>&1 || { cat log; fail "find_package(whittle)"; }
ctest --test-dir build -L whittle --output-on-failure >log 2>&1 || { cat log; fail "whittle_check"; }
grep -q '100% tests passed, 0 tests failed out of 4' log || fail "not four tests"
grep -qE "TIMEOUT.*7260" build/CTestTestfile.cmake || fail "CTest would end a check before whittle does"
ctest --test-dir build -N -L proofs | grep -q 'Total Tests: 1' || fail "labels"
sed 's/EXPECT false/EXPECT unknown/' CMakeLists.txt >wrong && mkdir wrong.d && cp -r include ring.c harness.c alone.c wrong.d && mv wrong wrong.d/CMakeLists.txt
! cmake -S wrong.d -B wrong.d/build -DCMAKE_PREFIX_PATH="$prefix" >log 2>&1 && grep -q 'EXPECT is true or false, not unknown' log || { cat log; fail "EXPECT unknown"; }
# A test that cannot fail is worth nothing.
sed -i 's/i < 6; ++i) put(i)/i < 6; ++i) put(1 \/ (i - 3))/' harness.c
ctest --test-dir build -R '^whittle.ring$' >log 2>&1
sed -i 's/PROPERTY unreach-call valid-deref/PROPERTY no-div-by-zero/' CMakeLists.txt
cmake -S . -B build >/dev/null && ! ctest --test-dir build -R '^whittle.ring$' >log 2>&1 || fail "a violation passes"
echo "prefix works"
