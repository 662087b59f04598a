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

struct voyage {
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
static void take_own_off(struct voyage *voyage, struct sources *sources)
{
    for (uint32_t s = 0; s < voyage->count; s++)
        for (uint64_t e = sources->first[s]; e < sources->first[s + 1]; e++) {
            if (sources->source[e] == s) {
                voyage->exit[s] = fmax(0, voyage->exit[s] - sources->share[e]);
                sources->share[e] = 0;
            }
            voyage->entry[s] += sources->share[e];
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

static void make_chain(struct voyage *voyage)
{
    const struct implicit *implicit = voyage->implicit;
    size_t size = (size_t)voyage->count + 1;
    uint64_t most = 0;
    voyage->exit = memory_alloc(size * sizeof(double));
    voyage->entry = memory_zeroed(size, sizeof(double));
    memcpy(voyage->exit, implicit->exit_rate, voyage->count * sizeof(double));
    for (uint32_t s = 0; implicit->active && s < voyage->count; s++)
        voyage->exit[s] = implicit->active[s] ? voyage->exit[s] : 0;
    struct sources sources = sources_find(implicit->matrix, voyage->exit, NULL);
    take_own_off(voyage, &sources);
    voyage->chain = (struct krylov_chain){.count = voyage->count,
                                          .first = sources.first,
                                          .middle = memory_zeroed(size, sizeof(uint64_t)),
                                          .target = sources.source,
                                          .value = sources.share,
                                          .rate = memory_zeroed(size, sizeof(double)),
                                          .away = memory_zeroed(size, sizeof(double)),
                                          .leave = memory_zeroed(size, sizeof(double))};
    split_entries(&voyage->chain);
    for (uint32_t s = 0; s < voyage->count; s++) {
        uint64_t length = sources.first[s + 1] - sources.first[s];
        most = length > most ? length : most;
        voyage->chain.rate[s] = 1;
    }
    voyage->rounding = ((double)most + 16) * 0x1p-53;
}

static void set_speed(struct voyage *voyage, double speed)
{
    voyage->speed = speed;
    for (uint32_t s = 0; s < voyage->count; s++) {
        voyage->chain.away[s] = speed + voyage->exit[s];
        voyage->chain.leave[s] = voyage->chain.away[s] - voyage->entry[s];
    }
}

/* residual = c w - (c + A) x = c (w - x) - A x. At least what that is, all states together, whatever the roundings,
 * also that of w - x. */
static double find_residual(struct voyage *voyage, double speed, const double *x, const double *w, double *residual)
{
    const struct krylov_chain *chain = &voyage->chain;
    double norm = 0, sizes = 0;
    for (uint32_t s = 0; s < chain->count; s++) {
        double in = 0, size = 0, next = w[s] - x[s], out = voyage->exit[s] * x[s];
        for (uint64_t e = chain->first[s]; e < chain->first[s + 1]; e++) {
            double part = chain->value[e] * x[chain->target[e]];
            in += part;
            size += fabs(part);
        }
        residual[s] = speed * next + (in - out);
        norm += fabs(residual[s]);
        sizes += size + fabs(out) + (speed + 2 * voyage->exit[s]) * fabs(next);
    }
    voyage->implicit->sweeps++;
    return (norm + voyage->rounding * sizes) * SUM_ROUNDING;
}

static double norm_of(const struct voyage *voyage, const double *x)
{
    double norm = 0;
    for (uint32_t s = 0; s < voyage->count; s++)
        norm += fabs(x[s]);
    return norm;
}

/* --- the terms --- */

static bool may_go_on(const struct voyage *voyage)
{
    const struct implicit *implicit = voyage->implicit;
    return implicit->sweeps < implicit->most_sweeps && (!implicit->go_on || implicit->go_on(implicit->user));
}

/* In a step to this root: its share of the time, and of some steps. */
static double allowed_error(const struct voyage *voyage, int root)
{
    const struct implicit *implicit = voyage->implicit;
    return implicit->wanted * (voyage->roots[root] / (voyage->speed * implicit->time) + 1.0 / USUAL_STEPS);
}

/* Improves x until what the method thinks is left is no more than allowed. */
static bool improve(struct voyage *voyage, double allowed)
{
    bool goes_well = true;
    krylov_begin(&voyage->krylov);
    for (int i = 0; i < STEPS_OF_A_TRY && goes_well && norm_of(voyage, voyage->krylov.residual) > allowed; i++) {
        double least, most;
        if (!may_go_on(voyage))
            return false;
        goes_well = krylov_step(&voyage->krylov, &least, &most);
        voyage->implicit->sweeps += SWEEPS_OF_STEP;
    }
    return true;
}

/* From w(k) to w(k + 1). False: it was stopped. */
static bool find_term(struct voyage *voyage, uint32_t k)
{
    struct krylov *krylov = &voyage->krylov;
    const double *w = voyage->w[k];
    double *next = voyage->w[k + 1];
    double allowed = allowed_error(voyage, USUAL_ROOT) * voyage->speed / (4 * TERMS * voyage->areas[USUAL_ROOT][k]);
    memcpy(krylov->x, w, voyage->count * sizeof *w);
    voyage->residual[k] = find_residual(voyage, voyage->speed, krylov->x, w, krylov->residual);
    for (int i = 0; i < MOST_TRIES && voyage->residual[k] > allowed; i++) {
        if (!improve(voyage, allowed / 4))
            return false;
        voyage->residual[k] = find_residual(voyage, voyage->speed, krylov->x, w, krylov->residual);
    }
    for (uint32_t s = 0; s < voyage->count; s++)
        next[s] = w[s] - krylov->x[s];
    return isfinite(voyage->residual[k]) && may_go_on(voyage);
}

static void measure_term(struct voyage *voyage, uint32_t k)
{
    const double *w = voyage->w[k];
    double flow = 0, size = 0;
    for (uint32_t s = 0; s < voyage->count; s++) {
        flow += voyage->implicit->exit_rate[s] * fabs(w[s]);
        size += fabs(w[s]);
    }
    voyage->flow[k] = flow * SUM_ROUNDING;
    voyage->size[k] = size * SUM_ROUNDING;
}

static bool find_terms(struct voyage *voyage)
{
    for (uint32_t k = 0; k < TERMS; k++)
        if (!find_term(voyage, k))
            return false;
    for (uint32_t k = 0; k <= TERMS; k++)
        measure_term(voyage, k);
    voyage->last = find_residual(voyage, 0, voyage->w[TERMS], voyage->w[TERMS], voyage->krylov.residual);
    return true;
}

/* --- a step --- */

/* By how much the distribution is off after a step to x, all states together. */
static double error_of(const struct voyage *voyage, const double *areas)
{
    double sum = areas[TERMS] * voyage->last;
    for (uint32_t k = 0; k < TERMS; k++)
        sum += areas[k] * voyage->residual[k];
    return sum / voyage->speed * SUM_ROUNDING;
}

/* And since the rates are rounded. |L_k - L_(k-1)| is at most the area of |L_(k-1)|. */
static double error_of_rates(const struct voyage *voyage, const double *areas, double length)
{
    double sum = voyage->flow[0];
    for (uint32_t k = 1; k <= TERMS; k++)
        sum += areas[k - 1] * voyage->flow[k];
    return 16 * 0x1p-52 * sum * length;
}

/* Adds all terms with their factors, which are off by 2^-53 of the scale, too. Returns by how much that may be off. */
static double add_terms(const struct voyage *voyage, const double *factors, double scale, double *sums)
{
    double size = 0;
    for (uint32_t k = 0; k <= TERMS; k++)
        size += (fabs(factors[k]) + scale) * voyage->size[k];
    for (uint32_t s = 0; s < voyage->count; s++) {
        double sum = 0;
        for (uint32_t k = 0; k <= TERMS; k++)
            sum += factors[k] * voyage->w[k][s];
        sums[s] += sum;
    }
    return size * (2 * TERMS + 8) * 0x1p-53 + size * 0x1p-49;
}

/* To y(t + x / c), which is the next w(0). */
static void take_step(struct voyage *voyage, double x, const double *areas)
{
    struct implicit *implicit = voyage->implicit;
    double rise[TERMS + 2], spent[TERMS + 1], length = x / voyage->speed;
    laguerre_rises(x, TERMS + 1, rise);
    for (uint32_t k = 0; k <= TERMS; k++)
        spent[k] = ((k ? rise[k] : 0) - rise[k + 1]) / voyage->speed;
    double added = add_terms(voyage, spent, 1 / voyage->speed, implicit->on_the_way);
    memset(implicit->at_end, 0, voyage->count * sizeof(double));
    implicit->end_error +=
        add_terms(voyage, rise, 1, implicit->at_end) + error_of(voyage, areas) + error_of_rates(voyage, areas, length);
    implicit->way_error += implicit->end_error * length + added + 0x1p-52 * implicit->time;
    implicit->way_rounding += added + 0x1p-52 * implicit->time;
    memcpy(voyage->w[0], implicit->at_end, voyage->count * sizeof(double));
    double gone = length - voyage->lag, done = voyage->done + gone;
    voyage->lag = (done - voyage->done) - gone;
    voyage->done = done;
}

/* The last of the roots where the error is not too much for the time that it takes; -1: none. */
static int choose_root(const struct voyage *voyage)
{
    for (int i = ROOTS - 1; i >= 0; i--)
        if (error_of(voyage, voyage->areas[i]) <= allowed_error(voyage, i))
            return i;
    return -1;
}

/* So that the usual root will do next time, for a step as long as this one or longer. */
static void adapt_speed(struct voyage *voyage, int root)
{
    if (root < USUAL_ROOT)
        set_speed(voyage, voyage->speed * (root < 0 ? 3 : fmin(3, voyage->roots[USUAL_ROOT] / voyage->roots[root])));
    else if (root > USUAL_ROOT)
        set_speed(voyage, voyage->speed * 0.6);
}

/* As far as the terms go, or to the end. */
static void go(struct voyage *voyage, int root)
{
    double left = (voyage->implicit->time - voyage->done) + voyage->lag, areas[TERMS + 1];
    if (voyage->roots[root] / voyage->speed < left) {
        take_step(voyage, voyage->roots[root], voyage->areas[root]);
        return;
    }
    laguerre_areas(left * voyage->speed, TERMS, areas);
    take_step(voyage, left * voyage->speed, areas);
    voyage->done = voyage->implicit->time;
    /* The ends differ by some roundings of the time. */
    voyage->implicit->end_error += error_of_rates(voyage, areas, voyage->implicit->time);
}

static bool run(struct voyage *voyage)
{
    int retreats = 0;
    while (voyage->done < voyage->implicit->time) {
        if (!find_terms(voyage))
            return false;
        int root = choose_root(voyage);
        if (root >= 0)
            go(voyage, root);
        retreats = root < 0 ? retreats + 1 : 0;
        if (retreats > MOST_RETREATS)
            return false;
        adapt_speed(voyage, root);
    }
    return true;
}

/* What is below 0 is off by that, at least. */
static void finish(struct voyage *voyage)
{
    struct implicit *implicit = voyage->implicit;
    for (uint32_t s = 0; s < voyage->count; s++) {
        implicit->at_end[s] = fmax(0, implicit->at_end[s]);
        implicit->on_the_way[s] = fmax(0, implicit->on_the_way[s]);
    }
}

static void open(struct voyage *voyage)
{
    struct implicit *implicit = voyage->implicit;
    size_t size = (size_t)voyage->count + 1;
    make_chain(voyage);
    krylov_create(&voyage->krylov, &voyage->chain, NULL);
    for (uint32_t k = 0; k <= TERMS; k++)
        voyage->w[k] = memory_zeroed(size, sizeof(double));
    voyage->w[0][implicit->start] = 1;
    implicit->at_end = memory_zeroed(size, sizeof(double));
    implicit->on_the_way = memory_zeroed(size, sizeof(double));
    implicit->at_end[implicit->start] = 1;
    laguerre_roots(TERMS, ROOTS, voyage->roots);
    for (int i = 0; i < ROOTS; i++)
        laguerre_areas(voyage->roots[i], TERMS, voyage->areas[i]);
    set_speed(voyage, 256 * fmax(voyage->exit[implicit->start], 1 / implicit->time));
}

static void close(struct voyage *voyage)
{
    krylov_free(&voyage->krylov);
    krylov_chain_free(&voyage->chain);
    for (uint32_t k = 0; k <= TERMS; k++)
        free(voyage->w[k]);
    free(voyage->exit);
    free(voyage->entry);
}

bool implicit_run(struct implicit *implicit)
{
    struct voyage voyage = {.implicit = implicit, .count = matrix_states(implicit->matrix)};
    open(&voyage);
    bool is_done = run(&voyage);
    if (is_done)
        finish(&voyage);
    close(&voyage);
    return is_done;
}

uint64_t implicit_bytes(const struct matrix *matrix)
{
    enum { VECTORS = TERMS + 1 + 7 + 9 };
    return matrix->entries.count * 12 + (uint64_t)matrix_states(matrix) * VECTORS * sizeof(double);
}
