// readv, writev and their relatives, and positions in streams as values.
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <sys/uio.h>
#include <unistd.h>

#include "primitives.h"

ssize_t pwrite(int descriptor, const void* bytes, size_t size, off_t offset) {
  (void)offset;
  return write(descriptor, bytes, size);
}
ssize_t pwrite64(int descriptor, const void* bytes, size_t size, off64_t offset) {
  (void)offset;
  return write(descriptor, bytes, size);
}

// Buffer after buffer; what ends early ends the call.
static ssize_t each(ssize_t (*move)(int, void*, size_t), int descriptor, const struct iovec* buffers, int count) {
  if (count < 0 || count > 1024) {
    errno = EINVAL;
    return -1;
  }
  if (count == 0) return move(descriptor, 0, 0);
  ssize_t moved = 0;
  for (int i = 0; i < count; i++) {
    ssize_t part = move(descriptor, buffers[i].iov_base, buffers[i].iov_len);
    if (part < 0) return i == 0 ? -1 : moved;
    moved += part;
    if ((size_t)part < buffers[i].iov_len) break;
  }
  return moved;
}
static ssize_t write_part(int descriptor, void* bytes, size_t size) { return write(descriptor, bytes, size); }
ssize_t readv(int descriptor, const struct iovec* buffers, int count) { return each(read, descriptor, buffers, count); }
ssize_t writev(int descriptor, const struct iovec* buffers, int count) { return each(write_part, descriptor, buffers, count); }
ssize_t preadv(int descriptor, const struct iovec* buffers, int count, off_t offset) {
  (void)offset;
  return readv(descriptor, buffers, count);
}
ssize_t pwritev(int descriptor, const struct iovec* buffers, int count, off_t offset) {
  (void)offset;
  return writev(descriptor, buffers, count);
}

int fgetpos(FILE* file, fpos_t* position) {
  long at = ftell(file);
  if (at < 0) return -1;
  __builtin_memset(position, 0, sizeof *position);
  position->__pos = at;
  return 0;
}
int fsetpos(FILE* file, const fpos_t* position) { return fseek(file, (long)position->__pos, SEEK_SET); }
