#include "numeric/implicit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "numeric/krylov.h"
#include "numeric/laguerre.h"
#include "numeric/sources.h"

/* K; how many of the roots a step may go to, and to which it should. */
enum { TERMS = 20, ROOTS = 9, USUAL_ROOT = 7 };
enum { MOST_TRIES = 3, STEPS_OF_A_TRY = 60, MOST_RETREATS = 20, USUAL_STEPS = 128 };
/* A step of the Krylov method goes over the entries so often. */
enum { SWEEPS_OF_STEP = 4 };

struct course {
    struct implicit *implicit;
    uint32_t count;
    struct krylov_chain chain; /* c + A */
    struct krylov krylov;
    double *exit, *entry; /* by state: the rates out of it and into it, without those to itself */
    double speed;         /* c */
    double *w[TERMS + 1];
    double residual[TERMS]; /* of each x, all states together */
    double flow[TERMS + 1]; /* exit rate * |w|, all states together */
    double size[TERMS + 1]; /* |w| */
    double last;            /* A w(K) */
    double rounding;        /* of a sum over the sources of a state */
    double roots[ROOTS], areas[ROOTS][TERMS + 1];
    double done, lag; /* of the time; and what the roundings of that have lost */
};

/* Sums over all states are off by less. */
#define SUM_ROUNDING (1 + 0x1p-20)

/* --- the equations --- */

/* Of the entries, those to the state itself have no effect. */
static void take_own_off(struct course *course, struct sources *sources)
{
    for (uint32_t s = 0; s < course->count; s++)
        for (uint64_t e = sources->first[s]; e < sources->first[s + 1]; e++) {
            if (sources->source[e] == s) {
                course->exit[s] = fmax(0, course->exit[s] - sources->share[e]);
                sources->share[e] = 0;
            }
            course->entry[s] += sources->share[e];
        }
}

static void split_entries(struct krylov_chain *chain)
{
    for (uint32_t s = 0; s < chain->count; s++) {
        uint64_t e = chain->first[s];
        while (e < chain->first[s + 1] && chain->target[e] < s)
            e++;
        chain->middle[s] = e;
    }
}

static void make_chain(struct course *course)
{
    const struct implicit *implicit = course->implicit;
    size_t size = (size_t)course->count + 1;
    uint64_t most = 0;
    course->exit = memory_alloc(size * sizeof(double));
    course->entry = memory_zeroed(size, sizeof(double));
    memcpy(course->exit, implicit->exit_rate, course->count * sizeof(double));
    struct sources sources = sources_find(implicit->matrix, implicit->exit_rate, implicit->active);
    take_own_off(course, &sources);
    course->chain = (struct krylov_chain){.count = course->count,
                                          .first = sources.first,
                                          .middle = memory_zeroed(size, sizeof(uint64_t)),
                                          .target = sources.source,
                                          .value = sources.share,
                                          .rate = memory_zeroed(size, sizeof(double)),
                                          .away = memory_zeroed(size, sizeof(double)),
                                          .leave = memory_zeroed(size, sizeof(double))};
    split_entries(&course->chain);
    for (uint32_t s = 0; s < course->count; s++) {
        uint64_t length = sources.first[s + 1] - sources.first[s];
        most = length > most ? length : most;
        course->chain.rate[s] = 1;
    }
    course->rounding = ((double)most + 16) * 0x1p-53;
}

static void set_speed(struct course *course, double speed)
{
    course->speed = speed;
    for (uint32_t s = 0; s < course->count; s++) {
        course->chain.away[s] = speed + course->exit[s];
        course->chain.leave[s] = course->chain.away[s] - course->entry[s];
    }
}

/* residual = c w - (c + A) x = c (w - x) - A x. At least what that is, all states together, whatever the roundings,
 * also that of w - x. */
static double find_residual(struct course *course, double speed, const double *x, const double *w, double *residual)
{
    const struct krylov_chain *chain = &course->chain;
    double norm = 0, sizes = 0;
    for (uint32_t s = 0; s < chain->count; s++) {
        double in = 0, size = 0, next = w[s] - x[s], out = course->exit[s] * x[s];
        for (uint64_t e = chain->first[s]; e < chain->first[s + 1]; e++) {
            double part = chain->value[e] * x[chain->target[e]];
            in += part;
            size += fabs(part);
        }
        residual[s] = speed * next + (in - out);
        norm += fabs(residual[s]);
        sizes += size + fabs(out) + (speed + 2 * course->exit[s]) * fabs(next);
    }
    course->implicit->sweeps++;
    return (norm + course->rounding * sizes) * SUM_ROUNDING;
}

