#include "numeric/absorption.h"

#include <math.h>

#include "numeric/heap.h"

struct absorption_term {
    uint32_t state;
    double value;
};

struct absorption_line {
    VEC(struct absorption_term) terms; /* to states that are not eliminated yet, none to itself */
    VEC(uint32_t) users; /* the lines that have, or have had, this state as a term; once it is eliminated, none */
    VEC(struct absorption_term) given; /* once it is eliminated: to which lines it was added, how many times */
    double exit, away;                 /* away: once it is eliminated, all ways out of the state together */
    uint32_t user_count;               /* the users that have it */
    double rank;                       /* the least cost with which it is in the heap; INFINITY: it is not */
    bool is_done;
};

struct absorption {
    uint32_t count;
    struct absorption_line *lines;
    uint32_t *order;  /* in which they are eliminated */
    uint32_t *place;  /* by state: its term in the line at hand, plus 1 */
    struct heap heap; /* the cheapest on top; costs of some may have changed since */
    uint64_t term_count;
    uint64_t work;
    double roundings; /* by how many units of rounding a value may be off, to first order */
};

void absorption_destroy(struct absorption *absorption)
{
    if (!absorption)
        return;
    for (uint32_t i = 0; i < absorption->count; i++) {
        VEC_FREE(&absorption->lines[i].terms);
        VEC_FREE(&absorption->lines[i].users);
        VEC_FREE(&absorption->lines[i].given);
    }
    heap_free(&absorption->heap);
    free(absorption->lines);
    free(absorption->order);
    free(absorption->place);
    free(absorption);
}

static void push_term(struct absorption *absorption, uint32_t from, uint32_t to, double value)
{
    VEC_PUSH(&absorption->lines[from].terms, ((struct absorption_term){to, value}));
    VEC_PUSH(&absorption->lines[to].users, from);
    absorption->lines[to].user_count++;
    absorption->term_count++;
}

void absorption_add(struct absorption *absorption, uint32_t from, uint32_t to, double probability)
{
    struct absorption_line *line = &absorption->lines[from];
    if (from == to || probability == 0)
        return;
    for (size_t i = 0; i < line->terms.count; i++)
        if (line->terms.items[i].state == to) {
            line->terms.items[i].value += probability;
            absorption->roundings += 2;
            return;
        }
    push_term(absorption, from, to, probability);
}

void absorption_add_exit(struct absorption *absorption, uint32_t from, double probability)
{
    struct absorption_line *line = &absorption->lines[from];
    absorption->roundings += line->exit > 0 ? 2 : 0;
    line->exit += probability;
}

/* --- the order --- */

static double cost_of(const struct absorption *absorption, uint32_t state)
{
    const struct absorption_line *line = &absorption->lines[state];
    return (double)line->user_count * (double)line->terms.count;
}

/* Only if it has become cheaper: a cost that has risen is corrected when the state is taken from the heap. */
static void push_state(struct absorption *absorption, uint32_t state)
{
    double cost = cost_of(absorption, state);
    if (cost >= absorption->lines[state].rank)
        return;
    absorption->lines[state].rank = cost;
    heap_push(&absorption->heap, cost, state);
}

static uint32_t next_cheapest(struct absorption *absorption)
{
    for (;;) {
        struct ranked top = heap_pop(&absorption->heap);
        struct absorption_line *line = &absorption->lines[top.state];
        if (line->is_done || top.rank > line->rank)
            continue;
        if (cost_of(absorption, top.state) <= top.rank)
            return top.state;
        line->rank = INFINITY;
        push_state(absorption, top.state);
    }
}

/* --- elimination --- */

/* Takes the term out. 0: there is none. */
static double take_term(struct absorption *absorption, uint32_t from, uint32_t to)
{
    struct absorption_line *line = &absorption->lines[from];
    for (size_t i = 0; i < line->terms.count; i++) {
        if (line->terms.items[i].state != to)
            continue;
        double value = line->terms.items[i].value;
        line->terms.items[i] = VEC_POP(&line->terms);
        absorption->lines[to].user_count--;
        return value;
    }
    return 0;
}

