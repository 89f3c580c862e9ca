// The table of library names against the headers of the system. After an update of those, run this test once with
// WHITTLE_UPDATE=1: it adds the new names to library_names.inc.
#include "frontend/library.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <memory>
#include <set>
#include <sstream>

#include "compiler/compiler.h"
#include "frontend/test_support.h"

namespace whittle::frontend {
namespace {

/// C17, POSIX.1-2017, and what else glibc installs for programs. Those that are not there are skipped.
constexpr const char* kHeaders =
    "aio.h aliases.h alloca.h argp.h argz.h arpa/ftp.h arpa/inet.h arpa/nameser.h assert.h byteswap.h complex.h cpio.h "
    "crypt.h ctype.h dirent.h dlfcn.h endian.h envz.h err.h errno.h error.h execinfo.h fcntl.h fenv.h float.h fmtmsg.h "
    "fnmatch.h fstab.h fts.h ftw.h getopt.h glob.h gnu/libc-version.h grp.h gshadow.h iconv.h ifaddrs.h inttypes.h "
    "iso646.h langinfo.h libgen.h libintl.h limits.h link.h locale.h malloc.h math.h mcheck.h memory.h mntent.h "
    "monetary.h mqueue.h ndbm.h net/if.h netdb.h netinet/ether.h netinet/in.h netinet/tcp.h nl_types.h obstack.h "
    "paths.h poll.h printf.h pthread.h pty.h pwd.h regex.h resolv.h sched.h search.h semaphore.h setjmp.h sgtty.h "
    "shadow.h signal.h spawn.h stdalign.h stdarg.h stdatomic.h stdbool.h stddef.h stdint.h stdio.h stdio_ext.h "
    "stdlib.h stdnoreturn.h string.h strings.h stropts.h sys/epoll.h sys/eventfd.h sys/fanotify.h sys/file.h "
    "sys/fsuid.h sys/inotify.h sys/io.h sys/ioctl.h sys/ipc.h sys/klog.h sys/mman.h sys/mount.h sys/msg.h "
    "sys/personality.h sys/poll.h sys/prctl.h sys/ptrace.h sys/quota.h sys/random.h sys/reboot.h sys/resource.h "
    "sys/rseq.h sys/select.h sys/sem.h sys/sendfile.h sys/shm.h sys/signalfd.h sys/single_threaded.h sys/socket.h "
    "sys/stat.h sys/statfs.h sys/statvfs.h sys/swap.h sys/syscall.h sys/sysinfo.h sys/syslog.h sys/sysmacros.h "
    "sys/time.h sys/timeb.h sys/timerfd.h sys/times.h sys/timex.h sys/types.h sys/ucontext.h sys/uio.h sys/un.h "
    "sys/utsname.h sys/vfs.h sys/wait.h sys/xattr.h sysexits.h syslog.h tar.h termios.h tgmath.h threads.h time.h "
    "trace.h ttyent.h uchar.h ucontext.h ulimit.h unistd.h utime.h utmp.h utmpx.h values.h wait.h wchar.h wctype.h "
    "wordexp.h";

constexpr const char* kVariants[] = {"-m64 -D_GNU_SOURCE",
                                     "-m64 -std=c17",
                                     "-m64 -D_FILE_OFFSET_BITS=64",
                                     "-m64 -D_GNU_SOURCE -O2 -D_FORTIFY_SOURCE=2",
                                     "-m32 -D_GNU_SOURCE -idirafter /usr/include/x86_64-linux-gnu",
                                     "-m32 -D_FILE_OFFSET_BITS=64 -D_TIME_BITS=64 -idirafter /usr/include/x86_64-linux-gnu"};

std::string output_of(const std::string& command) {
  std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string text;
  char buffer[1 << 16];
  while (size_t n = pipe ? std::fread(buffer, 1, sizeof buffer, pipe.get()) : 0) text.append(buffer, n);
  return text;
}

/// The last word before the first quoted type: "... line:34:1 used strlen 'size_t (const char *)' extern".
std::string declared_name(const std::string& line) {
  size_t quote = line.find(" '");
  size_t space = quote == std::string::npos ? quote : line.rfind(' ', quote - 1);
  return space == std::string::npos ? "" : line.substr(space + 1, quote - space - 1);
}

/// From clang's syntax tree: the names in C, and those that assembler labels give for the linker.
std::set<std::string> declared_names(const std::string& variant, const std::string& file) {
  std::set<std::string> names;
  std::istringstream lines(output_of(compiler::default_program() + " -fsyntax-only -w -Xclang -ast-dump -fno-color-diagnostics " + variant +
                                     " " + file + " 2>/dev/null"));
  bool wanted = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("|-") || line.starts_with("`-")) {
      bool function = line.compare(2, 13, "FunctionDecl ") == 0, variable = line.compare(2, 8, "VarDecl ") == 0;
      bool shared = line.find(" static") == std::string::npos && line.find(" implicit ") == std::string::npos;
      wanted = (function || (variable && line.ends_with(" extern"))) && shared;
      if (wanted) names.insert(declared_name(line));
    } else if (wanted && line.find("AsmLabelAttr") != std::string::npos) {
      size_t open = line.find('"'), close = line.find('"', open + 1);
      if (close != std::string::npos) names.insert(line.substr(open + 1, close - open - 1));
    }
  }
  return names;
}

