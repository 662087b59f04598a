/* One element of a crowd, in a loop or quantifier: it stands for all in its location, if there are any. */
#include "ir/same.h"
#include "ir/walk.h"
#include "reduce/crowd.h"

struct reduce_iteration crowd_begin(struct reduce_run *run, const struct element *element)
{
    struct reduce_iteration iteration = {run->pending.count,
                                         run->log.count,
                                         run->events.count,
                                         run->first_read,
                                         run->first_write,
                                         run->outer_write,
                                         run->sums.count,
                                         run->sum_events.count,
                                         element->family,
                                         element->location,
                                         *run_offset(run, element->family, element->location) + 1};
    if (run->mode != RUN_START) {
        struct pending pending = {
            .family = iteration.family, .location = iteration.location, .offset = iteration.offset};
        VEC_PUSH(&run->pending, pending);
    }
    run->first_read = run->crowd_reads.count;
    run->outer_write = run->first_write;
    run->first_write = run->crowd_writes.count;
    run->crowd_depth++;
    return iteration;
}

/* A value that is certain to be one, and no element. */
static bool iteration_is_plain(const struct reduce_value *value)
{
    if (value->kind == VALUE_KNOWN)
        return value->code != UNDEFINED;
    return value->kind == VALUE_RESIDUAL && !(value->expr->kind == EXPR_READ && value->expr->raw);
}

/* A local variable that the element, if there is one, has written. */
static enum reduce_go iteration_merge(struct reduce_run *run, const struct reduce_iteration *iteration, uint32_t cell,
                                      struct reduce_value before)
{
    struct reduce_value now = run->memory[cell];
    struct span span = {0};
    bool is_same =
        before.kind == now.kind && before.code == now.code && before.number == now.number && before.expr == now.expr;
    if (is_same)
        return GO_OK;
    const struct variable *variable = run->reducer->variables[cell];
    bool is_plain = iteration_is_plain(&before) && iteration_is_plain(&now) && type_is_scalar(variable->type) &&
                    !families_mentions(variable->type);
    if (!is_plain) {
        run->memory[cell].kind = VALUE_LOST;
        return GO_OK;
    }
    struct expr *present = make_presence(run, iteration->family, iteration->location, iteration->offset);
    struct expr *merged;
    if (variable->type->kind == TYPE_BOOL && now.kind == VALUE_KNOWN)
        merged = now.code ? make_binary(run, OP_OR, present, value_expr(run, &before, variable->type, span))
                          : make_binary(run, OP_AND, expr_unary(run->out, OP_NOT, present, span),
                                        value_expr(run, &before, variable->type, span));
    else
        merged = expr_cond(run->out, present, value_expr(run, &now, variable->type, span),
                           value_expr(run, &before, variable->type, span), span);
    struct reduce_spot spot = {.address = cell + run->reducer->system->state_cells, .element = NONE};
    return scratch_write(run, spot.address, value_of(merged), spot_is_kept(run, &spot), span);
}

static enum reduce_go iteration_merge_all(struct reduce_run *run, const struct reduce_iteration *iteration)
{
    size_t end = run->log.count;
    enum reduce_go go = GO_OK;
    for (size_t i = iteration->log; i < end && go == GO_OK; i++) {
        struct reduce_undo first = run->log.items[i];
        bool is_first = true;
        for (size_t j = iteration->log; j < i; j++)
            is_first &= run->log.items[j].cell != first.cell;
        if (is_first && !run_is_sum(run, iteration->sums, first.cell))
            go = iteration_merge(run, iteration, first.cell, first.value);
    }
    return go;
}

/* There is no element that has written local variables. */
static void iteration_undo(struct reduce_run *run, const struct reduce_iteration *iteration)
{
    while (run->log.count > iteration->log) {
        struct reduce_undo undo = VEC_POP(&run->log);
        run->memory[undo.cell] = undo.value;
    }
}

