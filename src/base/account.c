#include "base/account.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/children.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/registry.h"

/* Sanitizers keep memory of their own, many times that of the program. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define ACCOUNT_SEES_PROCESS false
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define ACCOUNT_SEES_PROCESS false
#endif
#endif
#ifndef ACCOUNT_SEES_PROCESS
#define ACCOUNT_SEES_PROCESS true
#endif

enum {
    ACCOUNT_BATCH = 64 << 10, /* bytes that a thread takes before it tells the account */
    ACCOUNT_LARGE = 1 << 20,  /* a block of its own, whose pages come when they are touched */
    ACCOUNT_LOOK_LEAST = 64 << 10,
    ACCOUNT_LOOK_MOST = 16 << 20
};

struct recovery {
    jmp_buf place;
    struct recovery *outer;
    struct cleanup *cleanups; /* those of before */
};

static _Thread_local struct {
    struct account *account;
    struct recovery *recovery;
    struct cleanup *cleanups;
    int64_t pending;    /* bytes the account does not know of yet */
    int64_t until_look; /* bytes until the limit is looked at */
    bool is_limit;      /* the last refusal was the limit's */
} self;

/* What is refused: somewhat beyond the limit, so that a loop that polls may end by itself. */
static uint64_t account_most(const struct account *account)
{
    uint64_t percent = account->limit < 100000000 ? 3 : 1;
    return account->limit + account->limit / 100 * percent;
}

static void account_settle(void)
{
    if (self.account)
        atomic_fetch_add_explicit(&self.account->used, self.pending, memory_order_relaxed);
    self.pending = 0;
}

static uint64_t account_counted(const struct account *account)
{
    int64_t bytes = atomic_load_explicit(&account->used, memory_order_relaxed) + account->elsewhere;
    return bytes > 0 ? (uint64_t)bytes : 0;
}

static bool account_sees_process(const struct account *account)
{
    return account->is_process && ACCOUNT_SEES_PROCESS;
}

static uint64_t account_process_bytes(void)
{
    return clock_resident_bytes() + children_resident_bytes();
}

/* What the heap keeps of blocks that were freed is given back first, where that is much. */
static uint64_t account_resident(const struct account *account, uint64_t limit)
{
    uint64_t resident = account_process_bytes();
    if (resident > limit && account_counted(account) < limit - limit / 8 && memory_trim())
        resident = account_process_bytes();
    return resident;
}

static bool account_look(size_t size, bool is_lazy)
{
    struct account *account = self.account;
    self.until_look = ACCOUNT_LOOK_MOST;
    account_settle();
    if (!account || !account->limit)
        return true;
    uint64_t most = account_most(account), counted = account_counted(account), held = counted;
    if (account_sees_process(account)) {
        held = account_resident(account, most);
        if (is_lazy && size >= ACCOUNT_LARGE)
            size = 0;
        else if (size >= ACCOUNT_LARGE && counted > held)
            held = counted; /* others like it may not have been touched yet */
    }
    self.is_limit = held > most || size > most - held;
    if (self.is_limit)
        return false;
    int64_t room = (int64_t)(most - held - size) / 64;
    self.until_look = room < ACCOUNT_LOOK_LEAST  ? ACCOUNT_LOOK_LEAST
                      : room < ACCOUNT_LOOK_MOST ? room
                                                 : ACCOUNT_LOOK_MOST;
    return true;
}

bool account_admits(size_t size, bool is_lazy)
{
    if (size < ACCOUNT_LARGE && self.until_look > (int64_t)size) {
        self.until_look -= (int64_t)size;
        return true;
    }
    return account_look(size, is_lazy);
}

void account_note_refusal(void)
{
    self.is_limit = false;
}

void account_count(int64_t bytes)
{
    self.pending += bytes;
    if (self.pending > ACCOUNT_BATCH || self.pending < -ACCOUNT_BATCH)
        account_settle();
}

bool account_keep(void *block, size_t bytes)
{
    struct account *account = self.account;
    return !account || !account->registry || registry_add(account->registry, block, bytes);
}

void account_forget(void *block)
{
    if (registry_is_used())
        registry_remove(block);
}

