#include "numeric/inductive.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/rounding.h"
#include "numeric/ends.h"

enum { MOST_SWEEPS = 1 << 20, WORK_BETWEEN_QUESTIONS = 1 << 18 };
/* A finite value for states from which the goal is never reached, where the true one is infinite. */
static const double FAR = 0x1p80;

struct inductive_search {
    const struct inductive *problem;
    struct inductive_vectors *vectors;
    uint32_t count;
    uint8_t *one;      /* probability: it is 1; reward: the goal is reached for certain */
    uint8_t *moves;    /* by state: the bounds are not known at once */
    struct ends *ends; /* of a decision process: where it is best to wait for ever, for nothing; NULL: nowhere */
    double *exits;     /* by end component: the best that leaves it */
    double low, high;  /* allow for the slack */
    uint64_t work;     /* since go_on was asked */
};

/* After a sweep over the whole matrix. To ask costs a system call. */
static bool may_go_on(struct inductive_search *search)
{
    search->work += search->problem->matrix->entries.count;
    if (search->work < WORK_BETWEEN_QUESTIONS)
        return true;
    search->work = 0;
    return search->problem->go_on(search->problem->user);
}

/* In the rounding mode that is set. */
static double value_of_row(const struct inductive *problem, uint32_t row, const double *x, double scale)
{
    const struct matrix *matrix = problem->matrix;
    double sum = problem->row_reward ? problem->row_reward[row] : 0;
    for (uint64_t e = matrix->row_entry.items[row]; e < matrix->row_entry.items[row + 1]; e++)
        sum += matrix->entries.items[e].value * x[matrix->entries.items[e].target];
    return sum * scale;
}

static double value_of_state(const struct inductive *problem, uint32_t state, const double *x, double scale)
{
    const uint32_t *rows = problem->matrix->state_row.items;
    double best = value_of_row(problem, rows[state], x, scale);
    for (uint32_t r = rows[state] + 1; r < rows[state + 1]; r++) {
        double value = value_of_row(problem, r, x, scale);
        if (problem->extreme == EXTREME_LEAST ? value < best : value > best)
            best = value;
    }
    return best;
}

/* --- sweeps --- */

/* Most states were found before what follows them. */
static bool sweep_lower(const struct inductive_search *search)
{
    double *x = search->vectors->lower;
    bool is_changed = false;
    for (uint32_t s = search->count; s-- > 0;) {
        double value = search->moves[s] ? value_of_state(search->problem, s, x, search->low) : 0;
        if (value > x[s] && value < FAR) {
            x[s] = value;
            is_changed = true;
        }
    }
    return is_changed;
}

static bool sweep_upper(const struct inductive_search *search)
{
    double *x = search->vectors->upper;
    bool is_changed = false;
    for (uint32_t s = search->count; s-- > 0;) {
        double value = search->moves[s] ? value_of_state(search->problem, s, x, search->high) : INFINITY;
        if (value < x[s]) {
            x[s] = value;
            is_changed = true;
        }
    }
    return is_changed;
}

/* In an end component no probability is more than the greatest that leaves it, and no reward less than the least, if it
 * costs nothing to stay: rows that stay give means of what is no more, or no less, than that. */
static bool leave_ends(const struct inductive_search *search)
{
    const struct inductive *problem = search->problem;
    const uint32_t *rows = problem->matrix->state_row.items;
    bool is_reward = problem->row_reward != NULL, is_changed = false;
    double *x = is_reward ? search->vectors->lower : search->vectors->upper;
    for (uint32_t e = 0; e < search->ends->count; e++)
        search->exits[e] = is_reward ? FAR : 0;
    for (uint32_t s = 0; s < search->count; s++)
        for (uint32_t r = rows[s]; search->ends->of[s] != ENDS_NONE && r < rows[s + 1]; r++) {
            double *exit = &search->exits[search->ends->of[s]], value = *exit;
            if (!search->ends->is_kept[r])
                value = value_of_row(problem, r, x, is_reward ? search->low : search->high);
            *exit = (is_reward ? value < *exit : value > *exit) ? value : *exit;
        }
    for (uint32_t s = 0; s < search->count; s++) {
        double exit = search->ends->of[s] == ENDS_NONE ? x[s] : search->exits[search->ends->of[s]];
        if (is_reward ? exit > x[s] : exit < x[s]) {
            x[s] = exit;
            is_changed = true;
        }
    }
    return is_changed;
}

