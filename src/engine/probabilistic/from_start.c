#include "engine/probabilistic/from_start.h"

#include <math.h>
#include <string.h>

#include "numeric/chebyshev.h"
#include "numeric/implicit.h"
#include "numeric/onward.h"
#include "numeric/sample.h"
#include "numeric/vector.h"

/* How much of the distribution may be left out at a time, beside epsilon; and where the value is next to nothing. */
#define TINY 1e-18
#define TINIER 1e-80
/* A jump takes longer for each state than a sweep over all of them, but where fewer matter it is faster. */
enum { PART_OF_STATES = 3, EARLY_OF_STATES = 16 };
/* Where long steps may follow, a list that has taken so many jumps from all states, and will have taken so many if it
 * goes on like this, is too slow. Jumps from LITTLE_WORK states take a second or two, and are never too many. */
enum { SLOW_WORK = 8, SLOW_WORK_IN_ALL = 512 };
#define LITTLE_WORK 5e8
/* From so many jumps on, long steps are tried: with one sweep for so many jumps at most, and fewer where these are in
 * vain for all other properties; and from so many on, those of implicit.h first, which take hardly more sweeps for more
 * jumps. */
enum { STIFF_JUMPS = 50000, IMPLICIT_SWEEPS = 4, OWN_SWEEPS = 16, STIFFEST_JUMPS = 2000000 };
/* Up to so many jumps, states that are next to nothing are followed; backward, longer times often end early. */
enum { FINE_JUMPS = 10000 };
/* How far off these may be, beside epsilon, if nothing is known about the value, and else, of what it is of the most.
 * Roundings are more than the least. */
#define FIRST_ERROR 1e-4
#define NEXT_ERROR (1.0 / 12)
#define LEAST_ERROR 1e-12
/* With such an epsilon they are exact enough for rewards that no random run has earned, and hardly with a smaller one.
 */
#define RARE_EPSILON 1e-3
/* What the numbers of a model may be off by makes errors of long steps grow, but hardly below this. */
#define MOST_RELATIVE 1e-4
/* Rounding of the products and sums at the end, and of the rest of a sum that ended early. */
#define LAST_ROUNDING 0x1p-39

struct from_start {
    uint8_t *active;
    double rate, time;
    struct jumps *jumps; /* NULL: by long steps, and places are states */
    bool is_reverse;     /* these are the jumps backwards */
    struct poisson poisson;
    struct onward onward;
    uint32_t most_sources; /* how many states lead to one */
    double least_error;    /* of long steps, whatever is wanted */
    double way_rounding;   /* of these: the part of way_error that errors of the distribution do not cause */
    bool is_part;          /* long steps were stopped on the way: active states may be worth anything from then on */
};

void from_start_free(struct from_start *kept)
{
    if (!kept)
        return;
    onward_free(&kept->onward);
    poisson_free(&kept->poisson);
    jumps_destroy(kept->jumps);
    free(kept->active);
    free(kept);
}

static uint32_t count_sources(const struct matrix *matrix)
{
    uint32_t count = matrix_states(matrix), *sources = memory_zeroed((size_t)count + 1, sizeof *sources), most = 0;
    for (size_t i = 0; i < matrix->entries.count; i++)
        sources[matrix->entries.items[i].target]++;
    for (uint32_t s = 0; s < count; s++)
        most = sources[s] > most ? sources[s] : most;
    free(sources);
    return most;
}

static uint32_t place_of(const struct from_start *kept, uint32_t state)
{
    return kept->jumps ? jumps_place(kept->jumps, state) : state;
}

/* How the distribution is followed: in a list, unless it grows at once, or as long as it is not too long, or also of
 * states next to nothing; from all states at once; or by long steps, with polynomials or with equations. */
enum pursuit { PURSUIT_SLOW, PURSUIT_LIST, PURSUIT_FINE, PURSUIT_ALL, PURSUIT_CHEBYSHEV, PURSUIT_IMPLICIT };

static bool has_jumps(enum pursuit pursuit)
{
    return pursuit != PURSUIT_CHEBYSHEV && pursuit != PURSUIT_IMPLICIT;
}

static double tiny_of(const struct markov *markov, enum pursuit pursuit)
{
    return (pursuit == PURSUIT_FINE ? TINIER : TINY) * markov->epsilon;
}

