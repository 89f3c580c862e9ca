// expect: true
// What the system is asked for and the program notices little of.
#define _GNU_SOURCE
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/times.h>
#include <unistd.h>
int main(void) {
  char name[16];
  assert(prctl(PR_SET_NAME, "worker") == 0 && prctl(PR_GET_NAME, name) == 0 && strlen(name) < 16);
  assert(strcmp(strsignal(SIGSEGV), "Segmentation fault") == 0 && strcmp(strsignal(SIGRTMIN + 1), "Real-time signal 1") == 0);
  assert(strcmp(strsignal(99), "Unknown signal 99") == 0);
  struct statvfs figures;
  if (statvfs("/", &figures) == 0) assert(figures.f_bsize != 0);
  struct tms used;
  if (times(&used) != -1) assert(used.tms_utime >= 0);
  errno = 0;
  int priority = getpriority(PRIO_PROCESS, 0);
  assert(priority >= -20 && priority < 20);
  int kept = 7;
  if (mlock(&kept, sizeof kept) == 0) munlock(&kept, sizeof kept);
  assert(kept == 7 && mprotect(&kept, sizeof kept, PROT_READ | PROT_WRITE) <= 0);
  char terminal[L_ctermid];
  assert(ctermid(terminal) == terminal);
  return 0;
}
