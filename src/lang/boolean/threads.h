/* What systems of Boolean programs and of thread transition systems have in common: threads and how rules speak of
 * them. Nodes live in the arena of the system. */
#ifndef NOETHER_LANG_BOOLEAN_THREADS_H
#define NOETHER_LANG_BOOLEAN_THREADS_H

#include "base/report.h"
#include "ir/build.h"
#include "ir/language.h"

/* How many threads there may be at most. */
enum { THREADS_MAX_COUNT = 10000, THREADS_DEFAULT_COUNT = 2, THREADS_MAX_RECURSION = 1000 };

struct threads {
    struct system *system;
    const struct type *thread;
};

struct thread_steps {
    struct stmt **items;
    size_t count, capacity;
};

/* A system of `threads` threads that may end in any state: that all threads are done is no deadlock. */
struct threads threads_create(const char *name, const struct language *language, uint32_t thread_count,
                              struct span span);

/* An array over the threads. */
const struct variable *threads_add_local(struct threads *threads, const char *name, const struct type *type,
                                         struct span span);
/* A variable that is a parameter of a rule or bound by a quantifier or loop. */
const struct variable *threads_bind(struct threads *threads, const char *name, const struct type *type,
                                    struct span span);

struct expr *threads_truth(struct threads *threads, bool value, struct span span);
struct expr *threads_value(struct threads *threads, const struct variable *variable, struct span span);
/* local[thread] as a place and as a value. */
struct place *threads_place(struct threads *threads, const struct variable *local, const struct variable *thread,
                            struct span span);
struct expr *threads_own(struct threads *threads, const struct variable *local, const struct variable *thread,
                         struct span span);
/* local[thread] = the value at that position of its type. */
struct expr *threads_is(struct threads *threads, const struct variable *local, const struct variable *thread,
                        uint32_t ordinal, struct span span);
struct expr *threads_both(struct threads *threads, struct expr *left, struct expr *right, struct span span);
struct expr *threads_not(struct threads *threads, struct expr *operand, struct span span);
/* For some of them (bodies are conditions). */
struct expr *threads_exists(struct threads *threads, const struct variable *thread, struct expr *body,
                            struct span span);

void threads_assign(struct threads *threads, struct thread_steps *list, struct place *place, struct expr *value,
                    struct span span);
void threads_assign_own(struct threads *threads, struct thread_steps *list, const struct variable *local,
                        const struct variable *thread, uint32_t ordinal, struct span span);
/* The list as a block in the arena; the list is emptied. */
struct block threads_seal(struct threads *threads, struct thread_steps *list);
/* for thread: Thread do ... end; the list becomes its body, and is emptied. */
struct stmt *threads_for_all(struct threads *threads, const struct variable *thread, struct thread_steps *list,
                             struct span span);

/* Parameters of a rule, given one by one. */
void threads_add_parameter(struct threads *threads, struct rule *rule, const struct variable *variable);

/* Is the number asked for possible? Else an error. */
bool threads_check(const struct source *source, const struct reading *reading, struct diagnostics *diagnostics);

#endif