static struct from_start *keep_new(struct markov *markov, const struct from_start_question *question,
                                   enum pursuit pursuit)
{
    struct from_start *kept = memory_zeroed(1, sizeof *kept);
    uint32_t count = markov_count(markov);
    kept->active = memory_zeroed((size_t)count + 1, 1);
    memcpy(kept->active, question->active, count);
    kept->rate = question->rate;
    kept->time = question->time;
    kept->is_reverse = pursuit == PURSUIT_ALL;
    if (has_jumps(pursuit))
        kept->jumps = (pursuit == PURSUIT_ALL ? jumps_create_reverse : jumps_create)(
            &markov->matrix, markov->exit_rate.items, kept->active, kept->rate);
    double mean = kept->rate * kept->time;
    kept->poisson = pursuit == PURSUIT_FINE ? poisson_make_to(mean, tiny_of(markov, pursuit)) : poisson_make(mean);
    kept->most_sources = count_sources(&markov->matrix);
    return kept;
}

bool from_start_is_kept(const struct markov *markov, const struct from_start_question *question)
{
    const struct from_start *kept = markov->from_start;
    return kept && kept->rate == question->rate && kept->time == question->time &&
           !memcmp(kept->active, question->active, markov_count(markov));
}

/* By how much of itself a sum may be off: as in transient.c, but numbers are added up by sources. */
static double relative_error(const struct markov *markov, const struct from_start *kept)
{
    const struct poisson *poisson = &kept->poisson;
    double jump = onward_error_of_jump(kept->most_sources) + 120 * 0x1p-53 + 60 * markov->slack;
    return 1.1 * (double)(poisson->last + 2) * jump + poisson->error + poisson->missing + LAST_ROUNDING;
}

/* What an active state is expected to gain by a jump, of one of the bounds. */
static double gain_of_jump(const struct markov *markov, const struct from_start_question *question,
                           const double *values, uint32_t state)
{
    const struct matrix *matrix = &markov->matrix;
    double sum = 0;
    uint32_t row = matrix->state_row.items[state];
    for (uint64_t i = matrix->row_entry.items[row]; values && i < matrix->row_entry.items[row + 1]; i++) {
        const struct entry *entry = &matrix->entries.items[i];
        sum += question->active[entry->target] ? 0 : entry->value * values[entry->target];
    }
    return (sum * markov->exit_rate.items[state] + (question->gains ? question->gains[state] : 0)) / question->rate;
}

/* By place. Jumps end in states that are not active; long steps get there and stay. */
static void place_numbers(const struct markov *markov, const struct from_start_question *question,
                          const struct from_start *kept, bool is_upper, double *at_end, double *on_the_way)
{
    const double *values = !question->values ? NULL : is_upper ? question->values->upper : question->values->lower;
    for (uint32_t s = 0; s < markov_count(markov); s++) {
        uint32_t place = place_of(kept, s);
        at_end[place] = values && (question->active[s] || !kept->jumps) ? values[s] : 0;
        if (kept->is_part && question->active[s])
            at_end[place] = is_upper ? question->most : 0;
        on_the_way[place] = question->active[s] ? gain_of_jump(markov, question, kept->jumps ? values : NULL, s) : 0;
    }
}

struct ask {
    double *at_end, *on_the_way; /* by place, of one bound */
    double wanted;               /* by how much long steps may be off */
    double worth; /* about what the value is, by some runs, where there are many jumps. 0: hardly anything */
};

/* May a list take as long as it does? Where long steps do not follow, or would be in vain: a reward that no random run
 * has earned is next to nothing beside what can be earned, and the error of long steps is a part of that. */
static bool may_be_slow(const struct markov *markov, const struct from_start_question *question, enum pursuit pursuit,
                        const struct ask *ask)
{
    return pursuit != PURSUIT_SLOW || (question->gains && ask->worth == 0 && markov->epsilon < RARE_EPSILON);
}

