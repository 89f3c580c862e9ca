// Sockets, and waiting for descriptors. Peers and the network are unknown: what arrives is any bytes in any amount, every call
// may fail, and any descriptor may be ready. Addresses of peers have the family of the socket.
#define _GNU_SOURCE
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "files.h"
#include "threads.h"

#define DESCRIPTORS 32
static int domains[DESCRIPTORS];  // of the sockets that are open; 0: unknown

static int domain_of(int descriptor) {
  __whittle_atomic_begin();
  int domain = domains[descriptor];
  __whittle_atomic_end();
  return domain;
}
static int new_socket(int domain) {
  int descriptor = __whittle_new_descriptor(0);
  __whittle_atomic_begin();
  domains[descriptor] = domain;
  __whittle_atomic_end();
  return descriptor;
}
static int outcome(int first, int second, int third) {
  return __whittle_nondet_bool() ? __whittle_fail(first, second, third) : 0;
}
static void look_at(const void* start, size_t size) {
  for (size_t i = 0; i < size; i++) (void)((const volatile uint8_t*)start)[i];
}
static void fill(void* start, size_t size) {
  for (size_t i = 0; i < size; i++) ((uint8_t*)start)[i] = __whittle_nondet_u8();
}
static size_t any_up_to(size_t limit) {
  size_t n = (size_t)__whittle_nondet_u32();
  __whittle_assume(n <= limit);
  return n;
}

int socket(int domain, int type, int protocol) {
  (void)type, (void)protocol;
  if (__whittle_nondet_bool()) return __whittle_fail(EAFNOSUPPORT, EMFILE, EACCES);
  return new_socket(domain);
}
int socketpair(int domain, int type, int protocol, int ends[2]) {
  (void)type, (void)protocol;
  if (__whittle_nondet_bool()) return __whittle_fail(EAFNOSUPPORT, EMFILE, EOPNOTSUPP);
  int first = new_socket(domain), second = new_socket(domain);
  ends[0] = first;
  ends[1] = second;
  return 0;
}
int bind(int descriptor, const struct sockaddr* address, socklen_t size) {
  if (!__whittle_is_open(descriptor)) return __whittle_bad_descriptor();
  look_at(address, size);
  return outcome(EADDRINUSE, EACCES, EINVAL);
}
int connect(int descriptor, const struct sockaddr* address, socklen_t size) {
  CANCELLATION_POINT();
  if (!__whittle_is_open(descriptor)) return __whittle_bad_descriptor();
  look_at(address, size);
  return outcome(ECONNREFUSED, ETIMEDOUT, EINPROGRESS);
}
int listen(int descriptor, int backlog) {
  (void)backlog;
  return __whittle_is_open(descriptor) ? outcome(EADDRINUSE, EOPNOTSUPP, EINVAL) : __whittle_bad_descriptor();
}
int shutdown(int descriptor, int how) {
  (void)how;
  return __whittle_is_open(descriptor) ? outcome(ENOTCONN, EINVAL, ENOTSOCK) : __whittle_bad_descriptor();
}

