#include "numeric/chebyshev.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "numeric/bessel.h"
#include "numeric/share.h"
#include "numeric/window.h"

/* The first step is so many jumps long; a step that was too long is divided, one that was not is multiplied. */
enum { FIRST_JUMPS = 2000, RETREAT = 2, ADVANCE = 2, MOST_RETREATS = 8, USUAL_STEPS = 64, STEPS_TO_PREDICT = 12 };
#define FORGET 1.05
#define NOT_TOO_LONG 0.8
/* Of what a step may be off by, what is cut off is a small part, since that is cheap. */
enum { PART_CUT = 8 };
/* What a window is expected to lose, of what it may lose: less where it loses more than expected, and more where it
 * loses next to nothing. */
#define FIRST_TRUST 0.5
#define MOST_TRUST 8
enum { LESS_TRUST = 256, MORE_TRUST = 2, NEXT_TO_NOTHING = 4 };
enum { BLOCK = 4096, SWEEPS_BETWEEN_LOOKS = 4 };
/* Of the fastest state: h. Eigenvalues of A are up to twice that of the fastest, but hardly ever so many. */
#define RATE_SHARE 0.55
/* Sums over all states are off by less. */
#define SUM_ROUNDING (1 + 0x1p-20)

struct norms {
    double size, rounding; /* of u, all states together; and that times `weight` */
};

/* Vectors are by place of the window, which is chosen for each step. */
struct recurrence {
    struct implicit *implicit;
    struct window window;
    double trust;                      /* in what a window is expected to lose */
    bool is_whole;                     /* no state was ever left out */
    double mass;                       /* of the distribution, all states together */
    double made;                       /* of it, at most: by rows that add up to more than 1 */
    double spent;                      /* of what may be cut off and rounded */
    double rate;                       /* h */
    double *own;                       /* 1 - exit rate / h */
    double *weight;                    /* how much rounding it adds to a sweep, in units of 2^-53, times its number */
    double *u, *other;                 /* u(k) and, before it becomes u(k + 1), u(k - 1) */
    double *end, *way;                 /* the sums of this step */
    double factor, area;               /* of u(k) in these */
    bool is_first;                     /* u(1) = B u(0) */
    struct norms *norms;               /* by block */
    double done, lag;                  /* of the time; and what the roundings of that have lost */
    double end_rounding, way_rounding; /* what is added in the sums of this step, without signs */
    double way_extra;                  /* by how much the time is off since one term more was added */
    double fastest;                    /* exit rate, of all states */
};

/* --- the chain --- */

/* Each product of a sum is off by as many roundings as there are products, and a few more, for its factors. */
static void scale(struct recurrence *all)
{
    struct sources *sources = &all->window.sources;
    for (uint32_t s = 0; s < all->window.count; s++) {
        double own = all->window.exit[s] / all->rate, length = (double)(sources->first[s + 1] - sources->first[s]) + 4;
        all->own[s] = 1 - own;
        all->weight[s] += length * fabs(1 - own) + 2 * (1 + own);
        for (uint64_t e = sources->first[s]; e < sources->first[s + 1]; e++) {
            sources->share[e] /= all->rate;
            all->weight[sources->source[e]] += length * sources->share[e];
        }
    }
}

static double *new_vector(uint32_t count)
{
    return memory_zeroed((size_t)count + 1, sizeof(double));
}

static void open_window(struct recurrence *all, double length, double may_lose)
{
    struct window *window = &all->window;
    window_choose(window, all->implicit->at_end, length, may_lose);
    uint32_t count = window->count;
    all->own = new_vector(count);
    all->weight = new_vector(count);
    all->u = new_vector(count);
    all->other = new_vector(count);
    all->end = new_vector(count);
    all->way = new_vector(count);
    all->norms = memory_zeroed((size_t)count / BLOCK + 2, sizeof *all->norms);
    all->rate = fmax(window->fastest * RATE_SHARE, 1 / length); /* where no state is ever left, any rate will do */
    scale(all);
}

static void close_window(struct recurrence *all)
{
    free(all->own);
    free(all->weight);
    free(all->u);
    free(all->other);
    free(all->end);
    free(all->way);
    free(all->norms);
}

static uint32_t count_of(const struct recurrence *all)
{
    return matrix_states(all->implicit->matrix);
}