static bool run(struct markov *markov, const struct from_start_question *question, struct from_start *kept,
                enum pursuit pursuit, const struct ask *ask)
{
    uint32_t count = markov_count(markov);
    bool has_time = may_be_slow(markov, question, pursuit, ask);
    uint8_t *ends = memory_zeroed((size_t)count + 1, 1);
    for (uint32_t s = 0; s < count; s++)
        ends[jumps_place(kept->jumps, s)] = !kept->active[s];
    onward_free(&kept->onward);
    kept->onward = (struct onward){.jumps = kept->jumps,
                                   .is_reverse = kept->is_reverse,
                                   .threads = markov->threads,
                                   .poisson = &kept->poisson,
                                   .ends = ends,
                                   .start = jumps_place(kept->jumps, 0),
                                   .tiny = tiny_of(markov, pursuit),
                                   .is_patient = pursuit == PURSUIT_FINE,
                                   .most_places = count / PART_OF_STATES,
                                   .most_early = pursuit == PURSUIT_SLOW ? count / EARLY_OF_STATES : 0,
                                   .most_work = has_time ? 0 : (double)SLOW_WORK * count,
                                   .most_work_in_all = fmax((double)SLOW_WORK_IN_ALL * count, LITTLE_WORK),
                                   .values = ask->at_end,
                                   .flows = ask->on_the_way,
                                   .epsilon = markov->epsilon / 64,
                                   .most = question->most,
                                   .is_small_only = relative_error(markov, kept) > markov->epsilon / 4,
                                   .enough = question->may_be_small ? FROM_START_SMALL / 64 * question->most : 0,
                                   .go_on = markov_may_go_on,
                                   .user = markov};
    bool is_done = onward_run(&kept->onward);
    markov->sweeps += kept->onward.steps;
    kept->onward.values = kept->onward.flows = NULL;
    free(ends);
    return is_done;
}

/* Other properties may share what was found: their active states are the same. */
static bool is_shared(const struct markov *markov, const uint8_t *active)
{
    return !memchr(active, false, markov_count(markov));
}

/* In the terms of jumps: the time that is spent in a state is that of so many. What the numbers of the model are off by
 * is relative to the value for whatever finds it: it is in relative_error. */
static bool run_by_steps(struct markov *markov, struct from_start *kept, enum pursuit pursuit, double wanted)
{
    double jumps_for_sweep = is_shared(markov, kept->active) ? IMPLICIT_SWEEPS : OWN_SWEEPS;
    struct onward *onward = &kept->onward;
    struct implicit implicit = {.matrix = &markov->matrix,
                                .exit_rate = markov->exit_rate.items,
                                .active = kept->active,
                                .time = kept->time,
                                .slack = markov->slack,
                                .wanted = wanted,
                                .most_sweeps = kept->rate * kept->time / jumps_for_sweep,
                                .threads = markov->threads,
                                .go_on = markov_may_go_on,
                                .user = markov};
    bool is_done = (pursuit == PURSUIT_CHEBYSHEV ? chebyshev_run : implicit_run)(&implicit);
    markov->sweeps += (uint64_t)implicit.sweeps;
    for (uint32_t s = 0; s < markov_count(markov); s++)
        implicit.on_the_way[s] *= kept->rate;
    kept->least_error = implicit.least_error;
    kept->way_rounding = implicit.way_rounding * kept->rate * (1 + 0x1p-20);
    kept->is_part = implicit.is_part;
    onward_free(onward);
    *onward = (struct onward){.at_end = implicit.at_end,
                              .on_the_way = implicit.on_the_way,
                              .lost = implicit.lost,
                              .end_error = implicit.end_error * (1 + 0x1p-20),
                              .way_error = implicit.way_error * kept->rate * (1 + 0x1p-20)};
    return is_done;
}

/* Where there are many numbers, their roundings would be more than LAST_ROUNDING: these are added, too (Kahan). */
static double product_of(const double *a, const double *b, uint32_t count)
{
    double sum = 0, lost = 0;
    for (uint32_t i = 0; i < count; i++) {
        double item = a[i] * b[i] - lost, next = sum + item;
        lost = (next - sum) - item;
        sum = next;
    }
    return sum;
}

/* By how much the sums are off, in one direction, since it ended early, or for long steps. What makes the distribution
 * wrong in a state, as these do at a time, is worth no more than the state is from then on. */
static double error_of_sums(const struct from_start_question *question, const struct from_start *kept, uint32_t count,
                            const struct ask *ask)
{
    const struct onward *onward = &kept->onward;
    double flow = vector_greatest(ask->on_the_way, count);
    double off = onward->end_error * vector_greatest(ask->at_end, count) + onward->way_error * flow;
    if (!kept->jumps)
        off = fmin(off, onward->end_error * question->most + kept->way_rounding * flow);
    return 1.001 * off;
}

/* What the weights lack, as a part of the most that can be gained. What flows into other states is no more than all of
 * it. A gain is earned again in each jump, and each tail up to the last, and those behind it together, lack that much
 * of the greatest. */
