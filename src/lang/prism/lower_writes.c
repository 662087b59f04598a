/* Updates as assignments one after the other. */
#include "lang/prism/lower.h"

/* What stands in several places is looked at once. */
static bool reads_any(const struct prism_expr *expr, const bool *is_written, bool *is_known)
{
    if (!expr || is_known[expr->shared])
        return false;
    is_known[expr->shared] = expr->shared;
    if (expr->kind == PRISM_EXPR_VARIABLE)
        return is_written[expr->variable->number];
    for (uint32_t i = 0; i < expr->arguments.count; i++)
        if (reads_any(expr->arguments.items[i], is_written, is_known))
            return true;
    return reads_any(expr->condition, is_written, is_known) || reads_any(expr->left, is_written, is_known) ||
           reads_any(expr->right, is_written, is_known);
}

bool prism_reads_any(const struct prism_lowering *lower, const struct prism_expr *expr, const bool *is_written)
{
    bool *is_known = memory_zeroed((size_t)lower->reader->shared + 1, sizeof *is_known);
    bool reads = reads_any(expr, is_written, is_known);
    free(is_known);
    return reads;
}

static bool is_order_felt(const struct prism_lowering *lower, const struct prism_writes *writes)
{
    bool *is_written = memory_zeroed((size_t)lower->network->variable_count + 1, sizeof *is_written);
    bool is_felt = false;
    for (size_t i = 0; i < writes->count && !is_felt; i++) {
        is_felt = prism_reads_any(lower, writes->items[i].value, is_written);
        is_written[writes->items[i].variable->number] = true;
    }
    free(is_written);
    return is_felt;
}

struct stmt *prism_lower_assignment(struct prism_lowering *lower, struct place *place, struct expr *value,
                                    struct span span)
{
    struct stmt *stmt = stmt_new(lower->system, STMT_ASSIGN, span);
    stmt->place = place;
    stmt->value = value;
    return stmt;
}

static struct place *place_between(struct prism_lowering *lower, const struct prism_variable *variable,
                                   const struct type *type, struct span span)
{
    const struct variable **between = &lower->between[variable->number];
    if (!*between)
        *between = system_add_scratch(lower->system, variable->name.text, type, span);
    return place_variable(lower->system, *between, span);
}

void prism_lower_write(struct prism_lowering *lower, const struct prism_write *write, bool is_felt,
                       struct prism_statements *first, struct prism_statements *last)
{
    struct span span = write->value->span;
    struct place *place = prism_lower_variable(lower, write->variable, span);
    struct expr *value = prism_lower_expr(lower, write->value);
    if (value && is_felt) {
        struct place *between = place_between(lower, write->variable, place->type, span);
        VEC_PUSH(first, prism_lower_assignment(lower, between, value, span));
        value = expr_read(lower->system, place_between(lower, write->variable, place->type, span), false, span);
    }
    if (value)
        VEC_PUSH(last, prism_lower_assignment(lower, place, value, span));
}

struct block prism_seal_statements(struct prism_lowering *lower, struct prism_statements *statements)
{
    uint32_t count = (uint32_t)statements->count;
    return (struct block){VEC_SEAL(statements, lower->system->arena), count};
}

struct block prism_lower_writes(struct prism_lowering *lower, const struct prism_writes *writes)
{
    struct prism_statements first = {0}, last = {0};
    bool is_felt = is_order_felt(lower, writes);
    for (size_t i = 0; i < writes->count; i++)
        prism_lower_write(lower, &writes->items[i], is_felt, &first, &last);
    for (size_t i = 0; i < last.count; i++)
        VEC_PUSH(&first, last.items[i]);
    VEC_FREE(&last);
    return prism_seal_statements(lower, &first);
}
