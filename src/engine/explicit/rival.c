/* Another engine may have the answer sooner (struct rival). While the levels grow, at least as much is still to come as
 * was done: what the rival is given then is a small part of the whole. Where they shrink the search is nearly over. */
#include "base/clock.h"
#include "engine/explicit/search.h"

/* A search with fewer states needs no other engine. */
enum { RIVAL_STATES = 2048 };
/* Processor seconds of each thread before the first question, how many times as many before the next, and the part of
 * them that is given away, with what it is at least. */
static const double RIVAL_FIRST = 0.01, RIVAL_FACTOR = 3, RIVAL_SHARE = 0.15, RIVAL_LEAST = 0.01;

/* For the tests (options->crowd): at the first level that grows, and time enough. */
static const double RIVAL_TEST_SECONDS = 1;

static bool rival_is_due(const struct explicit_search *search, double spent)
{
    const struct rivalry *rivalry = &search->rivalry;
    if (search->options->crowd)
        return rivalry->next <= 0;
    return spent >= (rivalry->next > 0 ? rivalry->next : RIVAL_FIRST) && search_count_states(search) >= RIVAL_STATES;
}

static double rival_seconds(const struct explicit_search *search, double spent)
{
    double share = RIVAL_SHARE * spent * search->worker_count;
    return search->options->crowd ? RIVAL_TEST_SECONDS : share > RIVAL_LEAST ? share : RIVAL_LEAST;
}

bool rival_lets_go_on(struct explicit_search *search, uint64_t level)
{
    struct rivalry *rivalry = &search->rivalry;
    const struct rival *rival = &search->options->rival;
    bool grows = level > rivalry->level;
    rivalry->level = level;
    if (!rival->run || !grows)
        return true;
    double now = clock_cpu(), spent = (now - search->begin_cpu - rivalry->given) / search->worker_count;
    if (!rival_is_due(search, spent))
        return true;
    rivalry->next = RIVAL_FACTOR * spent;
    bool is_won = rival->run(rival->user, rival_seconds(search, spent));
    rivalry->given += clock_cpu() - now;
    if (is_won)
        search_stop(search, stop_of(STOP_WORK));
    return !is_won;
}