static double missing_part(const struct markov *markov, const struct from_start_question *question,
                           const struct from_start *kept)
{
    double gain = question->gains ? vector_greatest(question->gains, markov_count(markov)) / kept->rate : 0;
    double jumps = gain > 0 ? 2 * (double)(kept->poisson.last + 2) * gain / question->most : 1;
    return kept->poisson.missing * (1 + jumps) * (1 + 0x1p-40);
}

/* One of the bounds, from what is kept. */
static double bound_of(const struct markov *markov, const struct from_start_question *question,
                       const struct from_start *kept, const struct ask *ask, bool is_upper)
{
    const struct onward *onward = &kept->onward;
    uint32_t count = markov_count(markov);
    double relative = relative_error(markov, kept), off = error_of_sums(question, kept, count, ask),
           sum =
               product_of(onward->at_end, ask->at_end, count) + product_of(onward->on_the_way, ask->on_the_way, count);
    double left = (1.001 + relative) * onward->lost + missing_part(markov, question, kept) + JUMPS_UNDERFLOW;
    if (!is_upper)
        return fmax(0, nextafter(sum * (1 - fmin(1, relative)) - off - JUMPS_UNDERFLOW, -INFINITY));
    return fmin(question->most, nextafter(sum * (1 + relative) + off + left * question->most, INFINITY));
}

/* Bounds that were known before stay so. */
static void find_bounds(const struct markov *markov, const struct from_start_question *question,
                        const struct from_start *kept, struct ask *ask, double *lower, double *upper)
{
    place_numbers(markov, question, kept, false, ask->at_end, ask->on_the_way);
    *lower = fmax(*lower, bound_of(markov, question, kept, ask, false));
    place_numbers(markov, question, kept, true, ask->at_end, ask->on_the_way);
    *upper = fmin(*upper, bound_of(markov, question, kept, ask, true));
}

static bool is_enough(struct markov *markov, const struct from_start_question *question, double lower, double upper)
{
    bool is_near = upper - lower <= markov->epsilon / 2 * upper;
    markov->is_small = !is_near && question->may_be_small && upper <= FROM_START_SMALL * question->most;
    return is_near || markov->is_small;
}

static void forget(struct markov *markov)
{
    from_start_free(markov->from_start);
    markov->from_start = NULL;
}

/* Keeps sums for the question, unless rounding alone would spoil them. */
static bool prepare(struct markov *markov, const struct from_start_question *question, enum pursuit pursuit,
                    struct ask *ask)
{
    forget(markov);
    struct from_start *kept = markov->from_start = keep_new(markov, question, pursuit);
    if (!question->may_be_small && relative_error(markov, kept) > markov->epsilon / 4)
        return false;
    if (!has_jumps(pursuit))
        return relative_error(markov, kept) <= MOST_RELATIVE && run_by_steps(markov, kept, pursuit, ask->wanted);
    if (!kept->jumps)
        return false;
    place_numbers(markov, question, kept, false, ask->at_end, ask->on_the_way);
    return run(markov, question, kept, pursuit, ask);
}

static bool is_stiff(const struct markov *markov, const struct from_start_question *question)
{
    return question->rate * question->time > STIFF_JUMPS && markov_has_room(markov, chebyshev_bytes(&markov->matrix));
}

/* Is it near enough? */
static bool answer_by(struct markov *markov, const struct from_start_question *question, enum pursuit pursuit,
                      struct ask *ask, double *lower, double *upper)
{
    if (!markov_may_go_on(markov))
        return false;
    bool is_done = prepare(markov, question, pursuit, ask);
    if (is_done || markov->from_start->is_part)
        find_bounds(markov, question, markov->from_start, ask, lower, upper);
    return is_done && is_enough(markov, question, *lower, *upper);
}

/* Was it in vain for what was left out, of the states or of the weights, and is it soon over? */
static bool is_lossy(const struct markov *markov, const struct from_start_question *question, double lower,
                     double upper)
{
    const struct from_start *kept = markov->from_start;
    if (!kept || question->rate * question->time > FINE_JUMPS || kept->onward.is_crowded)
        return false;
    double lost = kept->onward.lost + missing_part(markov, question, kept);
    return kept->onward.is_lossy || lost * question->most > (upper - lower) / 2;
}

/* Was it in vain since too many states matter? */
static bool is_crowded(const struct markov *markov)
{
    return markov->from_start && markov->from_start->onward.is_crowded;
}