static bool iterate(struct inductive_search *search)
{
    const struct inductive *problem = search->problem;
    bool is_changed = true;
    for (uint32_t n = 0; is_changed && n < MOST_SWEEPS && !problem->is_enough(problem->user, search->vectors); n++) {
        if (!may_go_on(search))
            return false;
        rounding_set(ROUNDING_DOWN);
        is_changed = ROUNDED(sweep_lower)(search);
        if (search->ends && problem->row_reward)
            is_changed |= ROUNDED(leave_ends)(search);
        rounding_set(ROUNDING_UP);
        is_changed |= ROUNDED(sweep_upper)(search);
        if (search->ends && !problem->row_reward)
            is_changed |= ROUNDED(leave_ends)(search);
        rounding_set(ROUNDING_NEAREST);
    }
    return true;
}

/* --- ranks --- */

/* Does the row confirm the bound that has a rank? */
static bool confirms(const struct inductive_search *search, uint32_t state, uint32_t row)
{
    const struct inductive *problem = search->problem;
    const struct inductive_vectors *vectors = search->vectors;
    const struct matrix *matrix = problem->matrix;
    if (problem->row_reward)
        return value_of_row(problem, row, vectors->upper, search->high) <= vectors->upper[state];
    if (!search->one[state])
        return value_of_row(problem, row, vectors->lower, search->low) >= vectors->lower[state];
    for (uint64_t e = matrix->row_entry.items[row]; e < matrix->row_entry.items[row + 1]; e++)
        if (!search->one[matrix->entries.items[e].target])
            return false;
    return true;
}

static bool needs_rank(const struct inductive_search *search, uint32_t state)
{
    return search->problem->live[state] &&
           (search->problem->row_reward ? isfinite(search->vectors->upper[state]) : search->vectors->lower[state] > 0);
}

/* Breadth first from the goal. */
static void find_ranks(const struct inductive_search *search)
{
    const struct inductive *problem = search->problem;
    const struct reverse *reverse = problem->reverse;
    bool needs_all = (problem->extreme == EXTREME_GREATEST) == (problem->row_reward != NULL);
    uint8_t *is_met = memory_zeroed((size_t)matrix_rows(problem->matrix) + 1, 1);
    uint32_t *left = memory_zeroed((size_t)search->count + 1, sizeof *left);
    uint32_t *queue = memory_alloc(((size_t)search->count + 1) * sizeof *queue), end = 0;
    uint64_t *rank = search->vectors->rank;
    for (uint32_t s = 0; s < search->count; s++) {
        rank[s] = problem->goal[s] ? 0 : UINT64_MAX;
        left[s] = needs_all ? problem->matrix->state_row.items[s + 1] - problem->matrix->state_row.items[s] : 1;
        if (problem->goal[s])
            queue[end++] = s;
    }
    for (uint32_t next = 0; next < end; next++)
        for (uint64_t i = reverse->first[queue[next]]; i < reverse->first[queue[next] + 1]; i++) {
            uint32_t row = reverse->rows[i], state = reverse->row_state[row];
            if (is_met[row] || rank[state] != UINT64_MAX || !needs_rank(search, state) ||
                (!needs_all && !confirms(search, state, row)))
                continue;
            is_met[row] = 1;
            if (--left[state])
                continue;
            rank[state] = rank[queue[next]] + 1;
            queue[end++] = state;
        }
    free(is_met);
    free(left);
    free(queue);
}

/* --- where it begins --- */

static bool find_ends(struct inductive_search *search, const uint8_t *allowed)
{
    const struct inductive *problem = search->problem;
    if (matrix_rows(problem->matrix) == search->count)
        return true;
    search->ends = ends_create(problem->matrix, search->moves, allowed, problem->go_on, problem->user);
    search->exits = memory_zeroed(search->ends ? (size_t)search->ends->count + 1 : 1, sizeof *search->exits);
    return search->ends != NULL;
}

static bool begin_probability(struct inductive_search *search)
{
    const struct inductive *problem = search->problem;
    uint8_t *zero = memory_zeroed((size_t)search->count + 1, 1);
    reverse_chance_zero(problem->reverse, problem->live, problem->goal, problem->extreme, zero);
    reverse_chance_one(problem->reverse, problem->live, problem->goal, problem->extreme, search->one);
    for (uint32_t s = 0; s < search->count; s++) {
        search->vectors->lower[s] = search->one[s];
        search->vectors->upper[s] = !zero[s];
        search->moves[s] = !zero[s] && !search->one[s];
    }
    free(zero);
    return problem->extreme == EXTREME_LEAST || find_ends(search, NULL);
}

