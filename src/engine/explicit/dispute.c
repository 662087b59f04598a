/* Which of several faults comes first.
 *
 * Where two iterations of a loop over an index type fail in different ways (or a predicate on two elements of a multiset,
 * which are in the order of their codes), the numbering of the elements decides which failure is met. A search of the
 * quotient sees one numbering of each state only: what it reports is real, but another assertion in the same loop may
 * fail for another numbering, and "holds" would be too much to say. */
#include "engine/explicit/search.h"
#include "ir/walk.h"

static bool dispute_on_inner_stmt(void *user, const struct stmt *stmt)
{
    *(bool *)user |= stmt->kind == STMT_ASSERT || stmt->kind == STMT_ERROR;
    return true;
}

/* Bodies of functions are not entered: a call may do anything. */
static bool dispute_on_inner_expr(void *user, const struct expr *expr)
{
    *(bool *)user |= expr->kind == EXPR_CALL;
    return true;
}

static bool dispute_on_stmt(void *user, const struct stmt *stmt)
{
    struct walker inner = {.on_stmt = dispute_on_inner_stmt, .on_expr = dispute_on_inner_expr, .user = user};
    if (stmt->kind == STMT_FOR && stmt->domain.type && type_has_index(stmt->domain.type))
        walk_block(&inner, &stmt->body);
    if (stmt->kind == STMT_MULTISET_REMOVE_IF)
        walk_expr(&inner, stmt->value);
    return true;
}

static bool dispute_on_expr(void *user, const struct expr *expr)
{
    struct walker inner = {.on_stmt = dispute_on_inner_stmt, .on_expr = dispute_on_inner_expr, .user = user};
    bool is_unordered = expr->kind == EXPR_COUNT || (expr->kind == EXPR_QUANTIFIER && expr->domain.type &&
                                                     type_has_index(expr->domain.type));
    if (is_unordered)
        walk_expr(&inner, expr->left);
    return true;
}

/* Is there such a loop at all? Where only evaluation itself can fail, it is always the same property that is violated. */
static bool dispute_is_possible(const struct system *system)
{
    bool is_possible = false;
    struct walker walker = {.on_stmt = dispute_on_stmt, .on_expr = dispute_on_expr, .user = &is_possible};
    for (size_t i = 0; i < system->rules.count; i++)
        walk_rule(&walker, system->rules.items[i]);
    for (size_t i = 0; i < system->starts.count; i++)
        walk_rule(&walker, system->starts.items[i]);
    for (size_t i = 0; i < system->functions.count; i++)
        walk_block(&walker, &system->functions.items[i]->body);
    return is_possible;
}

static bool dispute_concerns(const struct property *property)
{
    return property->kind == PROPERTY_ASSERTION || property->kind == PROPERTY_ERROR ||
           property->kind == PROPERTY_RUNTIME;
}

void dispute_leave_open(struct search *search, const struct property *property)
{
    result_set_verdict(search->result, property, VERDICT_UNKNOWN,
                       "with symmetry, the failure found may hide this one in a loop over a scalarset");
    search_decide(search, property);
}

void dispute_settle(struct search *search)
{
    const struct system *system = search->system;
    struct result *result = search->result;
    bool has_fault = false;
    for (size_t i = 0; i < system->properties.count; i++)
        has_fault |= dispute_concerns(system->properties.items[i]) &&
                     result->properties[i].verdict == VERDICT_VIOLATED;
    if (symmetry_is_trivial(search->symmetry) || !has_fault || !dispute_is_possible(system))
        return;
    for (size_t i = 0; i < system->properties.count; i++)
        if (dispute_concerns(system->properties.items[i]) && !search->decided[i])
            dispute_leave_open(search, system->properties.items[i]);
}
