#include "lang/promela/set_loop.h"

#include <stdlib.h>

#include "lang/promela/range.h"
#include "lang/promela/walk.h"

enum { MOST_ITERATIONS = 4096 };

struct set_loop_search {
    struct pml_flow *flow;
    struct arena *arena;
    bool is_dstep;
};

/* --- expressions --- */

static bool is_number(const struct pml_expr *expr, int64_t *value)
{
    int64_t left, right;
    if (expr->kind == PML_NUMBER) {
        *value = expr->value;
        return true;
    }
    if (expr->kind != PML_BINARY || !is_number(expr->left, &left) || !is_number(expr->right, &right) ||
        left > INT32_MAX || left < INT32_MIN || right > INT32_MAX || right < INT32_MIN)
        return false;
    *value = expr->op == PML_ADD ? left + right : left - right;
    return expr->op == PML_ADD || expr->op == PML_SUB;
}

/* Is the place a variable as a whole? NULL: no. */
static const struct pml_variable *scalar_of(const struct pml_place *place)
{
    return place && !place->index && !place->below && !place->variable->length ? place->variable : NULL;
}

static bool reads(const struct pml_expr *expr, const struct pml_variable *variable)
{
    return expr->kind == PML_READ && scalar_of(expr->place) == variable;
}

static bool is_same(const struct pml_expr *a, const struct pml_expr *b);

static bool is_same_place(const struct pml_place *a, const struct pml_place *b)
{
    if (!a || !b)
        return a == b;
    return a->variable == b->variable && is_same(a->index, b->index) && is_same_place(a->below, b->below);
}

static bool is_same(const struct pml_expr *a, const struct pml_expr *b)
{
    if (!a || !b)
        return a == b;
    if (a->kind != b->kind || a->op != b->op)
        return false;
    switch (a->kind) {
    case PML_NUMBER:
        return a->value == b->value;
    case PML_READ:
        return is_same_place(a->place, b->place);
    case PML_UNARY:
    case PML_BINARY:
        return is_same(a->left, b->left) && is_same(a->right, b->right);
    case PML_SELF:
        return true;
    default:
        return false;
    }
}

/* Is one condition true where the other is false? */
static bool are_opposite(const struct pml_expr *a, const struct pml_expr *b)
{
    static const enum pml_op opposites[][2] = {{PML_EQ, PML_NE}, {PML_LT, PML_GE}, {PML_LE, PML_GT}};
    if (a->kind == PML_UNARY && a->op == PML_NOT && is_same(a->left, b))
        return true;
    if (b->kind == PML_UNARY && b->op == PML_NOT && is_same(b->left, a))
        return true;
    if (a->kind != PML_BINARY || b->kind != PML_BINARY || !is_same(a->left, b->left) || !is_same(a->right, b->right))
        return false;
    for (size_t i = 0; i < sizeof opposites / sizeof *opposites; i++)
        if ((a->op == opposites[i][0] && b->op == opposites[i][1]) ||
            (a->op == opposites[i][1] && b->op == opposites[i][0]))
            return true;
    return false;
}

/* Can both conditions not hold together? x == 1 and x == 2 cannot. */
static bool are_exclusive(const struct pml_expr *a, const struct pml_expr *b)
{
    int64_t one, other;
    bool are_equations = a->kind == PML_BINARY && b->kind == PML_BINARY && a->op == PML_EQ && b->op == PML_EQ;
    return are_opposite(a, b) || (are_equations && is_same(a->left, b->left) && is_number(a->right, &one) &&
                                  is_number(b->right, &other) && one != other);
}

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

