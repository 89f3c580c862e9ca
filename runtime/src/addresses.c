// Addresses of the internet as text.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#include "primitives.h"

static _Bool is_digit(char c) { return c >= '0' && c <= '9'; }
static int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// "192.0.2.1" with four numbers and nothing else.
static _Bool read_dotted(const char* text, uint8_t* to) {
  for (int i = 0; i < 4; i++) {
    if (!is_digit(*text)) return 0;
    unsigned value = 0;
    const char* first = text;
    for (; is_digit(*text); text++) {
      if (text > first && *first == '0') return 0;
      value = value * 10 + (unsigned)(*text - '0');
      if (value > 255) return 0;
    }
    to[i] = (uint8_t)value;
    if (*text++ != (i < 3 ? '.' : 0)) return 0;
  }
  return 1;
}
// Groups of up to four digits with colons between them; "::" stands for zeros once, and the end may be dotted.
static _Bool read_groups(const char* text, uint8_t* to) {
  int n = 0, gap = -1;  // bytes so far, and where "::" was
  if (*text == ':' && *++text != ':') return 0;
  while (*text) {
    if (*text == ':') {
      if (gap >= 0) return 0;
      gap = n;
      text++;
      continue;
    }
    unsigned value = 0;
    const char* first = text;
    int digits = 0;
    for (; hex_value(*text) >= 0; text++) {
      if (++digits > 4) return 0;
      value = value * 16 + (unsigned)hex_value(*text);
    }
    if (*text == '.' && n <= 12) {
      if (!read_dotted(first, to + n)) return 0;
      n += 4;
      break;
    }
    if (digits == 0 || n > 14) return 0;
    to[n++] = (uint8_t)(value >> 8);
    to[n++] = (uint8_t)value;
    if (*text == ':') {
      if (*++text == 0) return 0;
    } else if (*text != 0) {
      return 0;
    }
  }
  if (gap < 0) return n == 16;
  if (n == 16) return 0;
  for (int i = 1; i <= n - gap; i++) {
    to[16 - i] = to[n - i];
    to[n - i] = 0;
  }
  return 1;
}
int inet_pton(int family, const char* text, void* to) {
  uint8_t bytes[16] = {0};
  if (family != AF_INET && family != AF_INET6) {
    errno = EAFNOSUPPORT;
    return -1;
  }
  if (family == AF_INET ? !read_dotted(text, bytes) : !read_groups(text, bytes)) return 0;
  __builtin_memcpy(to, bytes, family == AF_INET ? 4 : 16);
  return 1;
}

static char* put_number(char* to, unsigned value, unsigned base) {
  unsigned power = 1;
  while (value / power >= base) power *= base;
  for (; power != 0; power /= base) *to++ = "0123456789abcdef"[value / power % base];
  return to;
}
static char* put_dotted(char* to, const uint8_t* bytes) {
  for (int i = 0; i < 4; i++) {
    if (i != 0) *to++ = '.';
    to = put_number(to, bytes[i], 10);
  }
  return to;
}
// The longest row of zeros, of two groups or more, is "::".
static char* put_groups(char* to, const uint8_t* bytes) {
  unsigned groups[8];
  int best = -1, best_length = 1;
  for (int i = 0; i < 8; i++) groups[i] = (unsigned)bytes[2 * i] << 8 | bytes[2 * i + 1];
  for (int i = 0; i < 8; i++) {
    int length = 0;
    while (i + length < 8 && groups[i + length] == 0) length++;
    if (length > best_length) best = i, best_length = length;
    if (length > 0) i += length - 1;
  }
  for (int i = 0; i < 8; i++) {
    if (best >= 0 && i >= best && i < best + best_length) {
      if (i == best) *to++ = ':';
      continue;
    }
    if (i != 0) *to++ = ':';
    if (i == 6 && best == 0 && (best_length == 6 || (best_length == 5 && groups[5] == 0xffff))) return put_dotted(to, bytes + 12);
    to = put_number(to, groups[i], 16);
  }
  if (best >= 0 && best + best_length == 8) *to++ = ':';
  return to;
}
const char* inet_ntop(int family, const void* from, char* to, socklen_t size) {
  uint8_t bytes[16];
  char text[INET6_ADDRSTRLEN];
  if (family != AF_INET && family != AF_INET6) {
    errno = EAFNOSUPPORT;
    return 0;
  }
  __builtin_memcpy(bytes, from, family == AF_INET ? 4 : 16);
  char* end = family == AF_INET ? put_dotted(text, bytes) : put_groups(text, bytes);
  *end = 0;
  size_t length = (size_t)(end - text) + 1;
  if (length > size) {
    errno = ENOSPC;
    return 0;
  }
  __builtin_memcpy(to, text, length);
  return to;
}

// One to four numbers, each decimal, octal or hexadecimal; the last one fills the bytes that are left. A blank ends it.
int inet_aton(const char* text, struct in_addr* address) {
  uint32_t parts[4], result = 0;
  int count = 0;
  for (;;) {
    if (!is_digit(*text)) return 0;
    unsigned base = 10;
    if (*text == '0') {
      base = 8;
      if (text[1] == 'x' || text[1] == 'X') {
        base = 16;
        text += 2;
        if (hex_value(*text) < 0) return 0;
      }
    }
    uint64_t value = 0;
    for (; hex_value(*text) >= 0 && (unsigned)hex_value(*text) < base; text++) {
      value = value * base + (unsigned)hex_value(*text);
      if (value > UINT32_MAX) return 0;
    }
    parts[count++] = (uint32_t)value;
    if (*text != '.') break;
    if (count == 4) return 0;
    text++;
  }
  if (*text && *text != ' ' && (*text < '\t' || *text > '\r')) return 0;
  for (int i = 0; i + 1 < count; i++) {
    if (parts[i] > 255) return 0;
    result |= parts[i] << (24 - 8 * i);
  }
  if (count > 1 && parts[count - 1] >> (8 * (5 - count))) return 0;
  result |= parts[count - 1];
  if (address) address->s_addr = htonl(result);
  return 1;
}
in_addr_t inet_addr(const char* text) {
  struct in_addr address;
  return inet_aton(text, &address) ? address.s_addr : INADDR_NONE;
}
