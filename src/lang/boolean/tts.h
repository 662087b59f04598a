/* Thread transition systems as read, before they are a system.
 *
 *     5 21             the numbers of shared and of local states
 *     0 3 -> 2 4       a thread in local state 3 goes to 4 when the shared state is 0, which becomes 2
 *     0 3 +> 2 4       it stays in 3 and starts a thread in 4
 *
 * All threads begin in local state 0, the shared state is 0. "#" begins a comment. A .prop has pairs "s|l": no thread
 * is ever in local state l while the shared state is s; "s|l,m": no two threads are in l and m. */
#ifndef NOETHER_LANG_BOOLEAN_TTS_H
#define NOETHER_LANG_BOOLEAN_TTS_H

#include "base/vec.h"
#include "lang/boolean/threads.h"

struct tts_edge {
    uint32_t shared, local, next_shared, next_local;
    bool is_spawn;
    struct span span;
};

enum { TTS_MAX_TOGETHER = 8 };

struct tts_bad {
    uint32_t shared;
    uint32_t locals[TTS_MAX_TOGETHER];
    uint32_t count;
    struct span span;
};

struct tts {
    uint32_t shared_count, local_count;
    VEC(struct tts_edge) edges;
    VEC(struct tts_bad) bad;
    struct span span; /* of the first line */
};

/* Errors are reported. Free it with tts_free in any case. */
void tts_parse(const struct source *source, struct diagnostics *diagnostics, struct tts *tts);
/* Adds the pairs of a .prop. */
void tts_parse_bad(const struct source *source, struct diagnostics *diagnostics, struct tts *tts);
void tts_free(struct tts *tts);

/* Rules, start state and properties for a number of threads. */
struct system *tts_lower(struct tts *tts, const char *name, uint32_t thread_count, struct diagnostics *diagnostics);

#endif
