/* Loops over a family that add up: "t := t + e", where t is a local variable that the loop uses in no other way. The
 * sum does not depend on the order of the iterations, if no partial sum in any order leaves the type of t. */
#include "engine/complete/follow.h"
#include "ir/walk.h"

struct sum_search {
    const struct variable *variable;
    bool is_found;
};

static bool sum_on_place(void *user, const struct place *place, bool is_written)
{
    struct sum_search *search = user;
    (void)is_written;
    search->is_found |= place->variable == search->variable;
    return !search->is_found;
}

/* A function may use the variable through a reference. */
static bool sum_on_expr(void *user, const struct expr *expr)
{
    struct sum_search *search = user;
    search->is_found |= expr->kind == EXPR_CALL;
    return !search->is_found;
}

static bool sum_is_read_of(const struct expr *expr, const struct variable *variable)
{
    return expr->kind == EXPR_READ && expr->place->kind == PLACE_VARIABLE && expr->place->variable == variable;
}

const struct expr *sum_item_of(const struct follow *follow, const struct stmt *stmt)
{
    const struct variable *variable = stmt->place->kind == PLACE_VARIABLE ? stmt->place->variable : NULL;
    const struct expr *sum = stmt->value;
    if (!follow->loop_depth || !variable || variable->is_global || sum->kind != EXPR_BINARY || sum->op != OP_ADD ||
        follow->memory[variable->address] == UNDEFINED || follow->is_stale[variable->address])
        return NULL;
    const struct expr *item = sum_is_read_of(sum->left, variable)    ? sum->right
                              : sum_is_read_of(sum->right, variable) ? sum->left
                                                                     : NULL;
    struct sum_search search = {.variable = variable};
    if (item)
        walk_expr(&(struct walker){.on_expr = sum_on_expr, .on_place = sum_on_place, .user = &search}, item);
    return search.is_found ? NULL : item;
}

static void sum_bounds(struct complete_value value, int64_t *lo, int64_t *hi)
{
    *lo = value.term ? value.term->lo : value.number;
    *hi = value.term ? value.term->hi : value.number;
}

enum course follow_sum(struct follow *follow, const struct stmt *stmt, const struct expr *item)
{
    uint32_t address = stmt->place->variable->address;
    const struct type *type = stmt->place->type;
    struct complete_value value, sum = {follow->memory[address], follow->scratch[address]};
    int64_t lo, hi, item_lo, item_hi;
    enum course course = follow_expr(follow, item, &value);
    if (course != COURSE_OK)
        return course;
    sum_bounds(sum, &lo, &hi);
    sum_bounds(value, &item_lo, &item_hi);
    loop_note_sum(follow, address, type, lo, hi, item_lo, item_hi);
    if (sum.term || value.term) {
        const struct complete_term *term =
            term_combine(follow->terms, follow_term(follow, sum), 1, follow_term(follow, value), 1, 0);
        if (!term) { /* too wide: what it is depends on the order then */
            follow_require_order(follow);
            follow_settle(follow, &sum);
            follow_settle(follow, &value);
        }
        sum.term = term && !term_is_const(term) ? term : NULL;
    }
    sum.number += value.number;
    course = follow_check(follow, FAULT_RANGE, type, sum, stmt->value->span);
    if (course == COURSE_OK)
        follow_set(follow, address, sum);
    return course;
}
