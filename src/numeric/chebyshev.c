#include "numeric/chebyshev.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "numeric/bessel.h"
#include "numeric/share.h"
#include "numeric/sources.h"

/* The first step is so many jumps long; a step that was too long is divided, one that was not is multiplied. */
enum { FIRST_JUMPS = 2000, RETREAT = 3, ADVANCE = 2, MOST_RETREATS = 8, USUAL_STEPS = 16, STEPS_TO_PREDICT = 12 };
#define FORGET 1.2
/* Of what a step may be off by, what is cut off is a small part, since that is cheap. */
enum { PART_CUT = 8 };
enum { BLOCK = 4096, SWEEPS_BETWEEN_LOOKS = 4 };
/* Of the fastest state: h. Eigenvalues of A are up to twice that of the fastest, but hardly ever so many. */
#define RATE_SHARE 0.55
/* Sums over all states are off by less. */
#define SUM_ROUNDING (1 + 0x1p-20)

struct norms {
    double size, rounding; /* of u, all states together; and that times `weight` */
};

struct recurrence {
    struct implicit *implicit;
    uint32_t count;
    struct sources sources;
    double rate;         /* h */
    double *own;         /* by state: 1 - exit rate / h */
    double *weight;      /* by state: how much rounding it adds to a sweep, in units of 2^-53, times its number */
    double *u, *other;   /* u(k) and, before it becomes u(k + 1), u(k - 1) */
    double *end, *way;   /* the sums of this step */
    double factor, area; /* of u(k) in these */
    bool is_first;       /* u(1) = B u(0) */
    struct norms *norms; /* by block */
    double done, lag;    /* of the time; and what the roundings of that have lost */
    double end_rounding, way_rounding; /* what is added in the sums of this step, without signs */
    double way_extra;                  /* by how much the time is off since one term more was added */
    double fastest;                    /* exit rate */
};

/* --- the chain --- */

static void make_own(struct recurrence *all)
{
    const struct implicit *implicit = all->implicit;
    for (uint32_t s = 0; s < all->count; s++) {
        double exit = implicit->exit_rate[s];
        all->fastest = fmax(all->fastest, exit);
        for (uint64_t e = all->sources.first[s]; e < all->sources.first[s + 1]; e++)
            if (all->sources.source[e] == s) {
                exit = fmax(0, exit - all->sources.share[e]);
                all->sources.share[e] = 0;
            }
        all->own[s] = exit;
        if (!implicit->active || implicit->active[s])
            all->rate = fmax(all->rate, exit);
    }
}

/* Each product of a sum is off by as many roundings as there are products, and a few more, for its factors. */
static void scale(struct recurrence *all)
{
    for (uint32_t s = 0; s < all->count; s++) {
        double own = all->own[s] / all->rate, length = (double)(all->sources.first[s + 1] - all->sources.first[s]) + 4;
        all->own[s] = 1 - own;
        all->weight[s] += length * fabs(1 - own) + 2 * (1 + own);
        for (uint64_t e = all->sources.first[s]; e < all->sources.first[s + 1]; e++) {
            all->sources.share[e] /= all->rate;
            all->weight[all->sources.source[e]] += length * all->sources.share[e];
        }
    }
}

static double *new_vector(const struct recurrence *all)
{
    return memory_zeroed((size_t)all->count + 1, sizeof(double));
}

static void open(struct recurrence *all)
{
    struct implicit *implicit = all->implicit;
    all->sources = sources_find(implicit->matrix, implicit->exit_rate, implicit->active);
    all->own = new_vector(all);
    all->weight = new_vector(all);
    all->u = new_vector(all);
    all->other = new_vector(all);
    all->end = new_vector(all);
    all->way = new_vector(all);
    all->norms = memory_zeroed((size_t)all->count / BLOCK + 2, sizeof *all->norms);
    implicit->at_end = new_vector(all);
    implicit->on_the_way = new_vector(all);
    implicit->at_end[implicit->start] = 1;
    make_own(all);
    all->rate = fmax(all->rate * RATE_SHARE, 1e-300);
    scale(all);
}

static void close(struct recurrence *all)
{
    sources_free(&all->sources);
    free(all->own);
    free(all->weight);
    free(all->u);
    free(all->other);
    free(all->end);
    free(all->way);
    free(all->norms);
}

/* --- a sweep --- */