// An address of the family: as much of it as there is room for, and its whole size.
static void put_address(int domain, void* to, socklen_t* size) {
  if (!to) return;
  struct sockaddr_storage any;
  socklen_t whole;
  memset(&any, 0, sizeof any);
  if (domain == AF_INET) {
    whole = sizeof(struct sockaddr_in);
    fill((char*)&any + 2, 6);  // port and address
  } else if (domain == AF_INET6) {
    whole = sizeof(struct sockaddr_in6);
    fill((char*)&any + 2, whole - 2);
  } else if (domain == AF_UNIX) {
    whole = sizeof any.ss_family + (__whittle_nondet_bool() ? 8 : 0);  // most have no name
    if (whole > sizeof any.ss_family) fill((char*)&any + 2, 7);
  } else {
    __whittle_unsupported("address of a socket of another family than AF_INET, AF_INET6 and AF_UNIX");
  }
  any.ss_family = (sa_family_t)domain;
  socklen_t room = *size;
  __builtin_memcpy(to, &any, room < whole ? room : whole);
  *size = whole;
}
int accept(int descriptor, struct sockaddr* address, socklen_t* size) {
  CANCELLATION_POINT();
  if (!__whittle_is_open(descriptor)) return __whittle_bad_descriptor();
  if (__whittle_nondet_bool()) return __whittle_fail(EAGAIN, EINTR, ECONNABORTED);
  int domain = domain_of(descriptor);
  put_address(domain, address, size);
  return new_socket(domain);
}
int accept4(int descriptor, struct sockaddr* address, socklen_t* size, int flags) {
  (void)flags;
  return accept(descriptor, address, size);
}
int getsockname(int descriptor, struct sockaddr* address, socklen_t* size) {
  if (!__whittle_is_open(descriptor)) return __whittle_bad_descriptor();
  if (__whittle_nondet_bool()) return __whittle_fail(ENOTSOCK, ENOBUFS, EINVAL);
  put_address(domain_of(descriptor), address, size);
  return 0;
}
int getpeername(int descriptor, struct sockaddr* address, socklen_t* size) {
  if (!__whittle_is_open(descriptor)) return __whittle_bad_descriptor();
  if (__whittle_nondet_bool()) return __whittle_fail(ENOTCONN, ENOTSOCK, ENOBUFS);
  put_address(domain_of(descriptor), address, size);
  return 0;
}

ssize_t recvfrom(int descriptor, void* to, size_t size, int flags, struct sockaddr* address, socklen_t* address_size) {
  CANCELLATION_POINT();
  if (!__whittle_is_open(descriptor)) return __whittle_bad_descriptor();
  if (flags & MSG_PEEK) __whittle_unsupported("recv with MSG_PEEK");
  if (flags & MSG_TRUNC) __whittle_unsupported("recv with MSG_TRUNC");
  if (__whittle_nondet_bool()) return __whittle_fail(EAGAIN, EINTR, ECONNRESET);
  size_t n = any_up_to(size);
  fill(to, n);
  put_address(domain_of(descriptor), address, address_size);
  return (ssize_t)n;
}
ssize_t recv(int descriptor, void* to, size_t size, int flags) { return recvfrom(descriptor, to, size, flags, 0, 0); }
ssize_t sendto(int descriptor, const void* from, size_t size, int flags, const struct sockaddr* address, socklen_t address_size) {
  CANCELLATION_POINT();
  (void)flags;
  if (!__whittle_is_open(descriptor)) return __whittle_bad_descriptor();
  look_at(from, size);
  if (address) look_at(address, address_size);
  if (__whittle_nondet_bool()) return __whittle_fail(EAGAIN, EPIPE, ECONNRESET);
  return size == 0 ? 0 : (ssize_t)(1 + any_up_to(size - 1));
}
ssize_t send(int descriptor, const void* from, size_t size, int flags) { return sendto(descriptor, from, size, flags, 0, 0); }

