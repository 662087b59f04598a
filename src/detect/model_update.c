/* What a rule of a chain does, as what it is: an update of some cells, all at once, from the state before it.
 *
 * Front ends write it as assignments one after the other, through scratch variables where the order matters. Here
 * the scratch variables are replaced by what they stand for, and it is checked that nothing is read after it was
 * written; else the statements are taken as they are. */
#include <stdlib.h>

#include "ir/walk.h"
#include "detect/model_term.h"

struct update {
    struct sketch *sketch;
    bool *is_written;           /* by cell of the state */
    const struct expr **values; /* by address of a scratch variable: its value, of the state before */
    bool is_felt;               /* something is read after it was written, or is not understood */
};

static bool update_on_place(void *user, const struct place *place, bool is_written)
{
    struct update *update = user;
    uint32_t cell;
    const struct variable *home = place_home(place);
    (void)is_written;
    if (!home || !sketch_cell(update->sketch, place, &cell)) {
        update->is_felt = true;
        return false;
    }
    update->is_felt |= !home->is_global || update->is_written[cell];
    return false;
}

static bool update_on_expr(void *user, const struct expr *expr)
{
    ((struct update *)user)->is_felt |= expr->kind == EXPR_CALL || expr->kind == EXPR_QUANTIFIER;
    return true;
}

static void update_look(struct update *update, const struct expr *value)
{
    struct walker walker = {.on_place = update_on_place, .on_expr = update_on_expr, .user = update};
    walk_expr(&walker, value);
}

/* A scratch variable alone stands for its value, which was looked at when it got it. */
static const struct expr *update_value(struct update *update, const struct expr *value)
{
    const struct place *place = value->kind == EXPR_READ ? value->place : NULL;
    if (place && place->kind == PLACE_VARIABLE && !place->variable->is_global &&
        update->values[place->variable->address])
        return update->values[place->variable->address];
    update_look(update, value);
    return value;
}

/* True: it is a part of the update. */
static bool update_take(struct update *update, const struct stmt *stmt, struct model_term *part)
{
    struct sketch *s = update->sketch;
    uint32_t cell;
    if (stmt->kind != STMT_ASSIGN || !sketch_cell(s, stmt->place, &cell)) {
        update->is_felt = true;
        return false;
    }
    const struct expr *value = update_value(update, stmt->value);
    if (cell >= s->system->state_cells) {
        update->values[cell] = value;
        return false;
    }
    update->is_felt |= update->is_written[cell];
    update->is_written[cell] = true;
    struct model_term parts[] = {term_place(s, stmt->place), term_expr(s, value, sketch_carrier(s, stmt->place->type))};
    *part = term_make(s, TERM_UPDATE, NULL, 0, parts, 2);
    return true;
}

bool term_updates(struct sketch *s, const struct block *block, struct model_term *term)
{
    struct update update = {.sketch = s};
    struct model_term *parts = memory_alloc(((size_t)block->count + 1) * sizeof *parts);
    uint32_t count = 0;
    update.is_written = memory_zeroed((size_t)s->system->state_cells + 1, sizeof *update.is_written);
    update.values = memory_zeroed((size_t)s->system->memory_cells + 1, sizeof *update.values);
    for (uint32_t i = 0; i < block->count && !update.is_felt; i++)
        count += update_take(&update, block->items[i], &parts[count]);
    if (!update.is_felt)
        *term = term_set(s, STMT_ASSIGN, parts, count);
    free(update.is_written);
    free(update.values);
    free(parts);
    return !update.is_felt;
}

/* place := parameter, of a parameter that no other place gets, to a place that got none? Where the instances are
 * listed, its type may leave out values that the guard excludes anyway. */
static bool start_pairs(struct sketch *s, const struct rule *start, const struct stmt *stmt, bool *is_written)
{
    const struct place *from = stmt->kind == STMT_ASSIGN && stmt->value->kind == EXPR_READ ? stmt->value->place : NULL;
    uint32_t cell;
    if (!from || from->kind != PLACE_VARIABLE || s->stands_for[from->variable->address] ||
        (from->variable->type != stmt->place->type && !start->tried) || !sketch_cell(s, stmt->place, &cell) ||
        cell >= s->system->state_cells || is_written[cell])
        return false;
    is_written[cell] = true;
    for (uint32_t p = 0; p < start->parameter_count; p++)
        if (start->parameters[p].variable == from->variable && start->parameters[p].type == from->variable->type) {
            s->stands_for[from->variable->address] = stmt->place;
            return true;
        }
    return false;
}

bool term_chosen_start(struct sketch *s, const struct rule *start, struct model_term *term)
{
    const struct block *body = &start->body;
    bool *is_written = memory_zeroed((size_t)s->system->state_cells + 1, sizeof *is_written);
    bool is_chosen = start->parameter_count == s->system->state_cells && start->parameter_count == body->count &&
                     !start->prelude.count;
    for (uint32_t i = 0; is_chosen && i < body->count; i++)
        is_chosen = start_pairs(s, start, body->items[i], is_written);
    free(is_written);
    if (is_chosen)
        *term = start->guard ? term_expr(s, start->guard, NO_CARRIER) : term_empty(s);
    for (uint32_t p = 0; p < start->parameter_count; p++)
        s->stands_for[start->parameters[p].variable->address] = NULL;
    return is_chosen;
}
