// getopt and getopt_long, with the permutation of arguments that glibc does.
#define _GNU_SOURCE
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "compare.h"

char* optarg;
int optind = 1, opterr = 1, optopt = '?';

static char* next;                    // in the middle of a group such as -abc
static int first_operand, last_operand;  // operands that were passed over: argv[first_operand] to before last_operand

// The operands passed over go after the options that were read since.
static void rotate(char** argv, int low, int middle, int high) {
  while (middle < high) {
    char* moved = argv[middle];
    for (int i = middle; i > low; i--) argv[i] = argv[i - 1];
    argv[low] = moved;
    low++, middle++;
  }
}
static void complain(char** argv, const char* text, const char* name, size_t length) {
  if (opterr) fprintf(stderr, "%s: %s '%.*s'\n", argv[0], text, (int)length, name);
}

static int long_option(int argc, char** argv, const char* short_options, const struct option* options, int* index,
                       const char* name) {
  size_t length = strcspn(name, "=");
  const struct option* found = 0;
  _Bool ambiguous = 0;
  int at = 0;
  for (int i = 0; options[i].name; i++) {
    if (__whittle_sign_strncmp(options[i].name, name, length) != 0) continue;
    if (!options[i].name[length]) {
      found = &options[i], at = i, ambiguous = 0;
      break;
    }
    if (found && (found->has_arg != options[i].has_arg || found->flag != options[i].flag || found->val != options[i].val))
      ambiguous = 1;
    if (!found) found = &options[i], at = i;
  }
  optind++;
  if (!found || ambiguous) {
    complain(argv, ambiguous ? "ambiguous option" : "unrecognized option", name, length);
    optopt = 0;
    return '?';
  }
  optarg = 0;
  if (name[length]) {
    if (found->has_arg == no_argument) {
      complain(argv, "option doesn't allow an argument", name, length);
      optopt = found->val;
      return '?';
    }
    optarg = (char*)name + length + 1;
  } else if (found->has_arg == required_argument) {
    if (optind >= argc) {
      complain(argv, "option requires an argument", name, length);
      optopt = found->val;
      return *short_options == ':' ? ':' : '?';
    }
    optarg = argv[optind++];
  }
  if (index) *index = at;
  if (!found->flag) return found->val;
  *found->flag = found->val;
  return 0;
}

static int short_option(int argc, char** argv, const char* options) {
  char c = *next++;
  const char* found = c == ':' || c == ';' ? 0 : strchr(options, c);
  if (!*next) optind++;
  if (!found) {
    complain(argv, "invalid option --", &c, 1);
    optopt = c;
    if (!*next) next = 0;
    return '?';
  }
  if (found[0] == 'W' && found[1] == ';') __whittle_unsupported("getopt with the option W;");
  if (found[1] != ':') {
    if (!*next) next = 0;
    return c;
  }
  optarg = 0;
  if (*next) {
    optarg = next;
    optind++;
  } else if (found[2] != ':') {
    if (optind >= argc) {
      complain(argv, "option requires an argument --", &c, 1);
      optopt = c;
      c = *options == ':' ? ':' : '?';
    } else {
      optarg = argv[optind++];
    }
  }
  next = 0;
  return c;
}

static int get(int argc, char** argv, const char* options, const struct option* long_options, int* index) {
  if (argc < 1) return -1;
  _Bool in_order = *options == '+';  // or POSIXLY_CORRECT, which is taken as not set
  _Bool operands_too = *options == '-';
  if (*options == '+' || *options == '-') options++;
  optarg = 0;
  if (optind == 0) {
    optind = 1;
    next = 0;
  }
  if (optind == 1) first_operand = last_operand = 1;
  if (!next || !*next) {
    if (last_operand > optind) last_operand = optind;
    if (first_operand > optind) first_operand = optind;
    if (!in_order && !operands_too) {
      if (first_operand != last_operand && last_operand != optind) {
        rotate(argv, first_operand, last_operand, optind);
        first_operand += optind - last_operand;
        last_operand = optind;
      } else if (last_operand != optind) {
        first_operand = optind;
      }
      while (optind < argc && (argv[optind][0] != '-' || !argv[optind][1])) optind++;
      last_operand = optind;
    }
    if (optind != argc && argv[optind][0] == '-' && argv[optind][1] == '-' && !argv[optind][2]) {
      optind++;
      if (first_operand != last_operand && last_operand != optind) {
        rotate(argv, first_operand, last_operand, optind);
        first_operand += optind - last_operand;
      } else if (first_operand == last_operand) {
        first_operand = optind;
      }
      last_operand = argc;
      optind = argc;
    }
    if (optind == argc) {
      if (first_operand != last_operand) optind = first_operand;
      return -1;
    }
    if (argv[optind][0] != '-' || !argv[optind][1]) {
      if (in_order) return -1;
      optarg = argv[optind++];
      return 1;
    }
    next = argv[optind] + 1;
    if (long_options && *next == '-') {
      const char* name = next + 1;
      next = 0;
      return long_option(argc, argv, options, long_options, index, name);
    }
  }
  return short_option(argc, argv, options);
}

int getopt(int argc, char* const argv[], const char* options) { return get(argc, (char**)argv, options, 0, 0); }
int getopt_long(int argc, char* const argv[], const char* options, const struct option* long_options, int* index) {
  return get(argc, (char**)argv, options, long_options, index);
}
