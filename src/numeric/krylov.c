#include "numeric/krylov.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "numeric/factor.h"
#include "numeric/reverse.h"

/* --- the component --- */

struct krylov_numbering krylov_number_as_found(const struct matrix *matrix, const uint32_t *states, uint32_t count)
{
    uint32_t all = matrix_states(matrix), next = 0;
    struct krylov_numbering numbering = {memory_zeroed((size_t)all + 1, sizeof(uint32_t)),
                                         memory_zeroed((size_t)count + 1, sizeof(uint32_t)), count};
    for (uint32_t i = 0; i < count; i++)
        numbering.number[states[i]] = 1;
    for (uint32_t s = 0; s < all; s++)
        if (numbering.number[s]) {
            numbering.state[next] = s;
            numbering.number[s] = ++next;
        }
    return numbering;
}

void krylov_number_towards(const struct matrix *matrix, struct krylov_numbering *numbering, uint32_t state)
{
    struct reverse *reverse = reverse_create(matrix);
    uint32_t count = numbering->count, left = count;
    for (uint32_t i = 0; i < count; i++)
        numbering->number[numbering->state[i]] = UINT32_MAX; /* not reached yet */
    numbering->state[--left] = state;
    numbering->number[state] = count;
    for (uint32_t i = count; i-- > left;) {
        uint32_t near = numbering->state[i];
        for (uint64_t r = reverse->first[near]; r < reverse->first[near + 1]; r++) {
            uint32_t source = reverse->row_state[reverse->rows[r]];
            if (numbering->number[source] == UINT32_MAX) {
                numbering->number[source] = left;
                numbering->state[--left] = source;
            }
        }
    }
    reverse_destroy(reverse);
}

void krylov_numbering_free(struct krylov_numbering *numbering)
{
    free(numbering->number);
    free(numbering->state);
}

/* The entries of a row to numbers on one side of its own. */
static void take_entries(struct krylov_chain *chain, const struct matrix *matrix, uint32_t row, const uint32_t *number,
                         uint32_t own, bool is_larger, uint64_t *next)
{
    for (uint64_t e = matrix->row_entry.items[row]; e < matrix->row_entry.items[row + 1]; e++) {
        uint32_t place = number[matrix->entries.items[e].target], target = place - 1;
        if (!place || (is_larger ? target <= own : target >= own))
            continue;
        chain->target[*next] = target;
        chain->value[(*next)++] = matrix->entries.items[e].value;
        chain->away[own] += matrix->entries.items[e].value;
    }
}

static double leave_of(const struct matrix *matrix, uint32_t row, const uint32_t *number)
{
    double sum = 0;
    for (uint64_t e = matrix->row_entry.items[row]; e < matrix->row_entry.items[row + 1]; e++)
        sum += number[matrix->entries.items[e].target] ? 0 : matrix->entries.items[e].value;
    return sum;
}

static void take_chain(struct krylov_chain *chain, const struct matrix *matrix, const double *row_rate,
                       const struct krylov_numbering *numbering)
{
    uint64_t next = 0;
    for (uint32_t own = 0; own < chain->count; own++) {
        uint32_t row = matrix->state_row.items[numbering->state[own]];
        chain->first[own] = next;
        take_entries(chain, matrix, row, numbering->number, own, false, &next);
        chain->middle[own] = next;
        take_entries(chain, matrix, row, numbering->number, own, true, &next);
        chain->rate[own] = row_rate ? row_rate[row] : 1;
        chain->leave[own] = leave_of(matrix, row, numbering->number);
        chain->away[own] += chain->leave[own];
    }
    chain->first[chain->count] = next;
}

static uint64_t count_entries(const struct matrix *matrix, const struct krylov_numbering *numbering)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < numbering->count; i++) {
        uint32_t row = matrix->state_row.items[numbering->state[i]];
        sum += matrix->row_entry.items[row + 1] - matrix->row_entry.items[row];
    }
    return sum;
}

struct krylov_chain krylov_chain_create(const struct matrix *matrix, const double *row_rate,
                                        const struct krylov_numbering *numbering)
{
    uint64_t entries = count_entries(matrix, numbering);
    size_t size = (size_t)numbering->count + 1;
    struct krylov_chain chain = {.count = numbering->count,
                                 .first = memory_zeroed(size, sizeof(uint64_t)),
                                 .middle = memory_zeroed(size, sizeof(uint64_t)),
                                 .target = memory_zeroed(entries + 1, sizeof(uint32_t)),
                                 .value = memory_zeroed(entries + 1, sizeof(double)),
                                 .rate = memory_zeroed(size, sizeof(double)),
                                 .away = memory_zeroed(size, sizeof(double)),
                                 .leave = memory_zeroed(size, sizeof(double))};
    take_chain(&chain, matrix, row_rate, numbering);
    return chain;
}

void krylov_chain_free(struct krylov_chain *chain)
{
    free(chain->first);
    free(chain->middle);
    free(chain->target);
    free(chain->value);
    free(chain->rate);
    free(chain->away);
    free(chain->leave);
}

