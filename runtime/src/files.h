// What calls on descriptors share.
#ifndef WHITTLE_FILES_H
#define WHITTLE_FILES_H

#include "primitives.h"

_Bool __whittle_is_open(int descriptor);
int __whittle_new_descriptor(int lowest);  // the lowest free number from there on, now open
_Bool __whittle_release(int descriptor);   // was it open? It is not any more.
int __whittle_bad_descriptor(void);        // errno = EBADF, returns -1
int __whittle_fail(int first, int second, int third);  // errno = any of the three, or another error; returns -1

#endif
