/* Another engine may have the answer sooner (struct rival): a chain with more states than anyone has memory for may be
 * small in sets of states. How many are still to come is not known, so what the rival is given is a small part of what
 * was spent. */
#include "base/clock.h"
#include "engine/probabilistic/exploration.h"

/* A chain with fewer states needs no other engine. */
enum { RIVAL_STATES = 20000 };
/* Processor seconds before the first question, how many times as many before the next, and the part of them that is
 * given away. */
static const double RIVAL_FIRST = 1, RIVAL_FACTOR = 3, RIVAL_SHARE = 0.1;
/* For the tests (options->crowd): at once, and time enough. */
static const double RIVAL_TEST_SECONDS = 5;

bool exploration_rival_loses(struct exploration *exploration)
{
    struct exploration_rivalry *rivalry = &exploration->rivalry;
    struct markov *markov = exploration->markov;
    const struct engine_options *options = markov->options;
    if (!options->rival.run || (options->crowd ? rivalry->next > 0 : markov_count(markov) < RIVAL_STATES))
        return true;
    double now = clock_cpu(), spent = now - rivalry->begin - rivalry->given;
    if (!options->crowd && spent < (rivalry->next > 0 ? rivalry->next : RIVAL_FIRST))
        return true;
    rivalry->next = RIVAL_FACTOR * spent;
    bool is_won = options->rival.run(options->rival.user, options->crowd ? RIVAL_TEST_SECONDS : RIVAL_SHARE * spent);
    rivalry->given += clock_cpu() - now;
    return !is_won || markov_stop(markov, stop_of(STOP_WORK));
}