static void iteration_lose_all(struct reduce_run *run, const struct reduce_iteration *iteration)
{
    for (size_t i = iteration->log; i < run->log.count; i++)
        run->memory[run->log.items[i].cell].kind = VALUE_LOST;
}

struct reads {
    struct reduce_run *run;
    const struct reduce_iteration *iteration;
    bool is_found;
};

static bool reads_place(void *user, const struct place *place, bool is_written)
{
    struct reads *reads = user;
    const struct reduce_run *run = reads->run;
    if (is_written || place->base || touch_is_temporary(run, place->variable))
        return true;
    for (size_t e = reads->iteration->events; e < run->events.count; e++) {
        const struct reduce_event *event = &run->events.items[e];
        if (event->kind == EVENT_STMT && event->stmt->place &&
            place_root(event->stmt->place)->variable == place->variable)
            reads->is_found = true;
    }
    return true;
}

/* x := x | e and x := x & e do no harm when they are done again. */
static bool crowd_is_idempotent(const struct stmt *stmt)
{
    if (stmt->kind != STMT_ASSIGN || stmt->value->kind != EXPR_BINARY ||
        (stmt->value->op != OP_AND && stmt->value->op != OP_OR))
        return false;
    const struct expr *left = stmt->value->left;
    return left->kind == EXPR_READ && same_place(left->place, stmt->place) && stmt->value->right->kind == EXPR_CONST;
}

/* Shared effects are emitted once for all of the crowd: they must not build on each other. */
static enum reduce_go iteration_check(struct reduce_run *run, const struct reduce_iteration *iteration,
                                      struct span span)
{
    struct reads reads = {run, iteration, false};
    struct walker walker = {.on_place = reads_place, .user = &reads};
    for (size_t e = iteration->events; e < run->events.count; e++) {
        const struct reduce_event *event = &run->events.items[e];
        bool is_sum = false;
        for (size_t s = iteration->sum_events; s < run->sum_events.count; s++)
            is_sum |= run->sum_events.items[s] == e;
        if (is_sum || (event->kind == EVENT_STMT && crowd_is_idempotent(event->stmt)))
            continue;
        if (event->kind == EVENT_BRANCH)
            walk_expr(&walker, event->condition);
        else
            walk_stmt(&walker, event->stmt);
    }
    return reads.is_found ? run_refuse(run, span,
                                       "a shared value that accumulates over the iterations of a loop over "
                                       "a scalarset")
                          : GO_OK;
}

/* After the body: *is_absent when the run has found that there is no such element. */
enum reduce_go crowd_end(struct reduce_run *run, const struct reduce_iteration *iteration, enum reduce_go go,
                         bool is_quantifier, struct span span, bool *is_absent, bool *is_certain)
{
    bool has_pending = run->mode != RUN_START;
    int state = has_pending ? (int)run->pending.items[iteration->pending].state : (int)PENDING_TRUE;
    run->pending.count = iteration->pending;
    run->crowd_depth--;
    *is_absent = state == PENDING_FALSE;
    *is_certain = state == PENDING_TRUE;
    if (go == GO_SKIP && *is_absent) {
        iteration_undo(run, iteration);
        go = GO_OK;
    }
    if (go == GO_OK && !*is_absent)
        go = iteration_check(run, iteration, span);
    if (go == GO_OK && state == PENDING_OPEN && is_quantifier)
        iteration_lose_all(run, iteration);
    else if (go == GO_OK && state == PENDING_OPEN)
        go = iteration_merge_all(run, iteration);
    run->first_read = iteration->first_read;
    run->first_write = iteration->first_write;
    run->outer_write = iteration->outer_write;
    if (!run->crowd_depth) {
        VEC_CLEAR(&run->crowd_reads);
        VEC_CLEAR(&run->crowd_writes);
    }
    run->sums.count = iteration->sums;
    run->sum_events.count = iteration->sum_events;
    return go;
}