std::set<std::string> names_of_all_headers() {
  test::Folder folder;
  std::string source, header;
  for (std::istringstream headers(kHeaders); headers >> header;)
    source += "#if __has_include(<" + header + ">)\n#include <" + header + ">\n#endif\n";
  std::string file = folder.write("headers.c", source);
  std::set<std::string> names;
  for (const char* variant : kVariants) names.merge(declared_names(variant, file));
  return names;
}

void add_to_table(const std::set<std::string>& declared) {
  std::string path = std::string(WHITTLE_SOURCE_DIR) + "/src/frontend/library_names.inc";
  std::set<std::string> names = declared;
  std::ifstream old(path);
  for (std::string word; std::getline(old, word, '"');)
    if (std::getline(old, word, '"')) names.insert(word);
  std::ofstream table(path);
  std::string line;
  for (const std::string& name : names) {
    std::string word = "\"" + name + "\",";
    if (line.size() + word.size() + 1 > 120) {
      table << line << "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  table << line << "\n";
}

TEST(Library, TheTableHasWhatTheHeadersDeclare) {
  std::set<std::string> names = names_of_all_headers();
  EXPECT_GT(names.size(), 1500u) << "the headers of libc are not installed, or clang's output has changed";
  if (std::getenv("WHITTLE_UPDATE")) add_to_table(names);
  for (const std::string& name : names)
    EXPECT_TRUE(is_library_name(name)) << name << " is declared by a header and is not in library_names.inc";
  for (const char* name : {"wcscpy", "sigaction", "__isoc99_sscanf", "stat64", "optarg", "creal", "pipe"})
    EXPECT_TRUE(is_library_name(name)) << name;
  for (const char* name : {"", "main", "my_function", "zzz", "strlenx"}) EXPECT_FALSE(is_library_name(name)) << name;
}

TEST(Library, WithoutAModelIsRefusedByName) {
  auto refused = [](const std::string& source) {
    program::Program program = test::lower(source);
    for (const program::Function& function : program.functions)
      for (const program::Edge& edge : function.edges)
        if (edge.statement.kind == program::Kind::Unsupported) return edge.statement.text;
    return std::string();
  };
  EXPECT_EQ(refused("int sigpause(int); int main(void) { return sigpause(1); }"),
            "library function `sigpause` has no model");
  EXPECT_EQ(refused("int sigpause(int); int main(void) { int (*f)(int) = sigpause; return f(1); }"),
            "library function `sigpause` has no model");
  EXPECT_EQ(refused("extern char *optarg; int main(void) { return *optarg; }"), "library variable `optarg` has no model");
  EXPECT_EQ(refused("int main(void) { klee_dance(); }"), "function `klee_dance` has no model");
  EXPECT_EQ(refused("int __VERIFIER_x(void); int main(void) { return __VERIFIER_x(); }"),
            "function `__VERIFIER_x` has no model");
  EXPECT_EQ(refused("int of_my_own(int); int main(void) { return of_my_own(1); }"), "");
}

}  // namespace
}  // namespace whittle::frontend