/* By the states that are certain to reach the goal: a row that does, and comes nearer to it with some probability. */
static uint32_t *find_way(const struct inductive_search *search)
{
    struct inductive_search way = *search;
    uint32_t *rows = memory_alloc(((size_t)search->count + 1) * sizeof *rows);
    const uint32_t *first = search->problem->matrix->state_row.items;
    struct inductive probability = *search->problem;
    probability.row_reward = NULL;
    probability.extreme = EXTREME_GREATEST;
    way.problem = &probability;
    way.vectors = &(struct inductive_vectors){search->vectors->upper, search->vectors->upper, search->vectors->rank};
    for (uint32_t s = 0; s < search->count; s++)
        search->vectors->upper[s] = search->one[s];
    find_ranks(&way);
    for (uint32_t s = 0; s < search->count; s++) {
        rows[s] = UINT32_MAX;
        for (uint32_t r = first[s]; search->one[s] && r < first[s + 1] && rows[s] == UINT32_MAX; r++) {
            bool is_nearer = false;
            for (uint64_t e = probability.matrix->row_entry.items[r]; e < probability.matrix->row_entry.items[r + 1];
                 e++)
                is_nearer |= way.vectors->rank[probability.matrix->entries.items[e].target] < way.vectors->rank[s];
            rows[s] = is_nearer && confirms(&way, s, r) ? r : UINT32_MAX;
        }
    }
    return rows;
}

/* 1 + what follows, by these rows (NULL: by all, at worst). Returns by how much the steps to the goal grow. */
static double sweep_steps(const struct inductive_search *search, const uint32_t *rows, double *steps)
{
    struct inductive plain = *search->problem;
    double most = 0;
    plain.row_reward = NULL;
    for (uint32_t s = search->count; s-- > 0;) {
        if (!search->one[s] || search->problem->goal[s])
            continue;
        double value = 1 + (rows ? value_of_row(&plain, rows[s], steps, search->high)
                                 : value_of_state(&plain, s, steps, search->high));
        most = value - steps[s] > most ? value - steps[s] : most;
        steps[s] = value;
    }
    return most;
}

/* Once a sweep adds less than a half, twice the steps are more than one plus twice what follows: times the greatest
 * reward that is an upper bound. */
static bool begin_upper(struct inductive_search *search)
{
    const struct inductive *problem = search->problem;
    double *steps = search->vectors->upper, most = 1, growth = 1;
    bool goes_on = true;
    uint32_t *rows = problem->extreme == EXTREME_LEAST ? find_way(search) : NULL;
    for (uint32_t r = 0; r < matrix_rows(problem->matrix); r++)
        most = problem->row_reward[r] > most && isfinite(problem->row_reward[r]) ? problem->row_reward[r] : most;
    memset(steps, 0, search->count * sizeof *steps);
    for (uint32_t n = 0; growth > 0.25 && n < MOST_SWEEPS && goes_on; n++) {
        rounding_set(ROUNDING_UP);
        growth = ROUNDED(sweep_steps)(search, rows, steps);
        rounding_set(ROUNDING_NEAREST);
        goes_on = may_go_on(search);
    }
    for (uint32_t s = 0; s < search->count; s++)
        steps[s] = problem->goal[s] ? 0 : search->one[s] && growth <= 0.25 ? 3 * most * steps[s] : INFINITY;
    free(rows);
    return goes_on;
}

static bool find_free_ends(struct inductive_search *search)
{
    const struct inductive *problem = search->problem;
    uint32_t rows = matrix_rows(problem->matrix);
    uint8_t *is_free = memory_zeroed((size_t)rows + 1, 1);
    for (uint32_t r = 0; r < rows; r++)
        is_free[r] = problem->row_reward[r] == 0;
    bool is_done = find_ends(search, is_free);
    free(is_free);
    return is_done;
}

