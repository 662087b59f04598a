/* The memory of one run: its limit, its use, and what happens when it is exhausted.
 *
 * A thread works for one account, or for none. What is allocated through base/memory.h is counted there, by each thread
 * on its own and added up now and then, so that threads do not meet at a counter. If the whole process is the run, its
 * resident size counts, too: it includes memory that is not counted (stacks, code, gaps in the heap, libraries), and it
 * is what users see. Programs that it has started (base/children.h) count with it.
 *
 * Two things happen near the limit. Loops that poll (base/watch.h) end at the limit with their results so far:
 * account_is_over. An allocation that would go some percent beyond it is refused, as is one that the system refuses:
 * memory_fail. That does not return. It calls the account's `exhausted`, which ends the program (the command line), or
 * goes back to the last account_try of the thread (the library); on the way it undoes what the cleanups say. The
 * account is over from then on. A thread that works for another has an account_try of its own around its work, and
 * hands the failure on when all have met (base/team.c): no thread is left waiting. A lock that is held while memory is
 * asked for is one of base/lock.h.
 *
 * An account that keeps its blocks can be released as a whole: what was allocated for it and not freed by then is
 * freed. */
#ifndef NOETHER_BASE_ACCOUNT_H
#define NOETHER_BASE_ACCOUNT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct registry;

struct account {
    uint64_t limit;  /* bytes; 0: none */
    bool is_process; /* its resident size counts */
    void (*exhausted)(
        bool is_limit); /* does not return; is_limit: the limit refused, not the system. NULL: see account_try */
    /* Private. */
    _Atomic int64_t used;      /* bytes of blocks and maps */
    _Atomic int solvers;       /* see account_add_solver */
    _Atomic bool has_failed;   /* something was refused */
    _Atomic bool limit_failed; /* by the limit, not by the system */
    int64_t elsewhere;         /* resident bytes at the beginning that are no blocks */
    struct registry *registry; /* the blocks, or NULL */
};

/* Fills in the private parts; limit, is_process and exhausted are the caller's. The calling thread works for it from
 * then on. `keeps`: so that it can be released as a whole. False: there is no memory for that. */
bool account_begin(struct account *account, bool keeps);
/* Frees all that it keeps, and says how many blocks that were; no thread works for it any more. */
size_t account_release(struct account *account);
/* What refused: a stop of memory for the answer. */
bool account_failed_by_limit(struct account *account);

struct account *account_current(void);
/* The calling thread works for this account, or for none (NULL). Returns the one it worked for. */
struct account *account_adopt(struct account *account);

/* Is the limit reached? For polls: some microseconds. NULL: never. */
bool account_is_over(struct account *account);
/* A library that takes memory of its own, much at once (a SAT solver), works for the account of the thread, or no
 * longer
 * (-1): in the meantime the account is over an eighth before its limit. */
void account_add_solver(int count);
/* The bytes that the run of this thread uses; 0 if they are not counted. */
uint64_t account_held(void);
/* The bytes that it may still take; UINT64_MAX: as many as the system has. */
uint64_t account_room(void);
/* The same without what was asked for and has not been touched yet. */
uint64_t account_unclaimed(void);
/* Does the run use more than so many bytes? For polls. */
bool account_holds_more(const struct account *account, uint64_t bytes);

/* work(data); false when memory ran out on the way: what was begun there is lost. Where the account ends the program
 * instead, true. */
bool account_try(void (*work)(void *data), void *data);
/* For a thread whose account_try was false, or that learned it from another thread: the failure goes on to the next
 * one. */
_Noreturn void account_fail_again(void);

/* What must not be left behind by a failure (a thread, a file): undone from the last to the first. A cleanup is a part
 * of the thing that it is for, and is pushed and dropped by one thread. */
struct cleanup {
    void (*undo)(void *data);
    void *data;
    struct cleanup *before, *after;
};
void cleanup_push(struct cleanup *cleanup, void (*undo)(void *data), void *data);
void cleanup_drop(struct cleanup *cleanup);

/* -- for base/memory.c and maps -- */
/* May `size` bytes be taken? `is_lazy`: for a block that grows, and is used bit by bit. */
bool account_admits(size_t size, bool is_lazy);
/* The system has refused what was admitted. */
void account_note_refusal(void);
/* Bytes were taken, or given back (negative). */
void account_count(int64_t bytes);
/* The block is kept, or no longer. `bytes`: of a map; 0: it is freed by free. False: there is no memory to remember it.
 */
bool account_keep(void *block, size_t bytes);
void account_forget(void *block);
_Noreturn void account_fail(size_t size);

#endif
