#include "rewrite/search_loops.h"

#include <stdlib.h>

#include "base/memory.h"
#include "ir/build.h"
#include "ir/walk.h"

enum innocence { INNOCENCE_UNKNOWN, INNOCENT, GUILTY };

struct completion {
    struct system *system;
    enum innocence *functions; /* by id: does a call leave nothing behind but its result, and assert nothing? */
};

/* --- which loops search --- */

static bool writes_own_variable(const struct stmt *stmt)
{
    const struct variable *home = place_home(stmt->place);
    return home && !home->is_global;
}

struct inquest {
    struct completion *completion;
    bool is_innocent;
};

static bool function_is_innocent(struct completion *completion, const struct function *function);

static bool stmt_has_property(const struct stmt *stmt)
{
    return stmt->kind == STMT_ASSERT || stmt->kind == STMT_ERROR || stmt->kind == STMT_ASSUME ||
           stmt->kind == STMT_COVER;
}

static bool inquest_on_stmt(void *user, const struct stmt *stmt)
{
    struct inquest *inquest = user;
    if (stmt_has_property(stmt) || (stmt->place && stmt->kind != STMT_BIND && !writes_own_variable(stmt)))
        inquest->is_innocent = false;
    return inquest->is_innocent;
}

static bool inquest_on_expr(void *user, const struct expr *expr)
{
    struct inquest *inquest = user;
    if (expr->kind == EXPR_CALL && !function_is_innocent(inquest->completion, expr->function))
        inquest->is_innocent = false;
    return inquest->is_innocent;
}

static bool function_is_innocent(struct completion *completion, const struct function *function)
{
    enum innocence *known = &completion->functions[function->id];
    if (*known == INNOCENCE_UNKNOWN) {
        struct inquest inquest = {completion, true};
        struct walker walker = {.on_stmt = inquest_on_stmt, .on_expr = inquest_on_expr, .user = &inquest};
        walk_block(&walker, &function->body);
        *known = inquest.is_innocent ? INNOCENT : GUILTY;
    }
    return *known == INNOCENT;
}

static bool has_return(const struct block *block)
{
    for (uint32_t s = 0; s < block->count; s++)
        if (block->items[s]->kind == STMT_RETURN || has_return(&block->items[s]->body) ||
            has_return(&block->items[s]->otherwise))
            return true;
    return false;
}

static bool is_unordered(const struct stmt *loop)
{
    return !loop->domain.from && type_has_index(loop->domain.type) && loop->domain.type->size > 1;
}

static bool is_constant_return(const struct stmt *stmt)
{
    return !stmt->source && (!stmt->value || stmt->value->kind == EXPR_CONST);
}

static bool same_return(const struct stmt *a, const struct stmt *b)
{
    return a->value && b->value ? a->value->value == b->value->value : !a->value == !b->value;
}

/* The statements of a search; sets *found to one of the returns. */
static bool block_searches(const struct block *block, const struct stmt **found)
{
    for (uint32_t s = 0; s < block->count; s++) {
        const struct stmt *stmt = block->items[s];
        switch (stmt->kind) {
        case STMT_IF:
            if (!block_searches(&stmt->body, found) || !block_searches(&stmt->otherwise, found))
                return false;
            break;
        case STMT_FOR:
            if ((has_return(&stmt->body) && !is_unordered(stmt)) || !block_searches(&stmt->body, found))
                return false;
            break;
        case STMT_RETURN:
            if (!is_constant_return(stmt) || (*found && !same_return(*found, stmt)))
                return false;
            *found = stmt;
            break;
        case STMT_BIND:
        case STMT_CALL:
        case STMT_PUT:
            break;
        default:
            return false;
        }
    }
    return true;
}

/* One of its returns when the loop searches, else NULL. */
static const struct stmt *loop_searches(struct completion *completion, const struct stmt *loop)
{
    const struct stmt *found = NULL;
    if (loop->kind != STMT_FOR || !is_unordered(loop) || !block_searches(&loop->body, &found) || !found)
        return NULL;
    struct inquest inquest = {completion, true};
    struct walker walker = {.on_expr = inquest_on_expr, .user = &inquest};
    walk_block(&walker, &loop->body);
    return inquest.is_innocent ? found : NULL;
}

/* --- making them complete --- */

/* Returning from the loop being rewritten sets the flags of all levels. */
struct ir_level {
    const struct ir_level *outer;
    const struct variable *left;
};

struct statements {
    VEC(struct stmt *) list;
};

static struct block block_of(struct completion *completion, struct statements *statements)
{
    struct block block = {.count = (uint32_t)statements->list.count};
    block.items = ARENA_ARRAY(completion->system->arena, struct stmt *, block.count + 1);
    for (uint32_t s = 0; s < block.count; s++)
        block.items[s] = statements->list.items[s];
    VEC_FREE(&statements->list);
    return block;
}

static struct stmt *make_set(struct completion *completion, const struct variable *flag, bool value, struct span span)
{
    struct system *system = completion->system;
    struct stmt *set = stmt_new(system, STMT_ASSIGN, span);
    set->place = place_variable(system, flag, span);
    set->value = expr_const(system, system->boolean, value, span);
    return set;
}