/* Adds u(k) to the sums, and finds u(k + 1), of a block; the norms are those of u(k). */
static void sweep_block(struct recurrence *all, uint32_t from, uint32_t to)
{
    const struct sources *sources = &all->sources;
    const double *u = all->u;
    double size = 0, rounding = 0;
    for (uint32_t s = from; s < to; s++) {
        double sum = all->own[s] * u[s];
        for (uint64_t e = sources->first[s]; e < sources->first[s + 1]; e++)
            sum += sources->share[e] * u[sources->source[e]];
        all->other[s] = all->is_first ? sum : 2 * sum - all->other[s];
        all->end[s] += all->factor * u[s];
        all->way[s] += all->area * u[s];
        size += fabs(u[s]);
        rounding += fabs(u[s]) * all->weight[s];
    }
    all->norms[from / BLOCK] = (struct norms){size, rounding};
}

/* The blocks that begin there, so that norms are the same for any number of threads. */
static void sweep_range(void *user, uint32_t from, uint32_t to)
{
    struct recurrence *all = user;
    for (uint32_t block = (from + BLOCK - 1) / BLOCK; block * BLOCK < to; block++)
        sweep_block(all, block * BLOCK, all->count - block * BLOCK < BLOCK ? all->count : (block + 1) * BLOCK);
}

static struct norms sweep(struct recurrence *all)
{
    struct norms norms = {0};
    share_run(all->implicit->threads, all->count, sweep_range, all);
    for (uint32_t block = 0; block * BLOCK < all->count; block++) {
        norms.size += all->norms[block].size;
        norms.rounding += all->norms[block].rounding;
    }
    double *swap = all->u;
    all->u = all->other;
    all->other = swap;
    all->implicit->sweeps++;
    return (struct norms){norms.size * SUM_ROUNDING, norms.rounding * SUM_ROUNDING};
}

/* --- a step --- */

enum step_end { STEP_DONE, STEP_TOO_LONG, STEP_STOPPED };

static bool may_go_on(const struct implicit *implicit)
{
    return implicit->sweeps < implicit->most_sweeps && (!implicit->go_on || implicit->go_on(implicit->user));
}

static void begin_step(struct recurrence *all)
{
    size_t bytes = all->count * sizeof(double);
    memcpy(all->u, all->implicit->at_end, bytes);
    memset(all->other, 0, bytes);
    memset(all->end, 0, bytes);
    memset(all->way, 0, bytes);
    all->end_rounding = all->way_rounding = 0;
}

/* u(k), u(k + 1) and so on, until what is cut off is at most `allowed`. In *error what the distribution is off by, for
 * that and since sweeps are rounded. */
static enum step_end expand(struct recurrence *all, const struct bessel *bessel, double allowed, double *error)
{
    double rounding = 0, before = 0;
    begin_step(all);
    for (uint32_t k = 0; k + 1 < bessel->count; k++) {
        if (k % SWEEPS_BETWEEN_LOOKS == 0 && !may_go_on(all->implicit))
            return STEP_STOPPED;
        all->is_first = k == 0;
        all->factor = (k ? 2 : 1) * bessel->values[k];
        all->area = (k ? 2 : 1) * bessel->areas[k];
        struct norms norms = sweep(all);
        /* If it ends before this one. */
        double cut = k ? bessel->areas[k] * before + bessel->areas[k - 1] * norms.size : INFINITY;
        if (cut <= allowed) {
            *error = cut + rounding + all->factor * norms.size; /* which was added, too */
            all->way_extra = all->area * norms.size / all->rate * SUM_ROUNDING;
            return STEP_DONE;
        }
        rounding += bessel->areas[k] * (2 * norms.rounding + 2 * before + 2 * norms.size) * 0x1p-53;
        all->end_rounding += all->factor * norms.size;
        all->way_rounding += all->area * norms.size;
        before = norms.size;
        if (!(rounding <= PART_CUT * allowed))
            return STEP_TOO_LONG;
    }
    return STEP_TOO_LONG;
}

/* The rates are not quite those of the model, for the time that is spent in the states, of which no more than the error
 * is below 0. */