static double norm_of(const struct course *course, const double *x)
{
    double norm = 0;
    for (uint32_t s = 0; s < course->count; s++)
        norm += fabs(x[s]);
    return norm;
}

/* --- the terms --- */

static bool may_go_on(const struct course *course)
{
    const struct implicit *implicit = course->implicit;
    return implicit->sweeps < implicit->most_sweeps && (!implicit->go_on || implicit->go_on(implicit->user));
}

/* In a step to this root: its share of the time, and of some steps. */
static double allowed_error(const struct course *course, int root)
{
    const struct implicit *implicit = course->implicit;
    return implicit->wanted * (course->roots[root] / (course->speed * implicit->time) + 1.0 / USUAL_STEPS);
}

/* Improves x until what the method thinks is left is no more than allowed. */
static bool improve(struct course *course, double allowed)
{
    bool goes_well = true;
    krylov_begin(&course->krylov);
    for (int i = 0; i < STEPS_OF_A_TRY && goes_well && norm_of(course, course->krylov.residual) > allowed; i++) {
        double least, most;
        if (!may_go_on(course))
            return false;
        goes_well = krylov_step(&course->krylov, &least, &most);
        course->implicit->sweeps += SWEEPS_OF_STEP;
    }
    return true;
}

/* From w(k) to w(k + 1). False: it was stopped. */
static bool find_term(struct course *course, uint32_t k)
{
    struct krylov *krylov = &course->krylov;
    const double *w = course->w[k];
    double *next = course->w[k + 1];
    double allowed = allowed_error(course, USUAL_ROOT) * course->speed / (4 * TERMS * course->areas[USUAL_ROOT][k]);
    memcpy(krylov->x, w, course->count * sizeof *w);
    course->residual[k] = find_residual(course, course->speed, krylov->x, w, krylov->residual);
    for (int i = 0; i < MOST_TRIES && course->residual[k] > allowed; i++) {
        if (!improve(course, allowed / 4))
            return false;
        course->residual[k] = find_residual(course, course->speed, krylov->x, w, krylov->residual);
    }
    for (uint32_t s = 0; s < course->count; s++)
        next[s] = w[s] - krylov->x[s];
    return isfinite(course->residual[k]) && may_go_on(course);
}

static void measure_term(struct course *course, uint32_t k)
{
    const double *w = course->w[k];
    double flow = 0, size = 0;
    for (uint32_t s = 0; s < course->count; s++) {
        flow += course->implicit->exit_rate[s] * fabs(w[s]);
        size += fabs(w[s]);
    }
    course->flow[k] = flow * SUM_ROUNDING;
    course->size[k] = size * SUM_ROUNDING;
}

static bool find_terms(struct course *course)
{
    for (uint32_t k = 0; k < TERMS; k++)
        if (!find_term(course, k))
            return false;
    for (uint32_t k = 0; k <= TERMS; k++)
        measure_term(course, k);
    course->last = find_residual(course, 0, course->w[TERMS], course->w[TERMS], course->krylov.residual);
    return true;
}

/* --- a step --- */

/* By how much the distribution is off after a step to x, all states together. */
static double error_of(const struct course *course, const double *areas)
{
    double sum = areas[TERMS] * course->last;
    for (uint32_t k = 0; k < TERMS; k++)
        sum += areas[k] * course->residual[k];
    return sum / course->speed * SUM_ROUNDING;
}

/* And since the rates are not quite those of the model. |L_k - L_(k-1)| is at most the area of |L_(k-1)|. */
static double error_of_rates(const struct course *course, const double *areas, double length)
{
    double sum = course->flow[0];
    for (uint32_t k = 1; k <= TERMS; k++)
        sum += areas[k - 1] * course->flow[k];
    return 16 * (course->implicit->slack + 0x1p-52) * sum * length;
}

/* Adds all terms with their factors, which are off by 2^-53 of the scale, too. Returns by how much that may be off. */
static double add_terms(const struct course *course, const double *factors, double scale, double *sums)
{
    double size = 0;
    for (uint32_t k = 0; k <= TERMS; k++)
        size += (fabs(factors[k]) + scale) * course->size[k];
    for (uint32_t s = 0; s < course->count; s++) {
        double sum = 0;
        for (uint32_t k = 0; k <= TERMS; k++)
            sum += factors[k] * course->w[k][s];
        sums[s] += sum;
    }
    return size * (2 * TERMS + 8) * 0x1p-53 + size * 0x1p-50;
}

