#include "lang/promela/set_loop.h"

#include "lang/promela/guards.h"
#include "lang/promela/loop_place.h"
#include "lang/promela/range.h"
#include "lang/promela/walk.h"

enum { MOST_ITERATIONS = 4096 };

struct set_loop_search {
    struct pml_flow *flow;
    struct arena *arena;
    bool is_dstep;
};

/* Does the expression mean the same wherever the step that evaluates it has come to? */
static void note_expr(void *user, struct pml_expr *expr, bool is_operated)
{
    bool *is_plain = user;
    (void)is_operated;
    *is_plain &= expr->kind == PML_NUMBER || expr->kind == PML_READ || expr->kind == PML_UNARY ||
                 expr->kind == PML_BINARY || expr->kind == PML_COND || expr->kind == PML_SELF;
}

static bool is_plain(const struct pml_stmt *stmt)
{
    bool is_plain = true;
    pml_walk_stmt(&(struct pml_walk){.user = &is_plain, .expr = note_expr}, (struct pml_stmt *)stmt);
    return is_plain;
}

/* --- what an iteration does --- */

static bool is_leaving(const struct pml_block *option)
{
    return option->count > 1 && option->items[option->count - 1]->kind == PML_BREAK;
}

/* Sorts options: an `else` comes last, and nothing is taken behind one that is always possible. */
static bool arrange(struct pml_option *options, uint32_t *count, const struct pml_option *otherwise, bool is_dstep,
                    bool may_block)
{
    bool is_covered = otherwise != NULL;
    for (uint32_t i = 0; i < *count; i++)
        for (uint32_t k = 0; k < i && !is_dstep; k++)
            if (!options[i].condition || !options[k].condition ||
                !pml_are_exclusive(options[i].condition, options[k].condition))
                return false; /* an atomic sequence has the choice */
    for (uint32_t i = 0; i < *count; i++) {
        if (!options[i].condition) {
            *count = i + 1;
            return true;
        }
        for (uint32_t k = 0; k < i && !is_covered; k++)
            if (pml_are_opposite(options[i].condition, options[k].condition)) {
                options[i].condition = NULL;
                *count = i + 1;
                return true;
            }
    }
    if (otherwise)
        options[(*count)++] = *otherwise;
    return is_covered || may_block;
}

bool pml_options_of(const struct pml_stmt *choice, bool is_dstep, struct arena *arena, struct pml_option **options,
                    uint32_t *count)
{
    struct pml_option otherwise, *found = ARENA_ARRAY(arena, struct pml_option, choice->option_count + 1);
    bool has_else = false;
    *count = 0;
    for (uint32_t o = 0; o < choice->option_count; o++) {
        const struct pml_block *block = &choice->options[o];
        const struct pml_stmt *guard = block->items[0];
        struct pml_option option = {.block = block, .begin = 1, .end = block->count};
        if (guard->kind == PML_ELSE) {
            otherwise = option;
            has_else = true;
            continue;
        }
        if (guard->kind != PML_CONDITION)
            return false;
        option.condition = pml_is_one(guard) ? NULL : guard->value;
        found[(*count)++] = option;
    }
    *options = found;
    return arrange(found, count, has_else ? &otherwise : NULL, is_dstep, is_dstep);
}

static bool find_loop(struct set_loop_search *search, struct pml_stmt *stmt, int64_t first);
static bool is_body(struct set_loop_search *search, const struct pml_block *block, uint32_t begin, uint32_t end);

static bool is_inner_choice(struct set_loop_search *search, const struct pml_stmt *stmt)
{
    struct pml_option *options;
    uint32_t count;
    bool is_good = pml_options_of(stmt, search->is_dstep, search->arena, &options, &count);
    for (uint32_t o = 0; o < stmt->option_count && is_good; o++)
        is_good = is_plain(stmt->options[o].items[0]) && !stmt->options[o].items[0]->label_count &&
                  is_body(search, &stmt->options[o], 1, stmt->options[o].count);
    return is_good;
}

