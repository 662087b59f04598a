/* Diagnostics: what is wrong with the user's input, where, and a hint.
 *
 * User errors are values: a function that finds one adds it here and goes on or
 * returns failure. cli/ prints them:
 *
 *   model.m:12:9: error: unknown name "Stat"
 *      12 |   s := Stat[i];
 *         |        ^~~~
 *      hint: did you mean "State"?
 */
#ifndef NOETHER_BASE_DIAG_H
#define NOETHER_BASE_DIAG_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/source.h"
#include "base/text.h"

enum severity { SEVERITY_ERROR, SEVERITY_WARNING, SEVERITY_NOTE };

/* What a warning is about. */
enum warning_kind {
    WARNING_READING,    /* how the text is read */
    WARNING_UNDEFINED,  /* an undefined value is compared */
    WARNING_ASSUMPTION, /* assumptions leave nothing to check */
    WARNING_VACUOUS,    /* a property that holds says nothing */
    WARNING_DEAD_RULE,  /* a rule fires in no reachable state */
    WARNING_UNUSED,     /* a name is not used */
    WARNING_HIDES       /* a name hides another */
};

struct diagnostic {
    enum severity severity;
    struct span span;
    char *message;
    char *hint;             /* or NULL */
    enum warning_kind kind; /* of a warning */
};

struct diagnostics {
    struct diagnostic *items;
    size_t count, capacity;
    size_t errors;
    bool is_late; /* one of the errors is that the time was over (diag_is_late): it is not known whether anything is
                     wrong */
};

enum { DIAGNOSTICS_MAX_ERRORS = 20 }; /* front ends stop reporting after this many */

void diag_error(struct diagnostics *list, struct span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void diag_warning(struct diagnostics *list, struct span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Is the watch of the thread over (base/watch.h)? Then that is an error, and reading ends. */
bool diag_is_late(struct diagnostics *list);
/* Adds a hint to the diagnostic added last. */
void diag_hint(struct diagnostics *list, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* What the warning added last is about; else it is READING. */
void diag_kind(struct diagnostics *list, enum warning_kind kind);
/* Adds copies of all of `more`. */
void diag_append(struct diagnostics *list, const struct diagnostics *more);
/* The first thing that is wrong, with its line: "line 7: ...". There is one. */
const char *diag_first(const struct diagnostics *list, struct arena *arena);
void diag_print(const struct diagnostics *list, struct text *out);
void diag_print_one(const struct diagnostic *diagnostic, struct text *out);
void diag_free(struct diagnostics *list);

/* The candidate closest in spelling to `name`, or NULL when none is near. For hints. */
const char *diag_closest(const char *name, const char *const *candidates, size_t count);
/* The one that `rank` others are closer than, or as close and before it. */
const char *diag_close(const char *name, const char *const *candidates, size_t count, size_t rank);

#endif
