/* IS_SANITIZED: is the test built with a sanitizer? They have memory of their own, and take their time. */
#ifndef NOETHER_TESTS_SANITIZED_H
#define NOETHER_TESTS_SANITIZED_H

#include <stdbool.h>

#ifdef __has_feature
#define HAS_FEATURE(feature) __has_feature(feature)
#else
#define HAS_FEATURE(feature) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || HAS_FEATURE(address_sanitizer) ||                 \
    HAS_FEATURE(thread_sanitizer)
enum { IS_SANITIZED = true };
#else
enum { IS_SANITIZED = false };
#endif

#endif