/* All rows: the goal is certain, and nothing that pays comes before it. */
static void find_unpaid(const struct inductive_search *search, uint8_t *zero)
{
    const struct inductive *problem = search->problem;
    const uint32_t *rows = problem->matrix->state_row.items;
    uint8_t *pays = memory_zeroed((size_t)search->count + 1, 1);
    for (uint32_t s = 0; s < search->count; s++)
        for (uint32_t r = rows[s]; r < rows[s + 1] && problem->live[s]; r++)
            pays[s] |= problem->row_reward[r] != 0;
    reverse_chance_zero(problem->reverse, problem->live, pays, EXTREME_GREATEST, zero);
    for (uint32_t s = 0; s < search->count; s++)
        zero[s] = zero[s] && search->one[s];
    free(pays);
}

/* Some rows: the goal is certain by those that do not pay, which confirm an upper bound of 0. What has no rank then
 * leaves. */
static bool find_unpaid_way(struct inductive_search *search, uint8_t *zero)
{
    double *upper = search->vectors->upper;
    bool is_changed = true, goes_on = true;
    for (uint32_t s = 0; s < search->count; s++)
        upper[s] = search->one[s] ? 0 : INFINITY;
    while (is_changed && goes_on) {
        is_changed = false;
        find_ranks(search);
        for (uint32_t s = 0; s < search->count; s++)
            if (upper[s] == 0 && search->vectors->rank[s] == UINT64_MAX) {
                upper[s] = INFINITY;
                is_changed = true;
            }
        goes_on = may_go_on(search);
    }
    for (uint32_t s = 0; s < search->count; s++)
        zero[s] = upper[s] == 0;
    return goes_on;
}

static bool begin_reward(struct inductive_search *search)
{
    const struct inductive *problem = search->problem;
    bool is_least = problem->extreme == EXTREME_LEAST;
    uint8_t *never = memory_zeroed((size_t)search->count + 1, 1), *zero = memory_zeroed((size_t)search->count + 1, 1);
    reverse_chance_one(problem->reverse, problem->live, problem->goal, is_least ? EXTREME_GREATEST : EXTREME_LEAST,
                       search->one);
    reverse_chance_zero(problem->reverse, problem->live, problem->goal, EXTREME_GREATEST, never);
    for (uint32_t s = 0; s < search->count; s++) {
        search->vectors->lower[s] = never[s] ? FAR : 0;
        search->moves[s] = !problem->goal[s] && !never[s] && (is_least || search->one[s]);
    }
    bool is_chain = matrix_rows(problem->matrix) == search->count, goes_on = true;
    if (is_least && !is_chain)
        goes_on = find_unpaid_way(search, zero);
    else
        find_unpaid(search, zero);
    goes_on = goes_on && (!is_least || find_free_ends(search)) && begin_upper(search);
    for (uint32_t s = 0; s < search->count && goes_on; s++) /* nothing but 0 is near enough to it */
        search->vectors->upper[s] = zero[s] ? 0 : search->vectors->upper[s];
    free(never);
    free(zero);
    return goes_on;
}

bool inductive_find(const struct inductive *problem, struct inductive_vectors *vectors)
{
    uint32_t count = matrix_states(problem->matrix);
    struct inductive_search search = {.problem = problem, .vectors = vectors, .count = count};
    search.low = problem->slack > 0 ? 1 - 4 * problem->slack : 1;
    search.high = problem->slack > 0 ? 1 + 4 * problem->slack : 1;
    search.one = memory_zeroed((size_t)count + 1, 1);
    search.moves = memory_zeroed((size_t)count + 1, 1);
    vectors->lower = memory_zeroed((size_t)count + 1, sizeof *vectors->lower);
    vectors->upper = memory_zeroed((size_t)count + 1, sizeof *vectors->upper);
    vectors->rank = memory_zeroed((size_t)count + 1, sizeof *vectors->rank);
    bool is_done = (problem->row_reward ? begin_reward : begin_probability)(&search) && iterate(&search);
    if (is_done) {
        rounding_set(problem->row_reward ? ROUNDING_UP : ROUNDING_DOWN);
        ROUNDED(find_ranks)(&search);
        rounding_set(ROUNDING_NEAREST);
    }
    if (search.ends)
        ends_destroy(search.ends);
    free(search.exits);
    free(search.one);
    free(search.moves);
    return is_done;
}

void inductive_free(struct inductive_vectors *vectors)
{
    free(vectors->lower);
    free(vectors->upper);
    free(vectors->rank);
}