static void substitute(struct absorption *absorption, uint32_t gone, uint32_t into)
{
    struct absorption_line *source = &absorption->lines[gone], *target = &absorption->lines[into];
    double value = target->is_done ? 0 : take_term(absorption, into, gone);
    if (value == 0)
        return;
    double times = value / source->away;
    VEC_PUSH(&source->given, ((struct absorption_term){into, times}));
    target->exit += times * source->exit;
    for (size_t i = 0; i < target->terms.count; i++)
        absorption->place[target->terms.items[i].state] = (uint32_t)i + 1;
    size_t known = target->terms.count;
    for (size_t i = 0; i < source->terms.count; i++) {
        struct absorption_term term = source->terms.items[i];
        uint32_t place = absorption->place[term.state];
        if (term.state == into)
            continue;
        if (place)
            target->terms.items[place - 1].value += times * term.value;
        else
            push_term(absorption, into, term.state, times * term.value);
    }
    for (size_t i = 0; i < known; i++)
        absorption->place[target->terms.items[i].state] = 0;
    absorption->work += known + source->terms.count;
    push_state(absorption, into);
}

static bool eliminate_next(struct absorption *absorption, uint32_t step)
{
    uint32_t state = next_cheapest(absorption);
    struct absorption_line *line = &absorption->lines[state];
    line->away = line->exit;
    for (size_t i = 0; i < line->terms.count; i++)
        line->away += line->terms.items[i].value;
    if (!(line->away > 0))
        return false;
    line->is_done = true;
    absorption->order[step] = state;
    double terms = (double)line->terms.count, users = (double)line->user_count;
    absorption->roundings += 2 * users * (terms + 3) + 2 * terms + 4; /* the rest: of its own value, when it is found */
    absorption->work += line->users.count + 1;
    for (size_t i = 0; i < line->users.count; i++)
        substitute(absorption, state, line->users.items[i]);
    for (size_t i = 0; i < line->terms.count; i++) {
        absorption->lines[line->terms.items[i].state].user_count--;
        push_state(absorption, line->terms.items[i].state);
    }
    VEC_FREE(&line->users);
    return true;
}

struct absorption *absorption_create(uint32_t count, void (*fill)(void *user, uint32_t state, struct absorption *into),
                                     void *user, uint64_t most_terms, bool (*go_on)(void *user), void *go_on_user)
{
    struct absorption *absorption = memory_zeroed(1, sizeof *absorption);
    absorption->count = count;
    absorption->lines = memory_zeroed((size_t)count + 1, sizeof *absorption->lines);
    absorption->order = memory_zeroed((size_t)count + 1, sizeof *absorption->order);
    absorption->place = memory_zeroed((size_t)count + 1, sizeof *absorption->place);
    for (uint32_t i = 0; i < count; i++)
        absorption->lines[i].rank = INFINITY;
    for (uint32_t i = 0; i < count; i++)
        fill(user, i, absorption);
    for (uint32_t i = 0; i < count; i++)
        push_state(absorption, i);
    bool is_good = true;
    for (uint32_t step = 0; step < count && is_good; step++) {
        is_good = eliminate_next(absorption, step) && absorption->term_count <= most_terms;
        if (absorption->work < ABSORPTION_WORK_BETWEEN_QUESTIONS || !go_on)
            continue;
        absorption->work = 0;
        is_good = is_good && go_on(go_on_user);
    }
    if (is_good)
        return absorption;
    absorption_destroy(absorption);
    return NULL;
}

double absorption_error(const struct absorption *absorption)
{
    double error = 1.01 * absorption->roundings * 0x1p-53; /* the rest: of second order */
    return error < 0x1p-7 ? error : INFINITY;
}

void absorption_solve(const struct absorption *absorption, double *values)
{
    for (uint32_t step = 0; step < absorption->count; step++) {
        const struct absorption_line *line = &absorption->lines[absorption->order[step]];
        for (size_t i = 0; i < line->given.count; i++)
            values[line->given.items[i].state] += line->given.items[i].value * values[absorption->order[step]];
    }
    for (uint32_t step = absorption->count; step-- > 0;) {
        const struct absorption_line *line = &absorption->lines[absorption->order[step]];
        double sum = values[absorption->order[step]];
        for (size_t i = 0; i < line->terms.count; i++)
            sum += line->terms.items[i].value * values[line->terms.items[i].state];
        values[absorption->order[step]] = sum / line->away;
    }
}
