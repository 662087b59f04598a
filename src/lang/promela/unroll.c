#include "lang/promela/unroll.h"

#include <string.h>

#include "lang/promela/walk.h"

enum { MOST_STEPS = 5000, MOST_CELLS = 4096, MOST_STARTED = 200 };

struct pml_cell {
    int64_t value;
    bool is_known;
};

/* What is known of the variables: those of init; global ones only where nobody else is there from the start, and until
 * a process that was started may have moved. */
struct pml_unrolling {
    struct pml_model *model;
    const struct pml_flow *flow;
    struct pml_cell *cells;
    uint32_t *first; /* by variable of init, then global: its first cell */
    uint32_t cell_count;
    bool knows_globals, is_alone;
    VEC(struct pml_stmt *) steps; /* done so far */
    VEC(bool) keeps;
};

static uint32_t number_of(const struct pml_unrolling *unrolling, const struct pml_variable *variable)
{
    return variable->owner ? variable->id : (uint32_t)unrolling->flow->proctype->locals.count + variable->id;
}

static bool evaluate(const struct pml_unrolling *unrolling, const struct pml_expr *expr, int64_t *value);

/* The cell of a variable, if it is known which one; NULL: it is not. */
static struct pml_cell *cell_of(const struct pml_unrolling *unrolling, const struct pml_place *place)
{
    const struct pml_variable *variable = place->variable;
    int64_t index = 0;
    if (place->below || variable->type.base == PML_RECORD || variable->type.base == PML_CHAN)
        return NULL;
    if (variable->owner ? variable->owner != unrolling->flow->proctype : !unrolling->knows_globals)
        return NULL;
    if (place->index && !evaluate(unrolling, place->index, &index))
        return NULL;
    if (index < 0 || index >= (variable->length ? variable->length : 1))
        return NULL;
    return &unrolling->cells[unrolling->first[number_of(unrolling, variable)] + index];
}

static bool evaluate_binary(enum pml_op op, int64_t a, int64_t b, int64_t *value)
{
    switch (op) {
    case PML_ADD:
        *value = a + b;
        return true;
    case PML_SUB:
        *value = a - b;
        return true;
    case PML_MUL:
        *value = a * b;
        return true;
    case PML_DIV:
        *value = b ? a / b : 0;
        return b != 0;
    case PML_MOD:
        *value = b ? a % b : 0;
        return b != 0;
    case PML_LT:
        *value = a < b;
        return true;
    case PML_LE:
        *value = a <= b;
        return true;
    case PML_GT:
        *value = a > b;
        return true;
    case PML_GE:
        *value = a >= b;
        return true;
    case PML_EQ:
        *value = a == b;
        return true;
    case PML_NE:
        *value = a != b;
        return true;
    case PML_AND:
        *value = a && b;
        return true;
    case PML_OR:
        *value = a || b;
        return true;
    default:
        return false;
    }
}

/* Numbers that stay small: the rest is left to the model. */
static bool is_small(int64_t value)
{
    return value > -1000000 && value < 1000000;
}

static bool evaluate(const struct pml_unrolling *unrolling, const struct pml_expr *expr, int64_t *value)
{
    int64_t left = 0, right = 0;
    const struct pml_cell *cell;
    switch (expr->kind) {
    case PML_NUMBER:
        *value = expr->value;
        return is_small(*value);
    case PML_READ:
        cell = cell_of(unrolling, expr->place);
        *value = cell ? cell->value : 0;
        return cell && cell->is_known;
    case PML_UNARY:
        if (!evaluate(unrolling, expr->left, &left) || expr->op == PML_COMPLEMENT)
            return false;
        *value = expr->op == PML_NOT ? !left : -left;
        return true;
    case PML_BINARY:
        return evaluate(unrolling, expr->left, &left) && evaluate(unrolling, expr->right, &right) &&
               evaluate_binary(expr->op, left, right, value) && is_small(*value);
    case PML_COND:
        return evaluate(unrolling, expr->condition, &left) &&
               evaluate(unrolling, left ? expr->left : expr->right, value);
    default:
        return false;
    }
}

