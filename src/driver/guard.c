#include "driver/guard.h"

#include <pthread.h>

#include "base/bigint.h"
#include "base/json.h"
#include "base/locale.h"
#include "base/memory.h"
#include "base/rounding.h"
#include "base/thread.h"

/* Libraries that we use count their memory with ours; those of the program around us are left alone where it has set
 * its own. */
static void count_libraries(void)
{
    bigint_count_memory();
    json_count_memory();
}

struct guard_call {
    struct account *account;
    uint64_t limit;
    void (*work)(void *data);
    void *data;
    bool is_done;
};

static bool guard_run_here(struct account *account, uint64_t limit, void (*work)(void *data), void *data)
{
    enum rounding mode = rounding_mode();
    locale_t locale = locale_use_plain();
    struct account *before = account_current();
    rounding_set(ROUNDING_NEAREST);
    *account = (struct account){.limit = limit};
    bool is_done = account_begin(account, true) && account_try(work, data);
    account_adopt(before);
    if (!is_done)
        account_release(account);
    rounding_set(mode);
    locale_restore(locale);
    return is_done;
}

static void guard_work(void *data)
{
    struct guard_call *call = data;
    call->is_done = guard_run_here(call->account, call->limit, call->work, call->data);
}

bool guard_run(struct account *account, uint64_t limit, void (*work)(void *data), void *data)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    struct guard_call call = {account, limit, work, data, false};
    pthread_once(&once, count_libraries);
    *account = (struct account){0};
    return thread_run_deep(guard_work, &call) && call.is_done;
}

void guard_release(struct account *account)
{
    size_t left = account_release(account);
    (void)left;
#ifndef NDEBUG
    ENSURE(left == 0);
#endif
}

struct text_work {
    char *(*work)(const void *data);
    const void *data;
    char *text;
};

static void make_text(void *data)
{
    struct text_work *work = data;
    work->text = work->work(work->data);
}

char *guard_text(char *(*work)(const void *data), const void *data)
{
    struct account account;
    struct text_work text = {.work = work, .data = data};
    if (!guard_run(&account, 0, make_text, &text))
        return NULL;
    if (text.text)
        account_forget(text.text);
    guard_release(&account);
    return text.text;
}
