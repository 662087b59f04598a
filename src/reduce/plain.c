/* An if statement about shared variables alone. It changes nothing that a run knows, so it stays an if statement, and
 * what comes after it is followed once, not once for each branch: a body with many of them in a row has few paths. */
#include "reduce/inner.h"

static bool plain_expr(const struct reduce_run *run, const struct expr *expr);

/* A place that is one of the reduced system, too, whatever the run does. */
static bool plain_place(const struct reduce_run *run, const struct place *place)
{
    switch (place->kind) {
    case PLACE_VARIABLE:
        return place->variable->is_global &&
               families_object(run->reducer->reduction, place->variable->address, place->type);
    case PLACE_FIELD:
        return plain_place(run, place->base);
    case PLACE_ELEMENT:
        return plain_place(run, place->base) && plain_expr(run, place->index);
    default:
        return false;
    }
}

/* A local variable, as that of a loop around here. */
static bool plain_local(const struct reduce_run *run, const struct place *place)
{
    if (place->kind != PLACE_VARIABLE || place->variable->is_global || !type_is_scalar(place->type))
        return false;
    const struct reduce_value *value = &run->memory[place->variable->address - run->reducer->system->state_cells];
    return ask_parameter_at(run, place->variable->address) == NONE &&
           (value->kind == VALUE_KNOWN || value->kind == VALUE_RESIDUAL);
}

static bool plain_expr(const struct reduce_run *run, const struct expr *expr)
{
    switch (expr->kind) {
    case EXPR_CONST:
        return !type_has_index(expr->type);
    case EXPR_READ:
        return plain_place(run, expr->place) || plain_local(run, expr->place);
    case EXPR_IS_UNDEFINED:
        return plain_place(run, expr->place);
    case EXPR_EQUAL:
        return plain_place(run, expr->place) && plain_place(run, expr->other);
    case EXPR_UNARY:
        return plain_expr(run, expr->left);
    case EXPR_BINARY:
        return plain_expr(run, expr->left) && plain_expr(run, expr->right);
    default:
        return false;
    }
}

static bool plain_block(const struct reduce_run *run, const struct block *block);

static bool plain_stmt(const struct reduce_run *run, const struct stmt *stmt)
{
    switch (stmt->kind) {
    case STMT_ASSIGN:
        return plain_place(run, stmt->place) && plain_expr(run, stmt->value);
    case STMT_COPY:
        return plain_place(run, stmt->place) && plain_place(run, stmt->source);
    case STMT_CLEAR:
    case STMT_UNDEFINE:
        return plain_place(run, stmt->place);
    case STMT_IF:
        return plain_expr(run, stmt->value) && plain_block(run, &stmt->body) && plain_block(run, &stmt->otherwise);
    default:
        return false;
    }
}

static bool plain_block(const struct reduce_run *run, const struct block *block)
{
    for (uint32_t i = 0; i < block->count; i++)
        if (!plain_stmt(run, block->items[i]))
            return false;
    return true;
}

/* The statements of the reduced system for the block. False: the run would branch, or go wrong. */
static bool plain_translate(struct reduce_run *run, const struct block *block, struct block *made)
{
    size_t first = run->events.count;
    VEC_CLEAR(&run->facts);
    VEC_CLEAR(&run->touched);
    bool is_done = run_block(run, block) == GO_OK;
    VEC(struct stmt *) list = {0};
    for (size_t e = first; e < run->events.count && is_done; e++) {
        is_done = run->events.items[e].kind == EVENT_STMT;
        VEC_PUSH(&list, run->events.items[e].stmt);
    }
    run->events.count = first;
    made->count = (uint32_t)list.count;
    made->items = VEC_SEAL(&list, run->out->arena);
    return is_done;
}

bool plain_if(struct reduce_run *run, const struct stmt *stmt, struct expr *condition)
{
    size_t choices = run->choices.count, next = run->next_choice;
    if (!run->is_body || run->pure || run->crowd_depth || run->pending.count || !plain_stmt(run, stmt))
        return false;
    struct stmt *made = stmt_new(run->out, STMT_IF, stmt->span);
    made->value = condition;
    bool is_inner = run->is_plain;
    run->is_plain = true;
    bool is_done =
        plain_translate(run, &stmt->body, &made->body) && plain_translate(run, &stmt->otherwise, &made->otherwise);
    run->is_plain = is_inner;
    run->choices.count = choices;
    run->next_choice = next;
    if (is_done)
        run_push_event(run, made);
    return is_done;
}