static struct pml_expr *fold(struct pml_unrolling *unrolling, const struct pml_expr *expr);

static struct pml_place *fold_place(struct pml_unrolling *unrolling, const struct pml_place *place)
{
    if (!place)
        return NULL;
    struct pml_place *copy = ARENA_NEW(unrolling->model->arena, struct pml_place);
    *copy = *place;
    copy->index = fold(unrolling, place->index);
    copy->below = fold_place(unrolling, place->below);
    return copy;
}

static struct pml_argument *fold_arguments(struct pml_unrolling *unrolling, const struct pml_argument *arguments,
                                           uint32_t count)
{
    struct pml_argument *copy = ARENA_ARRAY(unrolling->model->arena, struct pml_argument, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        copy[i].place = fold_place(unrolling, arguments[i].place);
        copy[i].value = fold(unrolling, arguments[i].value);
    }
    return copy;
}

/* A copy in which what is known is a number. */
static struct pml_expr *fold(struct pml_unrolling *unrolling, const struct pml_expr *expr)
{
    int64_t value = 0;
    if (!expr)
        return NULL;
    struct pml_expr *copy = ARENA_NEW(unrolling->model->arena, struct pml_expr);
    *copy = *expr;
    if (expr->kind != PML_NUMBER && evaluate(unrolling, expr, &value)) {
        *copy = (struct pml_expr){.kind = PML_NUMBER, .value = value, .span = expr->span};
        return copy;
    }
    copy->condition = fold(unrolling, expr->condition);
    copy->left = fold(unrolling, expr->left);
    copy->right = fold(unrolling, expr->right);
    copy->place = fold_place(unrolling, expr->place);
    copy->arguments = fold_arguments(unrolling, expr->arguments, expr->argument_count);
    return copy;
}

static void forget(struct pml_unrolling *unrolling, const struct pml_variable *variable)
{
    uint32_t first = unrolling->first[number_of(unrolling, variable)];
    for (uint32_t i = 0; i < (variable->length ? variable->length : 1); i++)
        unrolling->cells[first + i].is_known = false;
}

/* Does the variable hold the number as it is? */
static bool holds(const struct pml_variable *variable, int64_t number)
{
    enum pml_base base = variable->type.base;
    return number >= 0 && number <= (base <= PML_BOOL ? 1 : base == PML_UNSIGNED ? -1 : 255);
}

static void learn(struct pml_unrolling *unrolling, const struct pml_place *place, const struct pml_expr *value)
{
    struct pml_cell *cell = cell_of(unrolling, place);
    int64_t number = 0;
    if (!cell) {
        forget(unrolling, place->variable);
        return;
    }
    cell->is_known = value && evaluate(unrolling, value, &number) && holds(place->variable, number);
    cell->value = number;
}

static void forget_received(struct pml_unrolling *unrolling, const struct pml_stmt *stmt)
{
    for (uint32_t i = 0; i < stmt->argument_count; i++)
        if (stmt->arguments[i].place)
            forget(unrolling, stmt->arguments[i].place->variable);
}

struct pml_run_search {
    bool found;
};

static void find_run(void *user, struct pml_expr *expr, bool is_operated)
{
    (void)is_operated;
    ((struct pml_run_search *)user)->found |= expr->kind == PML_RUN;
}

static bool starts_process(struct pml_stmt *stmt)
{
    struct pml_run_search search = {false};
    const struct pml_walk walk = {.user = &search, .expr = find_run};
    pml_walk_stmt(&walk, stmt);
    return search.found;
}

