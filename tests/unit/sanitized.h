/* IS_SANITIZED: is the test built with a sanitizer? They have memory of their own, and take their time.
 * IS_SLOW: does it run slowly: with a sanitizer, or for another machine under its emulator (script/cross)?
 * IS_EMULATED: the latter; what the emulator needs is counted as memory of the test.
 * FEWER: how many random inputs a test takes; where it is slow, a fifth: what is to be seen there are faults of memory
 * and of the machine, not those that one input in thousands shows. */
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
#ifdef NOETHER_EMULATED
enum { IS_EMULATED = true };
#else
enum { IS_EMULATED = false };
#endif
enum { IS_SLOW = IS_SANITIZED || IS_EMULATED };
#define FEWER(count) (IS_SLOW ? (count) / 5 : (count))

#endif
