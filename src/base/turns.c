#include "base/turns.h"

#include <math.h>

#include "base/memory.h"
#include "base/watch.h"

/* Decides the item within so many seconds. Returns true if it ran out of these while the caller still has time. */
static bool runs_out(const struct turn_order *turns, size_t item, double seconds)
{
    struct watch watch;
    watch_begin_share(&watch, seconds);
    bool is_decided = turns->decide(turns->user, item);
    bool is_over = watch_is_up(), was_cut = watch_was_cut(&watch);
    struct stop stop = watch_stop(&watch);
    watch_end(&watch);
    if (watch_is_up()) {
        if (was_cut)
            watch_note_cut();
        return false;
    }
    if (was_cut && turns->withdraw)
        turns->withdraw(turns->user, item, &stop);
    return is_over && (!is_decided || was_cut);
}

static void run_shared(const struct turn_order *turns)
{
    bool *is_open = memory_zeroed(turns->count + 1, sizeof *is_open);
    size_t open = 0;
    for (size_t i = 0; i < turns->count; i++) {
        double shares = (double)(turns->count - i + turns->later + 1);
        is_open[i] = runs_out(turns, i, watch_seconds_left() / shares);
        open += is_open[i];
    }
    for (size_t i = 0; i < turns->count && !watch_is_up(); i++)
        if (is_open[i] && open-- + turns->later > 1)
            runs_out(turns, i, watch_seconds_left() / (double)(open + 1 + turns->later));
        else if (is_open[i])
            turns->decide(turns->user, i);
    free(is_open);
}

void turns_run(const struct turn_order *turns)
{
    if (turns->count + turns->later > 1 && isfinite(watch_seconds_left())) {
        run_shared(turns);
        return;
    }
    for (size_t i = 0; i < turns->count; i++)
        turns->decide(turns->user, i);
}