/* In a list, and where that left too much out, in a longer one. */
static bool answer_by_list(struct markov *markov, const struct from_start_question *question, enum pursuit pursuit,
                           struct ask *ask, double *lower, double *upper)
{
    return answer_by(markov, question, pursuit, ask, lower, upper) ||
           (is_lossy(markov, question, *lower, *upper) && answer_by(markov, question, PURSUIT_FINE, ask, lower, upper));
}

/* As far off as these may be for this value. */
static double error_for(const struct markov *markov, const struct from_start_question *question, double value)
{
    return markov->epsilon * fmin(1, NEXT_ERROR * value / question->most);
}

/* What some runs say about the value. */
static double worth_of(struct markov *markov, const struct from_start_question *question)
{
    struct sampling sampling = {.matrix = &markov->matrix,
                                .exit_rate = markov->exit_rate.items,
                                .active = question->active,
                                .values = question->values ? question->values->lower : NULL,
                                .gains = question->gains,
                                .time = question->time,
                                .go_on = markov_may_go_on,
                                .user = markov};
    return sample_worth(&sampling);
}

/* A state may be worth much more than the value. */
static bool answer_by_long(struct markov *markov, const struct from_start_question *question, enum pursuit pursuit,
                           struct ask *ask, double *lower, double *upper)
{
    ask->wanted = ask->worth > 0 ? error_for(markov, question, ask->worth) : markov->epsilon * FIRST_ERROR;
    if (answer_by(markov, question, pursuit, ask, lower, upper))
        return true;
    double next = error_for(markov, question, (*lower + *upper) / 2);
    if (next >= ask->wanted || next < LEAST_ERROR || !markov->from_start || markov->from_start->is_part ||
        next < markov->from_start->least_error / 4)
        return false;
    ask->wanted = next;
    return answer_by(markov, question, pursuit, ask, lower, upper);
}

/* By polynomials, unless too many would be needed; and by equations where that was in vain. */
static bool answer_by_steps(struct markov *markov, const struct from_start_question *question, struct ask *ask,
                            double *lower, double *upper)
{
    return (question->rate * question->time < STIFFEST_JUMPS &&
            answer_by_long(markov, question, PURSUIT_CHEBYSHEV, ask, lower, upper)) ||
           (is_shared(markov, question->active) && markov_has_room(markov, implicit_bytes(&markov->matrix)) &&
            answer_by_long(markov, question, PURSUIT_IMPLICIT, ask, lower, upper));
}

/* Where few states matter at a time, a list is fastest, its error is relative, and it ends early where the chain
 * settles. The error of long steps is not, so they may not be enough, and take as long as they do: they are for chains
 * that are soon everywhere. From all states at once takes as long as the values of all states would, but other
 * properties share it. Where a probability is asked for they hardly ever do (other states are active), and values of
 * all states settle sooner. */
static bool answer_somehow(struct markov *markov, const struct from_start_question *question, struct ask *ask,
                           double *lower, double *upper)
{
    bool is_long = is_stiff(markov, question);
    ask->worth = is_long ? worth_of(markov, question) : 0;
    if (answer_by_list(markov, question, is_long ? PURSUIT_SLOW : PURSUIT_LIST, ask, lower, upper))
        return true;
    bool is_crowd = is_crowded(markov);
    if (is_long && answer_by_steps(markov, question, ask, lower, upper))
        return true;
    if (is_long && is_crowd && answer_by_list(markov, question, PURSUIT_LIST, ask, lower, upper))
        return true;
    is_crowd = is_long && is_crowd ? is_crowded(markov) : is_crowd;
    return is_crowd && is_shared(markov, question->active) &&
           answer_by(markov, question, PURSUIT_ALL, ask, lower, upper);
}

bool from_start_answer(struct markov *markov, const struct from_start_question *question, double *lower, double *upper)
{
    size_t count = (size_t)markov_count(markov) + 1;
    *lower = 0;
    *upper = question->most;
    struct ask ask = {memory_zeroed(count, sizeof(double)), memory_zeroed(count, sizeof(double)), 0, 0};
    bool is_done = false;
    if (from_start_is_kept(markov, question)) {
        find_bounds(markov, question, markov->from_start, &ask, lower, upper);
        is_done = is_enough(markov, question, *lower, *upper);
    }
    is_done = is_done || answer_somehow(markov, question, &ask, lower, upper);
    if (!is_done)
        forget(markov);
    free(ask.at_end);
    free(ask.on_the_way);
    return is_done;
}