/* The last value that the statements before this one have given the variable. False: it is not known. */
static bool value_before(const struct pml_block *block, uint32_t begin, uint32_t at,
                         const struct pml_variable *variable, int64_t *value)
{
    while (at-- > begin) {
        const struct pml_stmt *stmt = block->items[at];
        if (stmt->kind == PML_ASSIGN && pml_scalar_of(stmt->place) == variable)
            return pml_is_number(stmt->value, value);
        if (pml_writes(stmt, variable) || stmt->option_count || stmt->body.count)
            return false;
    }
    return false;
}

/* The variable that `do` counts with, if its first option says so; NULL: none. */
static const struct pml_variable *counter_of(const struct pml_stmt *stmt)
{
    for (uint32_t o = 0; o < stmt->option_count; o++) {
        const struct pml_block *block = &stmt->options[o];
        const struct pml_stmt *last = block->items[block->count - 1];
        if (last->kind == PML_ASSIGN && block->count > 1)
            return pml_scalar_of(last->place);
    }
    return NULL;
}

/* Can these statements always be executed, one after the other, without a choice? */
static bool is_body(struct set_loop_search *search, const struct pml_block *block, uint32_t begin, uint32_t end)
{
    int64_t first;
    for (uint32_t i = begin; i < end; i++) {
        struct pml_stmt *stmt = block->items[i];
        const struct pml_variable *counter;
        if (stmt->label_count || !is_plain(stmt))
            return false;
        switch (stmt->kind) {
        case PML_ASSIGN:
        case PML_PRINT:
        case PML_ASSERT:
            break;
        case PML_CONDITION:
            if (!pml_is_sure(stmt))
                return false;
            break;
        case PML_BLOCK:
            if (!is_body(search, &stmt->body, 0, stmt->body.count))
                return false;
            break;
        case PML_IF:
            if (!is_inner_choice(search, stmt))
                return false;
            break;
        case PML_DO:
            counter = counter_of(stmt);
            if (!counter || !value_before(block, begin, i, counter, &first) || !find_loop(search, stmt, first))
                return false;
            break;
        default:
            return false;
        }
    }
    return true;
}

struct write_search {
    const struct pml_variable *variable;
    uint32_t count;
};

static void note_write(void *user, struct pml_stmt *stmt)
{
    struct write_search *search = user;
    search->count += pml_writes(stmt, search->variable);
}

static uint32_t count_writes(const struct pml_block *block, const struct pml_variable *variable)
{
    struct write_search search = {.variable = variable};
    const struct pml_walk walk = {.user = &search, .stmt = note_write};
    struct pml_block all = *block;
    pml_walk_block(&walk, &all);
    return search.count;
}

/* --- the loop --- */

/* Does the comparison end the loop behind a last value of the counter (`i == N`, `i > N - 1`), or let it go on
 * (`i < N`)? */
static bool ends_counting(const struct pml_expr *expr, const struct pml_variable *counter, bool is_leaving,
                          int64_t *last)
{
    int64_t bound;
    if (expr->kind != PML_BINARY)
        return false;
    enum pml_op op = expr->op;
    const struct pml_expr *other = expr->right;
    if (pml_reads(expr->right, counter)) {
        op = op == PML_LT ? PML_GT : op == PML_LE ? PML_GE : op == PML_GT ? PML_LT : op == PML_GE ? PML_LE : op;
        other = expr->left;
    } else if (!pml_reads(expr->left, counter)) {
        return false;
    }
    if (!pml_is_number(other, &bound))
        return false;
    bool is_at = is_leaving ? op == PML_EQ || op == PML_GE : op == PML_NE || op == PML_LT,
         is_behind = is_leaving ? op == PML_GT : op == PML_LE;
    *last = is_behind ? bound : bound - 1;
    return is_at || is_behind;
}

/* The guard without its first conjunct, which compares the counter; *rest NULL: that is all of it. */
static bool split(struct set_loop_search *search, const struct pml_expr *guard, const struct pml_variable *counter,
                  const struct pml_expr **rest, int64_t *last)
{
    const struct pml_expr *inner;
    *rest = NULL;
    if (ends_counting(guard, counter, false, last))
        return true;
    if (guard->kind != PML_BINARY || guard->op != PML_AND || !split(search, guard->left, counter, &inner, last))
        return false;
    *rest = guard->right;
    if (inner) {
        struct pml_expr *both = ARENA_NEW(search->arena, struct pml_expr);
        *both = *guard;
        both->left = (struct pml_expr *)inner;
        *rest = both;
    }
    return true;
}