static double error_of_rates(const struct recurrence *all, double length, double error)
{
    const struct implicit *implicit = all->implicit;
    double flow = 0, below = 2 * all->fastest * length * (implicit->end_error + error);
    for (uint32_t s = 0; s < all->count; s++)
        flow += implicit->exit_rate[s] * fabs(all->way[s]);
    return 16 * (implicit->slack + 0x1p-52) * (flow / all->rate + below) * SUM_ROUNDING;
}

/* What is added in one sum more is off by a rounding each, and so are the factors. */
static void take_step(struct recurrence *all, const struct bessel *bessel, double length, double error)
{
    struct implicit *implicit = all->implicit;
    double part = bessel->error + ((double)bessel->count + 8) * 0x1p-53;
    implicit->end_error +=
        error + error_of_rates(all, length, error) + (part * all->end_rounding + 1e-30) * SUM_ROUNDING;
    implicit->way_error += implicit->end_error * length +
                           (part * all->way_rounding / all->rate + 1e-30) * SUM_ROUNDING + all->way_extra +
                           0x1p-51 * implicit->time;
    for (uint32_t s = 0; s < all->count; s++) {
        implicit->at_end[s] = all->end[s];
        implicit->on_the_way[s] += all->way[s] / all->rate;
    }
    double gone = length - all->lag, done = all->done + gone;
    all->lag = (done - all->done) - gone;
    all->done = done;
}

static enum step_end step(struct recurrence *all, double jumps)
{
    const struct implicit *implicit = all->implicit;
    double left = (implicit->time - all->done) + all->lag, error = 0;
    bool is_last = jumps >= left * all->rate;
    double length = is_last ? left : jumps / all->rate;
    double allowed = implicit->wanted * (length / implicit->time + 1.0 / USUAL_STEPS) / PART_CUT;
    struct bessel bessel = bessel_make(length * all->rate);
    enum step_end outcome = expand(all, &bessel, allowed, &error);
    if (outcome == STEP_DONE)
        take_step(all, &bessel, length, error);
    if (outcome == STEP_DONE && is_last)
        all->done = implicit->time;
    bessel_free(&bessel);
    return outcome;
}

/* Will it have taken too many sweeps, if it goes on like this? */
static bool is_too_slow(const struct recurrence *all, int steps)
{
    const struct implicit *implicit = all->implicit;
    return steps >= STEPS_TO_PREDICT && implicit->sweeps * implicit->time > implicit->most_sweeps * all->done;
}

static bool run(struct recurrence *all)
{
    double jumps = FIRST_JUMPS, too_many = INFINITY;
    int retreats = 0, steps = 0;
    while (all->done < all->implicit->time) {
        enum step_end outcome = step(all, jumps);
        retreats = outcome == STEP_TOO_LONG ? retreats + 1 : 0;
        steps += outcome == STEP_DONE;
        if (outcome == STEP_STOPPED || retreats > MOST_RETREATS || is_too_slow(all, steps))
            return false;
        if (outcome == STEP_TOO_LONG) {
            too_many = jumps;
            jumps /= RETREAT;
        } else {
            jumps *= jumps * ADVANCE < too_many ? ADVANCE : 1;
            too_many *= FORGET; /* the chain may be smoother now */
        }
    }
    return true;
}

/* What is below 0 is off by that, at least. What is left out was in the distribution before. */
static void finish(struct recurrence *all)
{
    struct implicit *implicit = all->implicit;
    double sum = 0;
    for (uint32_t s = 0; s < all->count; s++) {
        sum += implicit->at_end[s];
        implicit->at_end[s] = fmax(0, implicit->at_end[s]);
        implicit->on_the_way[s] = fmax(0, implicit->on_the_way[s]);
    }
    /* The ends differ by some roundings of the time. */
    implicit->end_error += 3 * all->fastest * implicit->time * 0x1p-52;
    implicit->lost = implicit->active ? fmax(0, 1 - sum) + implicit->end_error + (double)all->count * 0x1p-52 : 0;
}

bool chebyshev_run(struct implicit *implicit)
{
    struct recurrence all = {.implicit = implicit, .count = matrix_states(implicit->matrix)};
    open(&all);
    bool is_done = run(&all);
    if (is_done)
        finish(&all);
    close(&all);
    return is_done;
}

uint64_t chebyshev_bytes(const struct matrix *matrix)
{
    enum { VECTORS = 10 };
    return matrix->entries.count * 12 + (uint64_t)matrix_states(matrix) * VECTORS * sizeof(double);
}
