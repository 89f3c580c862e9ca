// Names of hosts. What they lead to is unknown.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#include "primitives.h"

// A list of one or two addresses of the family that is asked for, or an error.
struct found_address {
  struct addrinfo information;
  union {
    struct sockaddr any;
    struct sockaddr_in four;
    struct sockaddr_in6 six;
  } address;
};
static struct addrinfo* new_address(const struct addrinfo* hints) {
  struct found_address* found = __whittle_heap_alloc(sizeof *found, 1);
  struct addrinfo* information = &found->information;
  int family = hints ? hints->ai_family : AF_UNSPEC;
  if (family == AF_UNSPEC) family = __whittle_nondet_bool() ? AF_INET6 : AF_INET;
  information->ai_family = family;
  information->ai_flags = hints ? hints->ai_flags : AI_V4MAPPED | AI_ADDRCONFIG;
  information->ai_socktype = hints && hints->ai_socktype ? hints->ai_socktype : __whittle_nondet_bool() ? SOCK_STREAM : SOCK_DGRAM;
  information->ai_protocol = hints && hints->ai_protocol             ? hints->ai_protocol
                             : information->ai_socktype == SOCK_STREAM ? IPPROTO_TCP
                                                                       : IPPROTO_UDP;
  information->ai_addr = &found->address.any;
  if (family == AF_INET) {
    information->ai_addrlen = sizeof found->address.four;
    found->address.four.sin_port = __whittle_nondet_u16();
    found->address.four.sin_addr.s_addr = __whittle_nondet_u32();
  } else {
    information->ai_addrlen = sizeof found->address.six;
    found->address.six.sin6_port = __whittle_nondet_u16();
    for (int i = 0; i < 16; i++) found->address.six.sin6_addr.s6_addr[i] = __whittle_nondet_u8();
  }
  found->address.any.sa_family = (sa_family_t)family;
  return information;
}
int getaddrinfo(const char* node, const char* service, const struct addrinfo* hints, struct addrinfo** result) {
  if (!node && !service) return EAI_NONAME;
  if (node) (void)strlen(node);
  if (service) (void)strlen(service);
  if (hints && hints->ai_family != AF_UNSPEC && hints->ai_family != AF_INET && hints->ai_family != AF_INET6) return EAI_FAMILY;
  if (hints && hints->ai_flags & AI_CANONNAME) __whittle_unsupported("getaddrinfo with AI_CANONNAME");
  if (__whittle_nondet_bool()) {
    int error = -(int)(__whittle_nondet_u8() % 12);
    __whittle_assume(error == EAI_NONAME || error == EAI_AGAIN || error == EAI_FAIL || error == EAI_MEMORY || error == EAI_SERVICE ||
                     error == EAI_SYSTEM);
    return error;
  }
  struct addrinfo* first = new_address(hints);
  if (__whittle_nondet_bool()) first->ai_next = new_address(hints);
  *result = first;
  return 0;
}
void freeaddrinfo(struct addrinfo* list) {
  while (list) {
    struct addrinfo* next = list->ai_next;
    __whittle_heap_free(list);
    list = next;
  }
}
const char* gai_strerror(int error) {
  switch (error) {
    case EAI_NONAME: return "Name or service not known";
    case EAI_AGAIN: return "Temporary failure in name resolution";
    case EAI_FAMILY: return "ai_family not supported";
    case EAI_MEMORY: return "Memory allocation failure";
    case EAI_SYSTEM: return "System error";
    default: return "One of the other errors in up to 42 letters";
  }
}
char* inet_ntoa(struct in_addr address) {
  static _Thread_local char text[INET_ADDRSTRLEN];
  return (char*)inet_ntop(AF_INET, &address, text, sizeof text);
}