static bool is_counting(const struct pml_stmt *stmt, const struct pml_variable *counter)
{
    int64_t one;
    if (stmt->kind != PML_ASSIGN || pml_scalar_of(stmt->place) != counter || stmt->label_count ||
        stmt->value->kind != PML_BINARY || stmt->value->op != PML_ADD)
        return false;
    const struct pml_expr *sum = stmt->value;
    return (pml_reads(sum->left, counter) && pml_is_number(sum->right, &one) && one == 1) ||
           (pml_reads(sum->right, counter) && pml_is_number(sum->left, &one) && one == 1);
}

static bool is_good_counter(const struct pml_variable *variable)
{
    enum pml_base base = variable->type.base;
    return base != PML_RECORD && base != PML_CHAN && base != PML_MTYPE && !variable->type.is_truth &&
           !variable->channel;
}

/* What the options of a `do` are found to be. */
struct loop_shape {
    bool has_bound, leaves_otherwise, has_otherwise;
    int64_t last;
    uint32_t leaving; /* UINT32_MAX: none */
    struct pml_option otherwise;
};

static bool note_bound(struct loop_shape *shape, int64_t last)
{
    bool is_same = !shape->has_bound || shape->last == last;
    shape->has_bound = true;
    shape->last = last;
    return is_same;
}

static bool note_leaving(struct loop_shape *shape, const struct pml_stmt *guard, const struct pml_variable *counter,
                         uint32_t option)
{
    int64_t last;
    if (shape->leaving != UINT32_MAX)
        return false;
    shape->leaving = option;
    shape->leaves_otherwise = guard->kind == PML_ELSE;
    if (shape->leaves_otherwise)
        return true;
    return guard->kind == PML_CONDITION && ends_counting(guard->value, counter, true, &last) && note_bound(shape, last);
}

static bool note_iteration(struct set_loop_search *search, struct loop_shape *shape, struct pml_set_loop *loop,
                           const struct pml_block *block)
{
    const struct pml_stmt *guard = block->items[0];
    struct pml_option option = {.block = block, .begin = 1, .end = block->count - 1};
    int64_t last;
    if (block->count < 2 || !is_counting(block->items[block->count - 1], loop->counter) || !is_plain(guard) ||
        count_writes(block, loop->counter) != 1 || !is_body(search, block, option.begin, option.end))
        return false;
    if (guard->kind == PML_ELSE) {
        shape->has_otherwise = true;
        shape->otherwise = option;
        return true;
    }
    if (guard->kind != PML_CONDITION || !split(search, guard->value, loop->counter, &option.condition, &last))
        return false;
    loop->options[loop->option_count++] = option;
    return note_bound(shape, last);
}

/* Sets stmt->loop. The counter begins at `first`. */
static bool find_loop(struct set_loop_search *search, struct pml_stmt *stmt, int64_t first)
{
    struct pml_set_loop *loop = ARENA_NEW(search->arena, struct pml_set_loop);
    struct loop_shape shape = {.leaving = UINT32_MAX};
    *loop = (struct pml_set_loop){.counter = counter_of(stmt), .first = first, .is_dstep = search->is_dstep};
    loop->options = ARENA_ARRAY(search->arena, struct pml_option, stmt->option_count + 1);
    if (!loop->counter || !is_good_counter(loop->counter) || stmt->label_count)
        return false;
    for (uint32_t o = 0; o < stmt->option_count; o++) {
        const struct pml_block *block = &stmt->options[o];
        if (block->items[0]->label_count || block->items[block->count - 1]->label_count)
            return false;
        if (is_leaving(block) ? !note_leaving(&shape, block->items[0], loop->counter, o)
                              : !note_iteration(search, &shape, loop, block))
            return false;
    }
    if (!shape.has_bound || shape.leaving == UINT32_MAX ||
        !arrange(loop->options, &loop->option_count, shape.has_otherwise ? &shape.otherwise : NULL, search->is_dstep,
                 search->is_dstep && !shape.leaves_otherwise))
        return false;
    loop->last = shape.last;
    loop->exit = shape.leaving;
    if (loop->last < first || loop->last - first >= MOST_ITERATIONS || first < 0 ||
        !pml_range_covers(pml_type_range(loop->counter->type), (struct pml_range){first, loop->last + 1}))
        return false;
    stmt->loop = loop;
    return true;
}