/* To y(t + x / c), which is the next w(0). */
static void take_step(struct course *course, double x, const double *areas)
{
    struct implicit *implicit = course->implicit;
    double rise[TERMS + 2], spent[TERMS + 1], length = x / course->speed;
    laguerre_rises(x, TERMS + 1, rise);
    for (uint32_t k = 0; k <= TERMS; k++)
        spent[k] = ((k ? rise[k] : 0) - rise[k + 1]) / course->speed;
    double added = add_terms(course, spent, 1 / course->speed, implicit->on_the_way);
    memset(implicit->at_end, 0, course->count * sizeof(double));
    implicit->end_error +=
        add_terms(course, rise, 1, implicit->at_end) + error_of(course, areas) + error_of_rates(course, areas, length);
    implicit->way_error += implicit->end_error * length + added + 0x1p-52 * implicit->time;
    memcpy(course->w[0], implicit->at_end, course->count * sizeof(double));
    double gone = length - course->lag, done = course->done + gone;
    course->lag = (done - course->done) - gone;
    course->done = done;
}

/* The last of the roots where the error is not too much for the time that it takes; -1: none. */
static int choose_root(const struct course *course)
{
    for (int i = ROOTS - 1; i >= 0; i--)
        if (error_of(course, course->areas[i]) <= allowed_error(course, i))
            return i;
    return -1;
}

/* So that the usual root will do next time, for a step as long as this one or longer. */
static void adapt_speed(struct course *course, int root)
{
    if (root < USUAL_ROOT)
        set_speed(course, course->speed * (root < 0 ? 3 : fmin(3, course->roots[USUAL_ROOT] / course->roots[root])));
    else if (root > USUAL_ROOT)
        set_speed(course, course->speed * 0.6);
}

/* As far as the terms go, or to the end. */
static void go(struct course *course, int root)
{
    double left = (course->implicit->time - course->done) + course->lag, areas[TERMS + 1];
    if (course->roots[root] / course->speed < left) {
        take_step(course, course->roots[root], course->areas[root]);
        return;
    }
    laguerre_areas(left * course->speed, TERMS, areas);
    take_step(course, left * course->speed, areas);
    course->done = course->implicit->time;
    /* The ends differ by some roundings of the time. */
    course->implicit->end_error += error_of_rates(course, areas, course->implicit->time);
}

static bool run(struct course *course)
{
    int retreats = 0;
    while (course->done < course->implicit->time) {
        if (!find_terms(course))
            return false;
        int root = choose_root(course);
        if (root >= 0)
            go(course, root);
        retreats = root < 0 ? retreats + 1 : 0;
        if (retreats > MOST_RETREATS)
            return false;
        adapt_speed(course, root);
    }
    return true;
}

/* What is below 0 is off by that, at least. What is left out was in the distribution before. */
static void finish(struct course *course)
{
    struct implicit *implicit = course->implicit;
    double sum = 0;
    for (uint32_t s = 0; s < course->count; s++) {
        sum += implicit->at_end[s];
        implicit->at_end[s] = fmax(0, implicit->at_end[s]);
        implicit->on_the_way[s] = fmax(0, implicit->on_the_way[s]);
    }
    double rounding = (double)course->count * 0x1p-52;
    implicit->lost = implicit->active ? fmax(0, 1 - sum) + implicit->end_error + rounding : 0;
}

static void open(struct course *course)
{
    struct implicit *implicit = course->implicit;
    size_t size = (size_t)course->count + 1;
    make_chain(course);
    krylov_create(&course->krylov, &course->chain, NULL);
    for (uint32_t k = 0; k <= TERMS; k++)
        course->w[k] = memory_zeroed(size, sizeof(double));
    course->w[0][implicit->start] = 1;
    implicit->at_end = memory_zeroed(size, sizeof(double));
    implicit->on_the_way = memory_zeroed(size, sizeof(double));
    implicit->at_end[implicit->start] = 1;
    laguerre_roots(TERMS, ROOTS, course->roots);
    for (int i = 0; i < ROOTS; i++)
        laguerre_areas(course->roots[i], TERMS, course->areas[i]);
    set_speed(course, 256 * fmax(course->exit[implicit->start], 1 / implicit->time));
}

static void close(struct course *course)
{
    krylov_free(&course->krylov);
    krylov_chain_free(&course->chain);
    for (uint32_t k = 0; k <= TERMS; k++)
        free(course->w[k]);
    free(course->exit);
    free(course->entry);
}

bool implicit_run(struct implicit *implicit)
{
    struct course course = {.implicit = implicit, .count = matrix_states(implicit->matrix)};
    open(&course);
    bool is_done = run(&course);
    if (is_done)
        finish(&course);
    close(&course);
    return is_done;
}

uint64_t implicit_bytes(const struct matrix *matrix)
{
    enum { VECTORS = TERMS + 1 + 7 + 9 };
    return matrix->entries.count * 12 + (uint64_t)matrix_states(matrix) * VECTORS * sizeof(double);
}
