#include "numeric/sweep.h"

#include <math.h>
#include <stdatomic.h>

#include "base/rounding.h"
#include "base/team.h"
#include "numeric/share.h"

enum { LARGE = 1 << 17, PARTS = 16 };

bool sweep_is_large(uint32_t count)
{
    return count >= LARGE;
}

double sweep_value_of_staying(const struct fixpoint *problem, uint32_t row)
{
    bool is_free = !problem->row_reward || problem->row_reward[row] == 0;
    bool must_reach = problem->row_reward && problem->extreme == EXTREME_LEAST;
    return is_free && !must_reach ? 0 : INFINITY;
}

/* Where the values of states are: of those from `first` on, `span` of them, in `own`. */
struct sweep_view {
    const double *all, *own;
    uint32_t first, span;
};

static inline double view_at(const struct sweep_view *view, uint32_t state)
{
    return (state - view->first < view->span ? view->own : view->all)[state];
}

static double row_value(const struct fixpoint *problem, uint32_t row, const struct sweep_view *view)
{
    const struct matrix *matrix = problem->matrix;
    double sum = problem->row_reward ? problem->row_reward[row] : 0;
    for (uint64_t i = matrix->row_entry.items[row]; i < matrix->row_entry.items[row + 1]; i++)
        sum += matrix->entries.items[i].value * view_at(view, matrix->entries.items[i].target);
    return sum;
}

/* rest / (1 - own): what leads elsewhere is added up with the other sign, and so rounded the other way. */
static double solved_row_value(const struct fixpoint *problem, uint32_t row, uint32_t state,
                               const struct sweep_view *view)
{
    const struct matrix *matrix = problem->matrix;
    double sum = problem->row_reward ? problem->row_reward[row] : 0, minus_away = 0;
    bool is_own = false;
    for (uint64_t i = matrix->row_entry.items[row]; i < matrix->row_entry.items[row + 1]; i++) {
        uint32_t target = matrix->entries.items[i].target;
        if (target == state) {
            is_own = true;
            continue;
        }
        sum += matrix->entries.items[i].value * view_at(view, target);
        minus_away = rounding_hide(minus_away - matrix->entries.items[i].value);
    }
    if (!is_own || sum == 0)
        return is_own && minus_away == 0 ? sweep_value_of_staying(problem, row) : sum;
    return minus_away == 0 ? sweep_value_of_staying(problem, row) : sum / rounding_hide(-minus_away);
}

static double state_value(const struct sweep *sweep, uint32_t state, const struct sweep_view *view)
{
    const struct fixpoint *problem = sweep->problem;
    const struct matrix *matrix = problem->matrix;
    double best = 0;
    for (uint32_t first = matrix->state_row.items[state], row = first; row < matrix->state_row.items[state + 1];
         row++) {
        double value = sweep->is_solved ? solved_row_value(problem, row, state, view) : row_value(problem, row, view);
        if (row == first || sweep_is_better(problem, value, best))
            best = value;
    }
    best *= sweep->scale;
    return best < problem->limit ? best : problem->limit;
}

/* What a sweep may do (values may also fall), and what it has met. */
struct sweep_change {
    bool may_fall, has_grown;
    double growth; /* the greatest, relative */
};

static inline void change_value(const struct sweep *sweep, uint32_t state, const struct sweep_view *view,
                                struct sweep_change *change, double *x)
{
    double old = x[state], value = state_value(sweep, state, view);
    if (value > old) {
        double relative = isfinite(value) ? (value - old) / value : 1;
        change->growth = relative > change->growth ? relative : change->growth;
        change->has_grown = true;
    } else if (!change->may_fall) {
        return;
    }
    x[state] = value;
}

/* From the last to the first: most states were found before what follows them. */
static void change_range(const struct sweep *sweep, uint32_t from, uint32_t to, const struct sweep_view *view,
                         struct sweep_change *change, double *x)
{
    for (uint32_t i = to; i-- > from;)
        change_value(sweep, sweep->states[i], view, change, x);
}