bool account_begin(struct account *account, bool keeps)
{
    account_adopt(account);
    atomic_init(&account->used, 0);
    atomic_init(&account->has_failed, false);
    atomic_init(&account->limit_failed, false);
    account->elsewhere = account_sees_process(account) ? (int64_t)clock_resident_bytes() : 0;
    account->registry = keeps ? registry_create() : NULL;
    return !keeps || account->registry;
}

size_t account_release(struct account *account)
{
    if (self.account == account)
        account_adopt(NULL);
    size_t blocks = registry_destroy(account->registry);
    account->registry = NULL;
    return blocks;
}

bool account_failed_by_limit(struct account *account)
{
    return atomic_load(&account->limit_failed);
}

struct account *account_current(void)
{
    return self.account;
}

struct account *account_adopt(struct account *account)
{
    struct account *before = self.account;
    account_settle();
    self.account = account;
    self.until_look = 0;
    return before;
}

bool account_holds_more(const struct account *account, uint64_t bytes)
{
    uint64_t held = account_sees_process(account) ? account_resident(account, bytes) : account_counted(account);
    return held > bytes;
}

bool account_is_over(struct account *account)
{
    if (!account)
        return false;
    if (atomic_load_explicit(&account->has_failed, memory_order_relaxed))
        return true;
    if (!account->limit)
        return false;
    bool has_solver = atomic_load_explicit(&account->solvers, memory_order_relaxed) > 0;
    return account_holds_more(account, has_solver ? account->limit - account->limit / 8 : account->limit);
}

void account_add_solver(int count)
{
    if (self.account)
        atomic_fetch_add_explicit(&self.account->solvers, count, memory_order_relaxed);
}

uint64_t account_room(void)
{
    uint64_t held = account_held(), limit = self.account ? self.account->limit : 0;
    if (!limit)
        return UINT64_MAX;
    return held < limit ? limit - held : 0;
}

uint64_t account_held(void)
{
    account_settle();
    if (!self.account)
        return 0;
    return account_sees_process(self.account) ? account_process_bytes() : account_counted(self.account);
}

uint64_t account_unclaimed(void)
{
    uint64_t held = account_held(), counted = self.account ? account_counted(self.account) : 0;
    uint64_t limit = self.account ? self.account->limit : 0, claimed = held > counted ? held : counted;
    if (!limit)
        return UINT64_MAX;
    return claimed < limit ? limit - claimed : 0;
}

void cleanup_push(struct cleanup *cleanup, void (*undo)(void *data), void *data)
{
    *cleanup = (struct cleanup){.undo = undo, .data = data, .before = self.cleanups};
    if (self.cleanups)
        self.cleanups->after = cleanup;
    self.cleanups = cleanup;
}

void cleanup_drop(struct cleanup *cleanup)
{
    if (!cleanup->undo)
        return; /* never pushed */
    if (cleanup->before)
        cleanup->before->after = cleanup->after;
    if (cleanup->after)
        cleanup->after->before = cleanup->before;
    else
        self.cleanups = cleanup->before;
    *cleanup = (struct cleanup){0};
}

bool account_try(void (*work)(void *data), void *data)
{
    struct recovery recovery = {.outer = self.recovery, .cleanups = self.cleanups};
    bool is_done = false;
    if (!setjmp(recovery.place)) {
        self.recovery = &recovery;
        work(data);
        is_done = true;
    }
    self.recovery = recovery.outer;
    return is_done;
}

void account_fail_again(void)
{
    account_fail(0);
}

static void account_note_failure(struct account *account)
{
    if (atomic_exchange(&account->has_failed, true))
        return; /* the first reason counts */
    atomic_store(&account->limit_failed, self.is_limit);
}

void account_fail(size_t size)
{
    struct recovery *recovery = self.recovery;
    if (self.account && self.account->exhausted)
        self.account->exhausted(self.is_limit);
    if (self.account)
        account_note_failure(self.account);
    if (!recovery) {
        fprintf(stderr, "noether: out of memory (asked for %zu bytes)\n", size);
        abort();
    }
    while (self.cleanups != recovery->cleanups) {
        struct cleanup *cleanup = self.cleanups;
        void (*undo)(void *) = cleanup->undo;
        void *owner = cleanup->data;
        cleanup_drop(cleanup);
        undo(owner);
    }
    longjmp(recovery->place, 1);
}