/* The statement, with what is known; then what is known afterwards. */
static void take(struct pml_unrolling *unrolling, const struct pml_move *move, bool is_sure)
{
    struct pml_stmt *copy = ARENA_NEW(unrolling->model->arena, struct pml_stmt);
    struct pml_stmt *stmt = move->stmt;
    *copy = *stmt;
    copy->label_count = 0;
    copy->value = fold(unrolling, stmt->value);
    copy->place = fold_place(unrolling, stmt->place);
    copy->channel = fold(unrolling, stmt->channel);
    copy->arguments = fold_arguments(unrolling, stmt->arguments, stmt->argument_count);
    if (stmt->kind == PML_ELSE || stmt->kind == PML_GOTO || stmt->kind == PML_BREAK) {
        copy->kind = PML_CONDITION;
        copy->value = ARENA_NEW(unrolling->model->arena, struct pml_expr);
        *copy->value = (struct pml_expr){.kind = PML_NUMBER, .value = 1, .span = stmt->span};
    }
    VEC_PUSH(&unrolling->steps, copy);
    VEC_PUSH(&unrolling->keeps, move->keeps);
    if (stmt->kind == PML_ASSIGN)
        learn(unrolling, stmt->place, stmt->value);
    else if (stmt->kind == PML_RECEIVE)
        forget_received(unrolling, stmt);
    unrolling->is_alone &= !starts_process(stmt);
    if (!unrolling->is_alone &&
        (!move->keeps || !is_sure || unrolling->model->has_priorities)) /* others may have moved */
        unrolling->knows_globals = false;
}

enum pml_chance { CHANCE_NO, CHANCE_YES, CHANCE_UNKNOWN, CHANCE_ELSE };

static enum pml_chance chance_of(struct pml_unrolling *unrolling, const struct pml_move *move)
{
    int64_t value = 0;
    if (!move->stmt)
        return CHANCE_YES;
    switch (move->stmt->kind) {
    case PML_ELSE:
        return CHANCE_ELSE;
    case PML_CONDITION:
        if (starts_process(move->stmt))
            return CHANCE_YES;
        return !evaluate(unrolling, move->stmt->value, &value) ? CHANCE_UNKNOWN : value ? CHANCE_YES : CHANCE_NO;
    case PML_SEND:
    case PML_RECEIVE:
        return CHANCE_UNKNOWN;
    case PML_DECLARE:
        return CHANCE_UNKNOWN;
    default:
        return CHANCE_YES;
    }
}

/* The one move that can be done here, now or later; NULL: there are several, or it is not known. */
static const struct pml_move *only_move(struct pml_unrolling *unrolling, const struct pml_node *node)
{
    const struct pml_move *found = NULL, *otherwise = NULL;
    for (size_t m = 0; m < node->moves.count; m++) {
        const struct pml_move *move = &node->moves.items[m];
        enum pml_chance chance = chance_of(unrolling, move);
        if (move->rank || move->dstep)
            return NULL;
        if (chance == CHANCE_ELSE)
            otherwise = move;
        if (chance == CHANCE_NO || chance == CHANCE_ELSE)
            continue;
        if (found || (chance == CHANCE_UNKNOWN && node->moves.count > 1))
            return NULL;
        found = move;
    }
    return found ? found : otherwise;
}

/* The end of an if or do is no statement: it is passed. It may end an atomic sequence; and where a rendezvous has given
 * that up before, it is a step: then this returns false. */
static bool pass(struct pml_unrolling *unrolling, const struct pml_move *move)
{
    size_t count = unrolling->steps.count;
    if (!count || unrolling->steps.items[count - 1]->kind == PML_SEND ||
        unrolling->steps.items[count - 1]->kind == PML_RECEIVE)
        return false;
    VEC_LAST(&unrolling->keeps) &= move->keeps;
    return true;
}

/* Which statement of the body control stops at: its place in it; `count`: the end; -1: inside one. */
static int64_t place_in_body(const struct pml_flow *flow, uint32_t node)
{
    const struct pml_block *body = &flow->proctype->body;
    for (uint32_t i = 0; i < body->count; i++)
        if (body->items[i]->node == node)
            return i;
    return node == flow->end ? (int64_t)body->count : -1;
}

