#include "numeric/elimination.h"

#include "base/vec.h"

struct elimination_term {
    uint32_t column;
    struct rational *value;
};

struct equation {
    VEC(struct elimination_term) terms;
    struct rational *constant;
    VEC(uint32_t) users; /* equations that have, or have had, this unknown as a term */
    uint32_t user_count; /* those that have */
    bool is_done;
};

struct elimination {
    uint32_t count;
    struct equation *equations;
    uint32_t *order; /* in which they were eliminated */
    uint32_t *place; /* by column: place of the term in the equation at hand, plus 1 */
    struct rational *scratch, *factor;
    bool (*go_on)(void *user); /* NULL: always */
    void *user;
};

struct elimination *elimination_create(uint32_t count)
{
    struct elimination *elimination = memory_zeroed(1, sizeof *elimination);
    elimination->count = count;
    elimination->equations = memory_zeroed((size_t)count + 1, sizeof *elimination->equations);
    elimination->order = memory_zeroed((size_t)count + 1, sizeof *elimination->order);
    elimination->place = memory_zeroed((size_t)count + 1, sizeof *elimination->place);
    elimination->scratch = rational_create(0, 1);
    elimination->factor = rational_create(0, 1);
    for (uint32_t i = 0; i < count; i++)
        elimination->equations[i].constant = rational_create(0, 1);
    return elimination;
}

void elimination_destroy(struct elimination *elimination)
{
    for (uint32_t i = 0; i < elimination->count; i++) {
        struct equation *equation = &elimination->equations[i];
        for (size_t k = 0; k < equation->terms.count; k++)
            rational_destroy(equation->terms.items[k].value);
        VEC_FREE(&equation->terms);
        VEC_FREE(&equation->users);
        rational_destroy(equation->constant);
    }
    rational_destroy(elimination->scratch);
    rational_destroy(elimination->factor);
    free(elimination->equations);
    free(elimination->order);
    free(elimination->place);
    free(elimination);
}

static void push_term(struct elimination *elimination, uint32_t row, uint32_t column, const struct rational *value)
{
    struct equation *equation = &elimination->equations[row], *user = &elimination->equations[column];
    VEC_PUSH(&equation->terms, ((struct elimination_term){column, rational_create(0, 1)}));
    rational_copy(VEC_LAST(&equation->terms).value, value);
    VEC_PUSH(&user->users, row);
    user->user_count++;
}

void elimination_add(struct elimination *elimination, uint32_t row, uint32_t column, const struct rational *value)
{
    struct equation *equation = &elimination->equations[row];
    for (size_t i = 0; i < equation->terms.count; i++)
        if (equation->terms.items[i].column == column) {
            rational_add(equation->terms.items[i].value, value);
            return;
        }
    push_term(elimination, row, column, value);
}

void elimination_add_constant(struct elimination *elimination, uint32_t row, const struct rational *value)
{
    rational_add(elimination->equations[row].constant, value);
}

/* Takes a term out; its value stays in `factor`. False: there is none. */
static bool take_term(struct elimination *elimination, uint32_t row, uint32_t column)
{
    struct equation *equation = &elimination->equations[row];
    for (size_t i = 0; i < equation->terms.count; i++) {
        if (equation->terms.items[i].column != column)
            continue;
        rational_copy(elimination->factor, equation->terms.items[i].value);
        rational_destroy(equation->terms.items[i].value);
        equation->terms.items[i] = VEC_POP(&equation->terms);
        elimination->equations[column].user_count--;
        return true;
    }
    return false;
}

/* x = constant + own * x + rest becomes x = (constant + rest) / (1 - own). */
static bool isolate(struct elimination *elimination, uint32_t row)
{
    struct equation *equation = &elimination->equations[row];
    if (!take_term(elimination, row, row))
        return true;
    rational_set(elimination->scratch, 1);
    rational_subtract(elimination->scratch, elimination->factor);
    if (!rational_sign(elimination->scratch))
        return false;
    rational_divide(equation->constant, elimination->scratch);
    for (size_t i = 0; i < equation->terms.count; i++)
        rational_divide(equation->terms.items[i].value, elimination->scratch);
    return true;
}

/* Puts what `from` is into the equation of `into`. */
static void substitute(struct elimination *elimination, uint32_t from, uint32_t into)
{
    const struct equation *source = &elimination->equations[from];
    struct equation *target = &elimination->equations[into];
    if (target->is_done || !take_term(elimination, into, from))
        return;
    rational_add_product(target->constant, elimination->factor, source->constant, elimination->scratch);
    for (size_t i = 0; i < target->terms.count; i++)
        elimination->place[target->terms.items[i].column] = (uint32_t)i + 1;
    size_t known = target->terms.count;
    for (size_t i = 0; i < source->terms.count; i++) {
        const struct elimination_term *term = &source->terms.items[i];
        uint32_t place = elimination->place[term->column];
        if (place) {
            rational_add_product(target->terms.items[place - 1].value, elimination->factor, term->value,
                                 elimination->scratch);
            continue;
        }
        push_term(elimination, into, term->column, elimination->factor);
        rational_multiply(VEC_LAST(&target->terms).value, term->value);
    }
    for (size_t i = 0; i < known; i++)
        elimination->place[target->terms.items[i].column] = 0;
}

static uint32_t next_cheapest(const struct elimination *elimination)
{
    uint32_t best = UINT32_MAX;
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < elimination->count; i++) {
        const struct equation *equation = &elimination->equations[i];
        uint64_t cost = (uint64_t)equation->user_count * equation->terms.count;
        if (equation->is_done || cost >= least)
            continue;
        least = cost;
        best = i;
    }
    return best;
}

/* Asked for each equation that is written anew: its numbers may be long. */
static bool may_go_on(const struct elimination *elimination)
{
    return !elimination->go_on || elimination->go_on(elimination->user);
}

static bool eliminate_next(struct elimination *elimination, uint32_t step)
{
    uint32_t row = next_cheapest(elimination);
    struct equation *equation = &elimination->equations[row];
    if (!isolate(elimination, row))
        return false;
    equation->is_done = true;
    elimination->order[step] = row;
    bool goes_on = true;
    for (size_t i = 0; i < equation->users.count && goes_on; i++) {
        substitute(elimination, row, equation->users.items[i]);
        goes_on = may_go_on(elimination);
    }
    VEC_FREE(&equation->users);
    return goes_on;
}

/* What was eliminated last is known; what came before is made of what came after. */
static bool go_back(struct elimination *elimination)
{
    for (uint32_t step = elimination->count; step-- > 0;) {
        if (!may_go_on(elimination))
            return false;
        struct equation *equation = &elimination->equations[elimination->order[step]];
        for (size_t i = 0; i < equation->terms.count; i++)
            rational_add_product(equation->constant, equation->terms.items[i].value,
                                 elimination->equations[equation->terms.items[i].column].constant,
                                 elimination->scratch);
    }
    return true;
}

bool elimination_solve(struct elimination *elimination, bool (*go_on)(void *user), void *user)
{
    elimination->go_on = go_on;
    elimination->user = user;
    bool goes_on = may_go_on(elimination);
    for (uint32_t step = 0; step < elimination->count && goes_on; step++)
        goes_on = eliminate_next(elimination, step);
    return goes_on && go_back(elimination);
}

const struct rational *elimination_value(const struct elimination *elimination, uint32_t row)
{
    return elimination->equations[row].constant;
}