int setsockopt(int descriptor, int level, int option, const void* value, socklen_t size) {
  (void)level, (void)option;
  if (!__whittle_is_open(descriptor)) return __whittle_bad_descriptor();
  look_at(value, size);
  return outcome(ENOPROTOOPT, EINVAL, EDOM);
}
static _Bool is_int_option(int level, int option) {
  if (level == IPPROTO_TCP) return option == TCP_NODELAY || option == TCP_MAXSEG || option == TCP_KEEPCNT || option == TCP_KEEPIDLE || option == TCP_KEEPINTVL;
  if (level != SOL_SOCKET) return 0;
  switch (option) {
    case SO_ERROR:
    case SO_TYPE:
    case SO_DOMAIN:
    case SO_PROTOCOL:
    case SO_ACCEPTCONN:
    case SO_REUSEADDR:
    case SO_REUSEPORT:
    case SO_KEEPALIVE:
    case SO_BROADCAST:
    case SO_DONTROUTE:
    case SO_OOBINLINE:
    case SO_RCVBUF:
    case SO_SNDBUF:
    case SO_RCVLOWAT:
    case SO_SNDLOWAT: return 1;
    default: return 0;
  }
}
int getsockopt(int descriptor, int level, int option, void* value, socklen_t* size) {
  if (!__whittle_is_open(descriptor)) return __whittle_bad_descriptor();
  if (!is_int_option(level, option)) __whittle_unsupported("getsockopt of an option that is no int");
  if (__whittle_nondet_bool()) return __whittle_fail(ENOPROTOOPT, ENOTSOCK, EINVAL);
  int any = (int)(__whittle_nondet_u32() & 0x7fffffff);
  socklen_t room = *size;
  if ((int)room < 0) {
    errno = EINVAL;
    return -1;
  }
  if (room > sizeof any) room = sizeof any;
  __builtin_memcpy(value, &any, room);
  *size = room;
  return 0;
}

// Waiting without a limit ends only when something is ready, or when it fails.
static int ready(int count, _Bool forever) {
  if (count == 0 && forever) __whittle_assume(0);
  return count;
}
int poll(struct pollfd* entries, nfds_t count, int timeout) {
  CANCELLATION_POINT();
  if (__whittle_nondet_bool()) return __whittle_fail(EINTR, EINVAL, ENOMEM);
  int found = 0;
  for (nfds_t i = 0; i < count; i++) {
    struct pollfd* entry = &entries[i];
    short events = 0;
    if (entry->fd >= 0)
      events = !__whittle_is_open(entry->fd) ? POLLNVAL : (short)(__whittle_nondet_u16() & (entry->events | POLLERR | POLLHUP));
    entry->revents = events;
    found += events != 0;
  }
  return ready(found, timeout < 0);
}
int ppoll(struct pollfd* entries, nfds_t count, const struct timespec* timeout, const sigset_t* mask) {
  if (mask) __whittle_unsupported("ppoll with a mask of signals");
  return poll(entries, count, timeout ? (int)(timeout->tv_sec & 0x7fffffff) : -1);
}

// Sets of descriptors: those that are not ready are taken out.
static int keep_ready(fd_set* set, int count) {
  int found = 0;
  for (int i = 0; set && i < count; i++) {
    if (!FD_ISSET(i, set)) continue;
    if (__whittle_nondet_bool())
      found++;
    else
      FD_CLR(i, set);
  }
  return found;
}
static _Bool names_closed(const fd_set* set, int count) {
  for (int i = 0; set && i < count; i++)
    if (FD_ISSET(i, set) && !__whittle_is_open(i)) return 1;
  return 0;
}
#undef select
int select(int count, fd_set* reading, fd_set* writing, fd_set* failing, struct timeval* timeout) {
  CANCELLATION_POINT();
  if (count < 0 || count > FD_SETSIZE || (timeout && (timeout->tv_sec < 0 || timeout->tv_usec < 0))) {
    errno = EINVAL;
    return -1;
  }
  if (names_closed(reading, count) || names_closed(writing, count) || names_closed(failing, count)) return __whittle_bad_descriptor();
  if (__whittle_nondet_bool()) return __whittle_fail(EINTR, EINVAL, ENOMEM);
  int found = keep_ready(reading, count) + keep_ready(writing, count) + keep_ready(failing, count);
  if (timeout) {  // what is left
    time_t seconds = timeout->tv_sec;
    uint32_t left = __whittle_nondet_u32();
    __whittle_assume((time_t)left <= seconds);
    timeout->tv_sec = (time_t)left;
    if ((time_t)left < seconds) {
      timeout->tv_usec = (suseconds_t)(__whittle_nondet_u32() % 1000000);
    } else {
      suseconds_t micro = (suseconds_t)(__whittle_nondet_u32() & 0x7fffffff);
      __whittle_assume(micro <= timeout->tv_usec);
      timeout->tv_usec = micro;
    }
  }
  return ready(found, !timeout);
}
long __fdelt_chk(long descriptor) {
  __whittle_check(descriptor >= 0 && descriptor < FD_SETSIZE, WHITTLE_VALID_DEREF, "descriptor outside of a fd_set");
  return descriptor / (8 * (long)sizeof(fd_mask));
}