/* Behind the last process that is started there is nothing to gain, and perhaps no end. */
static bool can_unroll(struct pml_unrolling *unrolling, uint32_t *stop)
{
    const struct pml_flow *flow = unrolling->flow;
    uint32_t at = flow->entry;
    size_t kept = 0, started = 0, processes = 0;
    while (at != flow->end && unrolling->steps.count < MOST_STEPS) {
        const struct pml_node *node = &flow->nodes.items[at];
        const struct pml_move *move = only_move(unrolling, node);
        if (!move || node->is_end || node->is_accept || node->is_progress || (!move->stmt && !pass(unrolling, move)))
            break;
        if (move->stmt)
            take(unrolling, move, chance_of(unrolling, move) != CHANCE_UNKNOWN);
        at = move->target;
        if (move->stmt && starts_process(move->stmt)) {
            started = unrolling->steps.count;
            processes++;
        }
        if (started > kept && !VEC_LAST(&unrolling->keeps) && place_in_body(flow, at) >= 0) {
            kept = unrolling->steps.count;
            *stop = at;
        }
    }
    unrolling->steps.count = unrolling->keeps.count = kept;
    return kept > 0 && processes < MOST_STARTED;
}

static void know_variable(struct pml_unrolling *unrolling, const struct pml_variable *variable, bool is_known)
{
    int64_t value = 0;
    bool has_value = !variable->initial_count && (!variable->initial || evaluate(unrolling, variable->initial, &value));
    uint32_t number = number_of(unrolling, variable), length = variable->length ? variable->length : 1;
    unrolling->first[number] = unrolling->cell_count;
    for (uint32_t i = 0; i < length; i++)
        unrolling->cells[unrolling->cell_count++] =
            (struct pml_cell){value, is_known && has_value && holds(variable, value)};
}

static uint32_t length_of(const struct pml_variable *variable)
{
    return variable->length ? variable->length : 1;
}

/* False: there are too many variables. */
static bool know_variables(struct pml_unrolling *unrolling)
{
    const struct pml_proctype *init = unrolling->flow->proctype;
    struct pml_model *model = unrolling->model;
    uint64_t count = 0;
    for (size_t i = 0; i < init->locals.count; i++)
        count += length_of(init->locals.items[i]);
    for (size_t i = 0; i < model->globals.count; i++)
        count += length_of(model->globals.items[i]);
    if (count > MOST_CELLS)
        return false;
    unrolling->cells = ARENA_ARRAY(model->arena, struct pml_cell, count + 1);
    unrolling->first = ARENA_ARRAY(model->arena, uint32_t, init->locals.count + model->globals.count + 1);
    for (size_t i = 0; i < init->locals.count; i++)
        know_variable(unrolling, init->locals.items[i], true);
    for (size_t i = 0; i < model->globals.count; i++)
        know_variable(unrolling, model->globals.items[i], true);
    return true;
}

/* Steps that keep control, and the one behind them, are an atomic sequence. */
static struct pml_block assemble(struct pml_unrolling *unrolling, struct pml_block rest)
{
    struct arena *arena = unrolling->model->arena;
    VEC(struct pml_stmt *) items = {0};
    for (size_t i = 0; i < unrolling->steps.count;) {
        size_t end = i;
        while (end + 1 < unrolling->steps.count && unrolling->keeps.items[end])
            end++;
        if (end == i) {
            VEC_PUSH(&items, unrolling->steps.items[i++]);
            continue;
        }
        struct pml_stmt *atomic = ARENA_NEW(arena, struct pml_stmt);
        *atomic = (struct pml_stmt){.kind = PML_ATOMIC, .span = unrolling->steps.items[i]->span, .text = "atomic"};
        atomic->body.count = (uint32_t)(end + 1 - i);
        atomic->body.items =
            arena_copy(arena, &unrolling->steps.items[i], sizeof(struct pml_stmt *) * atomic->body.count);
        VEC_PUSH(&items, atomic);
        i = end + 1;
    }
    for (uint32_t i = 0; i < rest.count; i++)
        VEC_PUSH(&items, rest.items[i]);
    struct pml_block block = {.count = (uint32_t)items.count};
    block.items = VEC_SEAL(&items, arena);
    return block;
}