static void open(struct recurrence *all)
{
    struct implicit *implicit = all->implicit;
    all->window = (struct window){.matrix = implicit->matrix,
                                  .exit_rate = implicit->exit_rate,
                                  .active = implicit->active,
                                  .go_on = implicit->go_on,
                                  .user = implicit->user};
    window_open(&all->window);
    implicit->at_end = new_vector(count_of(all));
    implicit->on_the_way = new_vector(count_of(all));
    implicit->at_end[implicit->start] = 1;
    all->mass = 1;
    all->is_whole = true;
    all->trust = FIRST_TRUST;
    for (uint32_t s = 0; s < count_of(all); s++)
        all->fastest = fmax(all->fastest, implicit->exit_rate[s]);
}

/* --- a sweep --- */

/* Adds u(k) to the sums, and finds u(k + 1), of a block; the norms are those of u(k). */
static void sweep_block(struct recurrence *all, uint32_t from, uint32_t to)
{
    const struct sources *sources = &all->window.sources;
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
        sweep_block(all, block * BLOCK,
                    all->window.count - block * BLOCK < BLOCK ? all->window.count : (block + 1) * BLOCK);
}

static struct norms sweep(struct recurrence *all)
{
    struct norms norms = {0};
    share_run(all->implicit->threads, all->window.count, sweep_range, all);
    for (uint32_t block = 0; block * BLOCK < all->window.count; block++) {
        norms.size += all->norms[block].size;
        norms.rounding += all->norms[block].rounding;
    }
    double *swap = all->u;
    all->u = all->other;
    all->other = swap;
    all->implicit->sweeps += (double)all->window.count / (double)count_of(all);
    return (struct norms){norms.size * SUM_ROUNDING, norms.rounding * SUM_ROUNDING};
}

/* --- a step --- */

enum step_end { STEP_DONE, STEP_TOO_LONG, STEP_LEAKS, STEP_STOPPED };

static bool may_go_on(const struct implicit *implicit)
{
    return implicit->sweeps < implicit->most_sweeps && (!implicit->go_on || implicit->go_on(implicit->user));
}

