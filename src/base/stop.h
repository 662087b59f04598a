/* Why work ended before it was complete: a kind for programs to compare, and a detail for people to read.
 *
 * A stop is a value. Only one with a detail owns memory: it is handed on (to a function that says it takes it), copied
 * with stop_copy, or freed. The sentence is made in one place, stop_print; no code compares sentences. */
#ifndef NOETHER_BASE_STOP_H
#define NOETHER_BASE_STOP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>

struct text;

enum stop_kind {
    STOP_NONE,        /* it has not ended early */
    STOP_INTERRUPTED, /* by a signal, or by the flag of the caller */
    STOP_TIME,        /* the limits: */
    STOP_MEMORY,
    STOP_STATES,
    STOP_DEPTH,
    STOP_WORK,
    STOP_VIOLATION, /* the first violation was enough */
    STOP_DECIDED,   /* every property is decided */
    STOP_FAULT,     /* a mistake of the model: something has no value */
    STOP_REFUSED,   /* the engine does not support the model */
    STOP_UNDECIDED, /* the engine has no answer: it does not support the property, or its numbers are not precise enough
                     */
    STOP_FAILED,    /* a file, the compiler, or the program itself */
};

struct stop {
    enum stop_kind kind;
    uint64_t limit; /* MEMORY: bytes, 0: there is no more; STATES, DEPTH: how many */
    double seconds; /* TIME: as the user gave it */
    uint32_t line;  /* of the model that the engine was given; 0: it is not about a line */
    char *detail;   /* or NULL; of a limit, what is said after it: "while the rules were translated" */
};

static inline struct stop stop_of(enum stop_kind kind)
{
    return (struct stop){.kind = kind};
}

static inline struct stop stop_limit(enum stop_kind kind, uint64_t limit)
{
    return (struct stop){.kind = kind, .limit = limit};
}

static inline struct stop stop_time(double seconds)
{
    return (struct stop){.kind = STOP_TIME, .seconds = seconds};
}

struct stop stop_because(enum stop_kind kind, const char *format, ...) __attribute__((format(printf, 2, 3)));
struct stop stop_vbecause(enum stop_kind kind, const char *format, va_list arguments);
struct stop stop_copy(const struct stop *stop);
void stop_free(struct stop *stop);
/* The first reason is the one that counts: takes `reason`, into *slot or nowhere. */
void stop_once(struct stop *slot, struct stop reason);

static inline bool stop_is_set(const struct stop *stop)
{
    return stop->kind != STOP_NONE;
}

/* "time limit (10 s)", "first violation", "a probability or rate is negative (line 7)". */
void stop_print(const struct stop *stop, struct text *out);
/* For programs: "time", "violation"; NULL of STOP_NONE. */
const char *stop_kind_name(enum stop_kind kind);

#endif