// epoll: one entry for each descriptor and the one that watches it.
struct watched {
  int watcher, descriptor;
  uint32_t events;
  epoll_data_t data;
};
static struct watched watched[DESCRIPTORS];
static int watched_count;

int epoll_create1(int flags) {
  (void)flags;
  if (__whittle_nondet_bool()) return __whittle_fail(EMFILE, ENFILE, ENOMEM);
  return __whittle_new_descriptor(0);
}
int epoll_create(int size) {
  if (size > 0) return epoll_create1(0);
  errno = EINVAL;
  return -1;
}
static int find_watched(int watcher, int descriptor) {
  int i = 0;
  while (i < watched_count && (watched[i].watcher != watcher || watched[i].descriptor != descriptor)) i++;
  return i;
}
int epoll_ctl(int watcher, int operation, int descriptor, struct epoll_event* event) {
  if (!__whittle_is_open(watcher) || !__whittle_is_open(descriptor)) return __whittle_bad_descriptor();
  struct watched entry = {watcher, descriptor, 0, {0}};
  if (operation == EPOLL_CTL_ADD || operation == EPOLL_CTL_MOD) {
    entry.events = event->events;
    entry.data = event->data;
  }
  if (__whittle_nondet_bool()) return __whittle_fail(ENOMEM, ENOSPC, EPERM);
  int error = 0;
  __whittle_atomic_begin();
  int at = find_watched(watcher, descriptor);
  const _Bool known = at < watched_count;
  if (operation == EPOLL_CTL_ADD ? known : !known) {
    error = operation == EPOLL_CTL_ADD ? EEXIST : ENOENT;
  } else if (operation == EPOLL_CTL_ADD) {
    if (watched_count == DESCRIPTORS) __whittle_unsupported("epoll of more than 32 descriptors");
    watched[watched_count++] = entry;
  } else if (operation == EPOLL_CTL_MOD) {
    watched[at] = entry;
  } else if (operation == EPOLL_CTL_DEL) {
    watched[at] = watched[--watched_count];
  } else {
    error = EINVAL;
  }
  __whittle_atomic_end();
  if (!error) return 0;
  errno = error;
  return -1;
}
int epoll_wait(int watcher, struct epoll_event* events, int room, int timeout) {
  CANCELLATION_POINT();
  if (!__whittle_is_open(watcher)) return __whittle_bad_descriptor();
  if (room <= 0) {
    errno = EINVAL;
    return -1;
  }
  if (__whittle_nondet_bool()) return __whittle_fail(EINTR, EINTR, EINTR);
  int found = 0;
  for (int i = 0; found < room; i++) {
    __whittle_atomic_begin();
    const _Bool more = i < watched_count;
    struct watched entry = watched[more ? i : 0];
    __whittle_atomic_end();
    if (!more) break;
    if (entry.watcher != watcher || !__whittle_is_open(entry.descriptor)) continue;
    uint32_t happened = __whittle_nondet_u32() & ((entry.events & 0xffff) | EPOLLERR | EPOLLHUP);
    if (!happened) continue;
    events[found].events = happened;
    events[found].data = entry.data;
    found++;
  }
  return ready(found, timeout < 0);
}

int eventfd(unsigned count, int flags) {
  (void)count, (void)flags;
  if (__whittle_nondet_bool()) return __whittle_fail(EMFILE, ENFILE, ENOMEM);
  return __whittle_new_descriptor(0);
}