static void begin_step(struct recurrence *all)
{
    size_t bytes = all->window.count * sizeof(double);
    for (uint32_t s = 0; s < all->window.count; s++)
        all->u[s] = all->implicit->at_end[all->window.states[s]];
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

/* How often states are left in a step, at most: exit rates times the time that is spent in the states, by how much that
 * is off included. */
static double flow_of(const struct recurrence *all, double off)
{
    double flow = 0;
    for (uint32_t s = 0; s < all->window.count; s++)
        flow += all->implicit->exit_rate[all->window.states[s]] * fabs(all->way[s]);
    return (flow / all->rate + 2 * all->fastest * off) * SUM_ROUNDING;
}

/* With what the roundings lose (Kahan). */
static double sum_of(const double *numbers, uint32_t count)
{
    double sum = 0, lost = 0;
    for (uint32_t i = 0; i < count; i++) {
        double item = numbers[i] - lost, next = sum + item;
        lost = (next - sum) - item;
        sum = next;
    }
    return sum;
}

/* What is added in one sum more is off by a rounding each, and so are the factors.
 *
 * Rates are products of two numbers, with a rounding. That at which a state is left is the difference of one and a sum
 * of such products (its entries to itself), with a rounding for each of these that is relative to the exit rate. In a
 * column of A that is 2^-53 of the exit rate for the entries to others, and as much for each of the others. */
static void take_step(struct recurrence *all, const struct bessel *bessel, double length, double error)
{
    struct implicit *implicit = all->implicit;
    double part = bessel->error + ((double)bessel->count + 8) * 0x1p-53;
    double way_off = (part * all->way_rounding / all->rate + 1e-30) * SUM_ROUNDING + all->way_extra;
    double flow = flow_of(all, (implicit->end_error + error) * length + way_off), rates = 5 * 0x1p-52 * flow;
    implicit->least_error += rates;
    implicit->end_error += error + rates + (part * all->end_rounding + 1e-30) * SUM_ROUNDING;
    implicit->way_error += implicit->end_error * length + way_off + 0x1p-51 * implicit->time;
    implicit->way_rounding += way_off + 0x1p-51 * implicit->time;
    all->made += implicit->slack * flow;
    all->spent += error;
    memset(implicit->at_end, 0, count_of(all) * sizeof(double));
    for (uint32_t s = 0; s < all->window.count; s++) {
        implicit->at_end[all->window.states[s]] = all->end[s];
        implicit->on_the_way[all->window.states[s]] += all->way[s] / all->rate;
    }
    double gone = length - all->lag, done = all->done + gone;
    all->lag = (done - all->done) - gone;
    all->done = done;
}

/* Is what got out of the window, or was there before, too much? */
static bool leaks(struct recurrence *all, double allowed, double error)
{
    double mass = sum_of(all->end, all->window.count), lost = all->mass - mass;
    bool is_whole = all->window.count == count_of(all);
    if (!is_whole && lost > allowed + error) {
        all->trust *= fmax(1.0 / LESS_TRUST, 0.5 * allowed / lost);
        return true;
    }
    if (lost < allowed / NEXT_TO_NOTHING)
        all->trust = fmin(MOST_TRUST, all->trust * MORE_TRUST);
    all->mass = mass;
    all->is_whole &= is_whole;
    return false;
}

/* Its share of what is left of such an amount: that of its time, or of some steps. */
static double share_of(const struct recurrence *all, double length, double amount)
{
    double left = all->implicit->time - all->done, share = length / left + 1.0 / USUAL_STEPS;
    return fmax(0, amount) * fmin(1, share / (1 + 1.0 / USUAL_STEPS));
}

static enum step_end step_inside(struct recurrence *all, double length)
{
    double wanted = all->implicit->wanted, may_lose = share_of(all, length, wanted - (1 - all->mass)), error = 0;
    open_window(all, length, all->trust * may_lose);
    struct bessel bessel = bessel_make(length * all->rate);
    enum step_end outcome = expand(all, &bessel, share_of(all, length, wanted - all->spent) / PART_CUT, &error);
    if (outcome == STEP_DONE && leaks(all, may_lose, error))
        outcome = STEP_LEAKS;
    if (outcome == STEP_DONE)
        take_step(all, &bessel, length, error);
    bessel_free(&bessel);
    close_window(all);
    return outcome;
}

static enum step_end step(struct recurrence *all, double length)
{
    double left = (all->implicit->time - all->done) + all->lag;
    bool is_last = length >= left;
    enum step_end outcome = step_inside(all, is_last ? left : length);
    if (outcome == STEP_DONE && is_last)
        all->done = all->implicit->time;
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
    double length = FIRST_JUMPS / fmax(all->fastest * RATE_SHARE, 1e-300), too_long = INFINITY;
    int retreats = 0, steps = 0;
    while (all->done < all->implicit->time) {
        enum step_end outcome = step(all, length);
        retreats = outcome == STEP_DONE ? 0 : retreats + 1;
        steps += outcome == STEP_DONE;
        if (outcome == STEP_STOPPED || retreats > MOST_RETREATS || is_too_slow(all, steps))
            return false;
        if (outcome == STEP_LEAKS) {
            length /= retreats > 2 ? ADVANCE : 1;
        } else if (outcome == STEP_TOO_LONG) {
            too_long = length;
            length /= RETREAT;
        } else {
            length = fmax(length, fmin(length * ADVANCE, too_long * NOT_TOO_LONG));
            too_long *= FORGET; /* the chain may be smoother now */
        }
    }
    return true;
}

/* What is below 0 is off by that, at least. */
static void finish(struct recurrence *all)
{
    struct implicit *implicit = all->implicit;
    for (uint32_t s = 0; s < count_of(all); s++) {
        implicit->at_end[s] = fmax(0, implicit->at_end[s]);
        implicit->on_the_way[s] = fmax(0, implicit->on_the_way[s]);
    }
    implicit->lost = all->is_whole ? 0 : fmax(0, 1 - all->mass) + implicit->end_error + all->made + 0x1p-48;
    /* The ends differ by some roundings of the time. */
    implicit->end_error += 3 * all->fastest * implicit->time * 0x1p-52;
}

bool chebyshev_run(struct implicit *implicit)
{
    struct recurrence all = {.implicit = implicit};
    open(&all);
    bool is_done = run(&all);
    implicit->is_part = !is_done && all.done > 0;
    if (is_done || implicit->is_part)
        finish(&all);
    window_close(&all.window);
    return is_done;
}

uint64_t chebyshev_bytes(const struct matrix *matrix)
{
    enum { VECTORS = 8 };
    return window_bytes(matrix) + (uint64_t)matrix_states(matrix) * VECTORS * sizeof(double);
}