static bool writes(const struct pml_stmt *stmt, const struct pml_variable *variable)
{
    bool found = (stmt->kind == PML_ASSIGN && stmt->place->variable == variable) ||
                 (stmt->kind == PML_DECLARE && stmt->variable == variable);
    for (uint32_t i = 0; stmt->kind == PML_RECEIVE && i < stmt->argument_count; i++)
        found |= stmt->arguments[i].place && stmt->arguments[i].place->variable == variable;
    return found;
}

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
                !are_exclusive(options[i].condition, options[k].condition))
                return false; /* an atomic sequence has the choice */
    for (uint32_t i = 0; i < *count; i++) {
        if (!options[i].condition) {
            *count = i + 1;
            return true;
        }
        for (uint32_t k = 0; k < i && !is_covered; k++)
            if (are_opposite(options[i].condition, options[k].condition)) {
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
        if (stmt->kind == PML_ASSIGN && scalar_of(stmt->place) == variable)
            return is_number(stmt->value, value);
        if (writes(stmt, variable) || stmt->option_count || stmt->body.count)
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
            return scalar_of(last->place);
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
    search->count += writes(stmt, search->variable);
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
static bool compares(const struct pml_expr *expr, const struct pml_variable *counter, bool is_leaving, int64_t *last)
{
    int64_t bound;
    if (expr->kind != PML_BINARY)
        return false;
    enum pml_op op = expr->op;
    const struct pml_expr *other = expr->right;
    if (reads(expr->right, counter)) {
        op = op == PML_LT ? PML_GT : op == PML_LE ? PML_GE : op == PML_GT ? PML_LT : op == PML_GE ? PML_LE : op;
        other = expr->left;
    } else if (!reads(expr->left, counter)) {
        return false;
    }
    if (!is_number(other, &bound))
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
    if (compares(guard, counter, false, last))
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
    if (stmt->kind != PML_ASSIGN || scalar_of(stmt->place) != counter || stmt->label_count ||
        stmt->value->kind != PML_BINARY || stmt->value->op != PML_ADD)
        return false;
    const struct pml_expr *sum = stmt->value;
    return (reads(sum->left, counter) && is_number(sum->right, &one) && one == 1) ||
           (reads(sum->right, counter) && is_number(sum->left, &one) && one == 1);
}

static bool is_good_counter(const struct pml_variable *variable)
{
    enum pml_base base = variable->type.base;
    return base != PML_RECORD && base != PML_CHAN && base != PML_MTYPE && !variable->type.is_truth &&
           !variable->channel;
}

/* What the options of a `do` are found to be. */
struct shape {
    bool has_bound, leaves_otherwise, has_otherwise;
    int64_t last;
    uint32_t leaving; /* UINT32_MAX: none */
    struct pml_option otherwise;
};

static bool note_bound(struct shape *shape, int64_t last)
{
    bool is_same = !shape->has_bound || shape->last == last;
    shape->has_bound = true;
    shape->last = last;
    return is_same;
}

static bool note_leaving(struct shape *shape, const struct pml_stmt *guard, const struct pml_variable *counter,
                         uint32_t option)
{
    int64_t last;
    if (shape->leaving != UINT32_MAX)
        return false;
    shape->leaving = option;
    shape->leaves_otherwise = guard->kind == PML_ELSE;
    if (shape->leaves_otherwise)
        return true;
    return guard->kind == PML_CONDITION && compares(guard->value, counter, true, &last) && note_bound(shape, last);
}

static bool note_iteration(struct set_loop_search *search, struct shape *shape, struct pml_set_loop *loop,
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
    struct shape shape = {.leaving = UINT32_MAX};
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

/* --- where it stands --- */

/* The nodes of the statement are those from its own to this one. */
static uint32_t last_node(const struct pml_stmt *stmt)
{
    uint32_t last = stmt->node + (stmt->kind == PML_IF || stmt->kind == PML_DO);
    for (uint32_t o = 0; o <= stmt->option_count; o++) {
        const struct pml_block *block = o < stmt->option_count ? &stmt->options[o] : &stmt->body;
        for (uint32_t i = 0; i < block->count; i++) {
            uint32_t inner = last_node(block->items[i]);
            last = inner > last ? inner : last;
        }
    }
    return last;
}

/* The value of a local variable where control comes to a node from outside of the loop there: that which all ways
 * there have given it. */
struct value_search {
    const struct pml_flow *flow;
    const struct pml_variable *variable;
    bool *is_seen; /* by node */
    bool has_value;
    int64_t value;
};

static bool note_value(struct value_search *search, int64_t value)
{
    bool is_same = !search->has_value || search->value == value;
    search->has_value = true;
    search->value = value;
    return is_same;
}

static bool value_at_entry(struct value_search *search)
{
    const struct pml_variable *variable = search->variable;
    int64_t value = 0;
    bool is_given = variable->is_parameter || (variable->initial && !is_number(variable->initial, &value));
    return !is_given && note_value(search, variable->is_inner ? 0 : value);
}

static bool value_at(struct value_search *search, uint32_t node, uint32_t from, uint32_t to);

/* ... behind a move from a node. */
static bool value_behind(struct value_search *search, uint32_t node, const struct pml_move *move)
{
    int64_t value;
    if (move->stmt && move->stmt->kind == PML_ASSIGN && scalar_of(move->stmt->place) == search->variable)
        return is_number(move->stmt->value, &value) && note_value(search, value);
    if (!search->variable->owner || (move->stmt && writes(move->stmt, search->variable)))
        return false;
    if (search->is_seen[node])
        return true;
    search->is_seen[node] = true;
    return value_at(search, node, 1, 0);
}

/* ... at a node, leaving out moves from the nodes from .. to. */
static bool value_at(struct value_search *search, uint32_t node, uint32_t from, uint32_t to)
{
    const struct pml_flow *flow = search->flow;
    bool is_known = node != flow->entry || value_at_entry(search);
    for (uint32_t n = 0; n < flow->nodes.count && is_known; n++) {
        if (n >= from && n <= to)
            continue;
        for (size_t m = 0; m < flow->nodes.items[n].moves.count && is_known; m++)
            if (flow->nodes.items[n].moves.items[m].target == node)
                is_known = value_behind(search, n, &flow->nodes.items[n].moves.items[m]);
    }
    return is_known;
}

static bool value_before_loop(struct set_loop_search *search, uint32_t begin, uint32_t end,
                              const struct pml_variable *counter, int64_t *first)
{
    struct value_search values = {.flow = search->flow, .variable = counter};
    values.is_seen = memory_zeroed(search->flow->nodes.count, sizeof *values.is_seen);
    bool is_known = value_at(&values, begin, begin, end) && values.has_value;
    free(values.is_seen);
    *first = values.value;
    return is_known;
}

/* Is the process never seen between the nodes, and does it come in at the first, from a step that it goes on from? */
static bool is_closed(const struct pml_flow *flow, uint32_t begin, uint32_t end)
{
    for (uint32_t n = 0; n < flow->nodes.count; n++) {
        const struct pml_node *node = &flow->nodes.items[n];
        bool is_inner = n >= begin && n <= end;
        if (is_inner && (node->is_end || node->is_accept || node->is_progress))
            return false;
        for (size_t m = 0; m < node->moves.count; m++) {
            const struct pml_move *move = &node->moves.items[m];
            bool is_message = move->stmt && (move->stmt->kind == PML_SEND || move->stmt->kind == PML_RECEIVE);
            bool comes_in = !is_inner && move->target >= begin && move->target <= end;
            if (comes_in && (move->target != begin || !move->keeps || is_message || move->is_shadowed))
                return false;
            bool stays = is_inner && move->target >= begin && move->target <= end;
            if ((is_inner && move->rank) || (stays && !move->keeps))
                return false;
        }
    }
    return flow->entry != begin;
}

static uint32_t move_of(const struct pml_node *node, const struct pml_stmt *stmt)
{
    for (uint32_t m = 0; m < node->moves.count; m++)
        if (node->moves.items[m].stmt == stmt)
            return m;
    return UINT32_MAX;
}

static void find_at(struct pml_flow *flow, uint32_t number, struct arena *arena)
{
    struct pml_node *node = &flow->nodes.items[number];
    struct pml_stmt *stmt = node->stmt;
    struct set_loop_search search = {.flow = flow, .arena = arena, .is_dstep = node->dstep != NULL};
    if (!stmt || stmt->kind != PML_DO || !(node->dstep || node->is_atomic))
        return;
    const struct pml_variable *counter = counter_of(stmt);
    uint32_t end = last_node(stmt);
    int64_t first;
    if (!counter || !is_closed(flow, number, end) || !value_before_loop(&search, number, end, counter, &first) ||
        !find_loop(&search, stmt, first))
        return;
    uint32_t exit = move_of(node, stmt->options[stmt->loop->exit].items[0]);
    if (exit == UINT32_MAX)
        return;
    ((struct pml_set_loop *)stmt->loop)->exit = exit;
    node->loop = stmt->loop;
    ((struct pml_variable *)counter)->is_folded = true;
}

void pml_set_loops_find(struct pml_flow *flow, struct arena *arena)
{
    const struct pml_proctype *proctype = flow->proctype;
    if (proctype->gives_way || proctype->is_deterministic || proctype->keeps_loops)
        return;
    for (uint32_t n = 0; n < flow->nodes.count; n++)
        find_at(flow, n, arena);
}

const struct pml_move *pml_fused_move(const struct pml_node *node)
{
    return &node->moves.items[node->loop ? node->loop->exit : 0];
}
