// Comparisons of which only the sign matters, for models and for calls that look at nothing else
// (src/frontend/model_choice.h).
#ifndef WHITTLE_COMPARE_H
#define WHITTLE_COMPARE_H

#include "primitives.h"

int __whittle_sign_memcmp(const void* a, const void* b, size_t n);
int __whittle_sign_strcmp(const char* a, const char* b);
int __whittle_sign_strncmp(const char* a, const char* b, size_t n);
int __whittle_sign_strncasecmp(const char* a, const char* b, size_t n);

// Any value with the sign of `difference`: what a comparison promises.
int __whittle_any_of_sign(int difference);

#endif
