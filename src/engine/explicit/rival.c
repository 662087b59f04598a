/* Another engine may have the answer sooner (struct rival). While the levels do not shrink, at least as much is still
 * to come as was done: what the rival is given then is a small part of the whole. Where they shrink the search is
 * nearly over. */
#include "base/clock.h"
#include "engine/explicit/search.h"

/* A search with fewer states needs no other engine. */
enum { RIVAL_STATES = 2048 };
/* Processor seconds of each thread before the first question, how many times as many before the next, and the part of
 * them that is given away, with what it is at least. */
static const double RIVAL_FIRST = 0.01, RIVAL_FACTOR = 3, RIVAL_SHARE = 0.15, RIVAL_LEAST = 0.01;
/* A level is interrupted for the question after so many: one that has large data to choose from never ends. */
static const double RIVAL_WITHIN = 0.5;

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

static double rival_spent(const struct explicit_search *search, double now)
{
    return (now - search->begin_cpu - search->rivalry.given) / search->worker_count;
}

bool rival_lets_go_on(struct explicit_search *search, uint64_t level)
{
    struct rivalry *rivalry = &search->rivalry;
    rivalry->grows = level >= rivalry->level;
    rivalry->level = level;
    return rival_loses(search);
}

bool rival_waits(const struct explicit_search *search, uint64_t left)
{
    const struct rivalry *rivalry = &search->rivalry;
    if (left < RIVAL_STATES || !search->options->rival.run || !rivalry->grows || search->options->crowd ||
        search->options->transport)
        return false;
    double spent = rival_spent(search, clock_cpu());
    return spent >= RIVAL_WITHIN && spent >= rivalry->next;
}

bool rival_loses(struct explicit_search *search)
{
    struct rivalry *rivalry = &search->rivalry;
    const struct rival *rival = &search->options->rival;
    if (!rival->run || !rivalry->grows)
        return true;
    double now = clock_cpu(), spent = rival_spent(search, now);
    if (!rival_is_due(search, spent))
        return true;
    rivalry->next = RIVAL_FACTOR * spent;
    bool is_won = rival->run(rival->user, rival_seconds(search, spent));
    rivalry->given += clock_cpu() - now;
    if (is_won)
        search_stop(search, stop_of(STOP_WORK));
    return !is_won;
}