struct changing {
    const struct sweep *sweep;
    const double *x;
    enum rounding mode;
    struct sweep_change changes[PARTS];
};

static void change_part(void *user, uint32_t part)
{
    struct changing *changing = user;
    const struct sweep *sweep = changing->sweep;
    uint32_t from = (uint32_t)((uint64_t)sweep->count * part / PARTS);
    uint32_t to = (uint32_t)((uint64_t)sweep->count * (part + 1) / PARTS);
    uint32_t first = sweep->states[from];
    struct sweep_view view = {changing->x, sweep->next, first, sweep->states[to - 1] - first + 1};
    rounding_set(changing->mode); /* of this thread */
    ROUNDED(change_range)(sweep, from, to, &view, &changing->changes[part], sweep->next);
}

static void change_small(const struct sweep *sweep, struct sweep_change *change, double *x)
{
    struct sweep_view view = {.all = x};
    for (uint32_t i = 0; i < sweep->count; i++) /* a component comes in an order in which what follows comes first */
        change_value(sweep, sweep->states[i], &view, change, x);
}

static struct sweep_change change_all(const struct sweep *sweep, bool may_fall, double *x)
{
    struct changing changing = {.sweep = sweep, .x = x, .mode = rounding_mode()};
    struct sweep_change whole = {.may_fall = may_fall};
    if (!sweep_is_large(sweep->count)) {
        ROUNDED(change_small)(sweep, &whole, x);
        return whole;
    }
    for (uint32_t part = 0; part < PARTS; part++)
        changing.changes[part] = whole;
    team_run(sweep->problem->threads, PARTS, change_part, &changing);
    for (uint32_t part = 0; part < PARTS; part++) {
        whole.growth = fmax(whole.growth, changing.changes[part].growth);
        whole.has_grown |= changing.changes[part].has_grown;
    }
    sweep_copy(sweep, x);
    return whole;
}

double sweep_up(const struct sweep *sweep, double *x)
{
    return change_all(sweep, false, x).growth;
}

bool sweep_over(const struct sweep *sweep, double *x)
{
    return !change_all(sweep, true, x).has_grown;
}

/* --- all at once --- */

struct sweep_stepping {
    const struct sweep *sweep;
    const double *x;
    double *to; /* for copying */
    atomic_bool is_noticed;
};

static void step_range(void *user, uint32_t from, uint32_t to)
{
    struct sweep_stepping *stepping = user;
    const struct sweep *sweep = stepping->sweep;
    struct sweep_view view = {.all = stepping->x};
    bool is_above = false;
    for (uint32_t i = from; i < to; i++) {
        uint32_t state = sweep->states[i];
        sweep->next[state] = state_value(sweep, state, &view);
        is_above |= !(sweep->next[state] <= stepping->x[state]);
    }
    if (is_above)
        atomic_store(&stepping->is_noticed, true);
}

bool sweep_step(const struct sweep *sweep, const double *x)
{
    struct sweep_stepping stepping = {.sweep = sweep, .x = x};
    share_run(sweep->problem->threads, sweep->count, step_range, &stepping);
    return !atomic_load(&stepping.is_noticed);
}

static void copy_range(void *user, uint32_t from, uint32_t to)
{
    struct sweep_stepping *stepping = user;
    const struct sweep *sweep = stepping->sweep;
    bool is_changed = false;
    for (uint32_t i = from; i < to; i++) {
        uint32_t state = sweep->states[i];
        is_changed |= stepping->to[state] != sweep->next[state];
        stepping->to[state] = sweep->next[state];
    }
    if (is_changed)
        atomic_store(&stepping->is_noticed, true);
}

bool sweep_copy(const struct sweep *sweep, double *x)
{
    struct sweep_stepping stepping = {.sweep = sweep, .to = x};
    share_run(sweep->problem->threads, sweep->count, copy_range, &stepping);
    return atomic_load(&stepping.is_noticed);
}