static struct stmt *make_if(struct completion *completion, const struct variable *flag, bool value, struct span span)
{
    struct system *system = completion->system;
    struct stmt *test = stmt_new(system, STMT_IF, span);
    test->value = expr_read(system, place_variable(system, flag, span), false, span);
    if (!value)
        test->value = expr_unary(system, OP_NOT, test->value, span);
    return test;
}

static struct block rewrite_block(struct completion *completion, const struct ir_level *level,
                                  const struct block *block);

/* Does something come after a statement that may return, in the same iteration? */
static bool has_sequel(const struct block *block)
{
    for (uint32_t s = 0; s < block->count; s++) {
        const struct stmt *stmt = block->items[s];
        bool returns = has_return(&stmt->body) || has_return(&stmt->otherwise);
        if (returns && s + 1 < block->count)
            return true;
        if (returns && stmt->kind == STMT_IF && (has_sequel(&stmt->body) || has_sequel(&stmt->otherwise)))
            return true;
    }
    return false;
}

static void rewrite_loop(struct completion *completion, const struct ir_level *outer, struct stmt *loop)
{
    if (!has_sequel(&loop->body)) {
        loop->body = rewrite_block(completion, outer, &loop->body);
        return;
    }
    struct system *system = completion->system;
    struct ir_level level = {outer, system_add_scratch(system, "left", system->boolean, loop->span)};
    struct statements body = {0};
    VEC_PUSH(&body.list, make_set(completion, level.left, false, loop->span));
    struct block rest = rewrite_block(completion, &level, &loop->body);
    for (uint32_t s = 0; s < rest.count; s++)
        VEC_PUSH(&body.list, rest.items[s]);
    loop->body = block_of(completion, &body);
}

/* Returns whether the statement may return. */
static bool rewrite_stmt(struct completion *completion, const struct ir_level *level, struct stmt *stmt,
                         struct statements *made)
{
    if (stmt->kind == STMT_RETURN) {
        for (const struct ir_level *l = level; l; l = l->outer)
            VEC_PUSH(&made->list, make_set(completion, l->left, true, stmt->span));
        return true;
    }
    VEC_PUSH(&made->list, stmt);
    if (!has_return(&stmt->body) && !has_return(&stmt->otherwise))
        return false;
    if (stmt->kind == STMT_FOR) {
        rewrite_loop(completion, level, stmt);
    } else {
        stmt->body = rewrite_block(completion, level, &stmt->body);
        stmt->otherwise = rewrite_block(completion, level, &stmt->otherwise);
    }
    return true;
}

/* What follows a statement that may return runs only if it did not. */
static struct block rewrite_block(struct completion *completion, const struct ir_level *level,
                                  const struct block *block)
{
    struct statements made = {0};
    bool may_be_left = false, is_over = false;
    for (uint32_t s = 0; s < block->count && !is_over; s++) {
        struct stmt *stmt = block->items[s];
        struct statements inner = {0};
        bool returns = rewrite_stmt(completion, level, stmt, may_be_left ? &inner : &made);
        is_over = stmt->kind == STMT_RETURN;
        if (may_be_left) {
            struct stmt *test = make_if(completion, level->left, false, stmt->span);
            test->body = block_of(completion, &inner);
            VEC_PUSH(&made.list, test);
        }
        may_be_left |= returns;
    }
    return block_of(completion, &made);
}

static void complete_loop(struct completion *completion, struct stmt *loop, const struct stmt *found,
                          struct statements *made)
{
    struct system *system = completion->system;
    struct ir_level level = {NULL, system_add_scratch(system, "found", system->boolean, loop->span)};
    VEC_PUSH(&made->list, make_set(completion, level.left, false, loop->span));
    rewrite_loop(completion, &level, loop);
    VEC_PUSH(&made->list, loop);
    struct stmt *test = make_if(completion, level.left, true, loop->span);
    struct stmt *leave = stmt_new(system, STMT_RETURN, found->span);
    leave->value = found->value;
    struct statements body = {0};
    VEC_PUSH(&body.list, leave);
    test->body = block_of(completion, &body);
    VEC_PUSH(&made->list, test);
}

static void complete_block(struct completion *completion, struct block *block)
{
    if (!has_return(block))
        return;
    struct statements made = {0};
    for (uint32_t s = 0; s < block->count; s++) {
        struct stmt *stmt = block->items[s];
        const struct stmt *found = loop_searches(completion, stmt);
        if (found) {
            complete_loop(completion, stmt, found, &made);
            continue;
        }
        complete_block(completion, &stmt->body);
        complete_block(completion, &stmt->otherwise);
        VEC_PUSH(&made.list, stmt);
    }
    *block = block_of(completion, &made);
}

static void complete_rules(struct completion *completion, struct rule **rules, size_t count)
{
    for (size_t r = 0; r < count; r++)
        complete_block(completion, &rules[r]->body);
}

void search_loops_complete(struct system *system)
{
    ENSURE(!system->finished);
    struct completion completion = {system, memory_zeroed(system->functions.count + 1, sizeof(enum innocence))};
    complete_rules(&completion, system->rules.items, system->rules.count);
    complete_rules(&completion, system->starts.items, system->starts.count);
    for (size_t f = 0; f < system->functions.count; f++)
        complete_block(&completion, &system->functions.items[f]->body);
    free(completion.functions);
}