/* --- the method --- */

void krylov_create(struct krylov *krylov, const struct krylov_chain *chain, const double *share)
{
    *krylov = (struct krylov){.chain = chain, .share = share};
    double **const vectors[] = {&krylov->x,      &krylov->residual, &krylov->shadow, &krylov->direction,
                                &krylov->effect, &krylov->smooth,   &krylov->other};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        *vectors[i] = memory_zeroed((size_t)chain->count + 1, sizeof(double));
}

void krylov_free(struct krylov *krylov)
{
    free(krylov->x);
    free(krylov->residual);
    free(krylov->shadow);
    free(krylov->direction);
    free(krylov->effect);
    free(krylov->smooth);
    free(krylov->other);
}

double krylov_product(const struct krylov *krylov, const double *a, const double *b)
{
    double sum = 0;
    for (uint32_t i = 0; i < krylov->chain->count; i++)
        sum += a[i] * b[i];
    return sum;
}

void krylov_take_mean_off(const struct krylov *krylov, double *x)
{
    double mean = krylov->share ? krylov_product(krylov, krylov->share, x) : 0;
    for (uint32_t i = 0; i < krylov->chain->count && krylov->share; i++)
        x[i] -= mean;
}

void krylov_apply(const struct krylov *krylov, const double *x, double *out)
{
    const struct krylov_chain *chain = krylov->chain;
    for (uint32_t i = 0; i < chain->count; i++) {
        double own = x[i], value = chain->leave[i] * own;
        for (uint64_t e = chain->first[i]; e < chain->first[i + 1]; e++)
            value += chain->value[e] * (own - x[chain->target[e]]);
        out[i] = chain->rate[i] * value;
    }
    krylov_take_mean_off(krylov, out);
}

/* A sweep forwards, solving for the states before, and one back. */
void krylov_smooth(const struct krylov_chain *chain, const double *x, double *out)
{
    for (uint32_t i = 0; i < chain->count; i++) {
        double value = x[i] / chain->rate[i];
        for (uint64_t e = chain->first[i]; e < chain->middle[i]; e++)
            value += chain->value[e] * out[chain->target[e]];
        out[i] = value / chain->away[i];
    }
    for (uint32_t i = chain->count; i-- > 0;) {
        double value = 0;
        for (uint64_t e = chain->middle[i]; e < chain->first[i + 1]; e++)
            value += chain->value[e] * out[chain->target[e]];
        out[i] += value / chain->away[i];
    }
}

static void precondition(const struct krylov *krylov, const double *x, double *out)
{
    if (!krylov->factor) {
        krylov_smooth(krylov->chain, x, out);
        return;
    }
    for (uint32_t i = 0; i < krylov->chain->count; i++)
        out[i] = x[i] / krylov->chain->rate[i];
    factor_solve(krylov->factor, out);
}

void krylov_begin(struct krylov *krylov)
{
    for (uint32_t i = 0; i < krylov->chain->count; i++) {
        krylov->shadow[i] = krylov->residual[i];
        krylov->direction[i] = krylov->effect[i] = 0;
    }
    krylov->rho = krylov->alpha = krylov->omega = 1;
}

static void turn_direction(struct krylov *krylov, double beta)
{
    for (uint32_t i = 0; i < krylov->chain->count; i++)
        krylov->direction[i] = krylov->residual[i] + beta * (krylov->direction[i] - krylov->omega * krylov->effect[i]);
}

/* x += length * step, residual -= length * what the step does. */
static void go(struct krylov *krylov, double length, const double *step, const double *effect, double *least,
               double *most)
{
    *least = INFINITY;
    *most = -INFINITY;
    for (uint32_t i = 0; i < krylov->chain->count; i++) {
        krylov->x[i] += length * step[i];
        double residual = krylov->residual[i] -= length * effect[i];
        *least = residual < *least ? residual : *least;
        *most = residual > *most ? residual : *most;
    }
}

bool krylov_step(struct krylov *krylov, double *least, double *most)
{
    double rho = krylov_product(krylov, krylov->shadow, krylov->residual);
    turn_direction(krylov, rho / krylov->rho * (krylov->alpha / krylov->omega));
    precondition(krylov, krylov->direction, krylov->smooth);
    krylov_apply(krylov, krylov->smooth, krylov->effect);
    krylov->rho = rho;
    krylov->alpha = rho / krylov_product(krylov, krylov->shadow, krylov->effect);
    if (!isfinite(krylov->alpha) || krylov->alpha == 0)
        return false;
    go(krylov, krylov->alpha, krylov->smooth, krylov->effect, least, most);
    precondition(krylov, krylov->residual, krylov->smooth);
    krylov_apply(krylov, krylov->smooth, krylov->other);
    krylov->omega =
        krylov_product(krylov, krylov->other, krylov->residual) / krylov_product(krylov, krylov->other, krylov->other);
    if (!isfinite(krylov->omega) || krylov->omega == 0)
        return false;
    go(krylov, krylov->omega, krylov->smooth, krylov->other, least, most);
    return true;
}
