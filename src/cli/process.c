#include "cli/process.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/account.h"
#include "base/bigint.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/memory.h"
#include "cli/partial.h"
#include "cli/stale.h"

enum {
    PROCESS_RESERVE = 4 << 20, /* for the answer, when there is no other memory */
    PROCESS_LEAST = 16 << 20,  /* what the program needs for itself: no smaller limit can be kept */
    PROCESS_TIGHT = 1 << 30    /* a limit below this is one where every page counts */
};

/* Memory runs out in any thread, at any depth: nothing can be handed down there. */
static struct account account;
static void *reserve;

static void finish(void *data)
{
    partial_finish(*(struct stop *)data);
}

/* Once more without memory, or where the answer is being written already: a line is all there is. */
static void process_exhausted(bool is_limit)
{
    static const char words[] = "noether: out of memory\n", limit[] = "noether: memory limit\n";
    struct stop stop = stop_limit(STOP_MEMORY, is_limit ? account.limit : 0);
    account_adopt(NULL); /* the answer is not refused its memory */
    free(reserve);
    reserve = NULL;
    account_try(finish, &stop);
    stale_remove();
    if (write(STDERR_FILENO, is_limit ? limit : words, strlen(is_limit ? limit : words)) < 0)
        _exit(EXIT_UNKNOWN);
    _exit(EXIT_UNKNOWN);
}

void process_begin(void)
{
    signal(SIGXFSZ, SIG_IGN); /* a file at its limit (ulimit -f) is a write error: temporary files are removed */
    reserve = memory_try(PROCESS_RESERVE);
    account = (struct account){.is_process = true, .exhausted = process_exhausted};
    account_begin(&account, false);
    bigint_count_memory();
    json_count_memory();
}

void process_note_module(void)
{
    uint64_t least = clock_resident_bytes() + PROCESS_LEAST;
    if (account.limit && account.limit < least)
        account.limit = least;
}

void process_limit_memory(uint64_t bytes)
{
    account.limit = bytes && bytes < PROCESS_LEAST ? PROCESS_LEAST : bytes;
    account_adopt(&account); /* looks at it at once */
    if (check_address_space_is_limited())
        memory_save_addresses();
    if (bytes && bytes < PROCESS_TIGHT)
        memory_save_pages();
}