static void find_at(struct pml_flow *flow, uint32_t number, struct arena *arena)
{
    struct pml_node *node = &flow->nodes.items[number];
    struct pml_stmt *stmt = node->stmt;
    struct set_loop_search search = {.flow = flow, .arena = arena, .is_dstep = node->dstep != NULL};
    if (!stmt || stmt->kind != PML_DO || !(node->dstep || node->is_atomic))
        return;
    const struct pml_variable *counter = counter_of(stmt);
    uint32_t end = pml_last_node(stmt);
    int64_t first;
    if (!counter || !pml_is_closed(flow, number, end) || !pml_value_before(flow, number, end, counter, &first) ||
        !find_loop(&search, stmt, first))
        return;
    uint32_t exit = pml_move_of(node, stmt->options[stmt->loop->exit].items[0]);
    if (exit == UINT32_MAX)
        return;
    ((struct pml_set_loop *)stmt->loop)->exit = exit;
    node->loop = stmt->loop;
    ((struct pml_variable *)counter)->is_folded = true;
}

/* select (x : 0 .. N - 1): do :: break :: x < N - 1 -> x++ od. */
static void find_choice(struct pml_flow *flow, uint32_t number, struct arena *arena)
{
    struct pml_node *node = &flow->nodes.items[number];
    const struct pml_stmt *stmt = node->stmt;
    struct pml_set_choice choice = {0};
    int64_t last;
    if (!stmt || stmt->kind != PML_DO || stmt->option_count != 2 || node->dstep || !node->is_atomic)
        return;
    const struct pml_block *leaving = &stmt->options[stmt->options[0].count > 1],
                           *other = &stmt->options[stmt->options[0].count < 2];
    if (leaving->count != 1 || leaving->items[0]->kind != PML_BREAK || other->count != 2 ||
        other->items[0]->kind != PML_CONDITION || stmt->label_count || leaving->items[0]->label_count ||
        other->items[0]->label_count)
        return;
    choice.counter = counter_of(stmt);
    if (!choice.counter || !is_good_counter(choice.counter) || !is_counting(other->items[1], choice.counter) ||
        !ends_counting(other->items[0]->value, choice.counter, false, &last) ||
        !pml_is_closed(flow, number, pml_last_node(stmt)) ||
        !pml_value_before(flow, number, pml_last_node(stmt), choice.counter, &choice.first))
        return;
    choice.last = last + 1;
    choice.exit = pml_move_of(node, leaving->items[0]);
    if (choice.last <= choice.first || choice.last - choice.first >= MOST_ITERATIONS || choice.first < 0 ||
        choice.exit == UINT32_MAX ||
        !pml_range_covers(pml_type_range(choice.counter->type), (struct pml_range){choice.first, choice.last}))
        return;
    struct pml_set_choice *found = ARENA_NEW(arena, struct pml_set_choice);
    *found = choice;
    node->choice = found;
}

void pml_set_loops_find(struct pml_flow *flow, struct arena *arena)
{
    const struct pml_proctype *proctype = flow->proctype;
    if (proctype->gives_way || proctype->is_deterministic || proctype->keeps_loops)
        return;
    for (uint32_t n = 0; n < flow->nodes.count; n++) {
        find_at(flow, n, arena);
        find_choice(flow, n, arena);
    }
}

const struct pml_move *pml_fused_move(const struct pml_node *node)
{
    return &node->moves.items[node->loop ? node->loop->exit : node->choice ? node->choice->exit : 0];
}