struct pml_leaving {
    const struct pml_flow *flow;
    struct pml_block rest;
    const struct pml_proctype *init;
    bool is_possible;
};

static bool has_label(const struct pml_block *block, const char *label)
{
    bool found = false;
    for (uint32_t i = 0; i < block->count && !found; i++) {
        const struct pml_stmt *stmt = block->items[i];
        for (uint32_t l = 0; l < stmt->label_count; l++)
            found |= !strcmp(stmt->labels[l].name, label);
        for (uint32_t o = 0; o < stmt->option_count; o++)
            found |= has_label(&stmt->options[o], label);
        found |= has_label(&stmt->body, label) || has_label(&stmt->escape, label);
    }
    return found;
}

static void note_jump(void *user, struct pml_stmt *stmt)
{
    struct pml_leaving *leaving = user;
    if (stmt->kind == PML_GOTO)
        leaving->is_possible &= has_label(&leaving->rest, stmt->label);
}

static void note_label(void *user, struct pml_expr *expr, bool is_operated)
{
    struct pml_leaving *leaving = user;
    (void)is_operated;
    leaving->is_possible &= expr->kind != PML_AT || expr->proctype != leaving->init;
}

/* Does nothing lead back, and does nobody ask where init stands? */
static bool can_leave(struct pml_model *model, const struct pml_flow *flow, const struct pml_proctype *init,
                      struct pml_block rest)
{
    struct pml_leaving leaving = {.flow = flow, .rest = rest, .init = init, .is_possible = true};
    const struct pml_walk jumps = {.user = &leaving, .stmt = note_jump};
    const struct pml_walk labels = {.user = &leaving, .expr = note_label};
    pml_walk_block(&jumps, &rest);
    pml_walk_model(&labels, model);
    return leaving.is_possible;
}

static void note_folded(void *user, struct pml_expr *expr, bool is_operated)
{
    struct pml_unrolling *unrolling = user;
    (void)is_operated;
    if (expr->kind != PML_READ)
        return;
    const struct pml_variable *variable = expr->place->variable;
    struct pml_variable **all = variable->owner ? variable->owner->locals.items : unrolling->model->globals.items;
    all[variable->id]->is_folded = true;
}

bool pml_unroll(struct pml_model *model, const struct pml_flow *flow, struct pml_proctype *init)
{
    struct pml_unrolling unrolling = {.model = model, .flow = flow, .knows_globals = true, .is_alone = true};
    uint32_t stop = flow->entry;
    for (size_t p = 0; p < model->proctypes.count; p++)
        unrolling.is_alone &= model->proctypes.items[p] == init || !model->proctypes.items[p]->active;
    unrolling.knows_globals = unrolling.is_alone;
    bool is_done = know_variables(&unrolling) && can_unroll(&unrolling, &stop);
    int64_t place = place_in_body(flow, stop);
    struct pml_block rest = {0};
    if (is_done && place < (int64_t)init->body.count)
        rest = (struct pml_block){&init->body.items[place], init->body.count - (uint32_t)place};
    is_done = is_done && can_leave(model, flow, init, rest);
    if (is_done) {
        pml_walk_block(&(struct pml_walk){.user = &unrolling, .expr = note_folded}, &init->body);
        init->body = assemble(&unrolling, rest);
    }
    VEC_FREE(&unrolling.steps);
    VEC_FREE(&unrolling.keeps);
    return is_done;
}
