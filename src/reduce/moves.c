/* What a loop over a crowd does to counters and pointers, and sums over a crowd. */
#include "ir/same.h"
#include "reduce/crowd.h"

static const struct span nowhere;

static uint32_t moves_target(const struct moves *moves, uint32_t family, uint32_t location)
{
    for (size_t m = 0; m < moves->count; m++)
        if (moves->items[m].family == family && moves->items[m].from == location)
            return moves->items[m].to;
    return NONE;
}

/* A loop that exchanges local states could leave all counters as they are and yet change the state. */
static bool moves_have_cycle(const struct moves *moves)
{
    for (size_t m = 0; m < moves->count; m++) {
        uint32_t family = moves->items[m].family, at = moves->items[m].to;
        for (size_t steps = 0; at != NONE && steps <= moves->count; steps++) {
            if (at == moves->items[m].from)
                return true;
            at = moves_target(moves, family, at);
        }
    }
    return false;
}

/* In a start state all numbers are known. */
static void moves_apply_start(struct reduce_run *run, const struct moves *moves)
{
    int32_t *going = memory_zeroed(moves->count, sizeof *going);
    for (size_t m = 0; m < moves->count; m++) {
        int32_t *from = run_offset(run, moves->items[m].family, moves->items[m].from);
        going[m] = *from;
        *from = 0;
    }
    for (size_t m = 0; m < moves->count; m++)
        *run_offset(run, moves->items[m].family, moves->items[m].to) += going[m];
    free(going);
}

/* if d = A then d := B else if d = ... */
static struct stmt *moves_pointer_chain(struct reduce_run *run, const struct moves *moves, uint32_t family,
                                        const struct variable *at)
{
    struct stmt *chain = NULL;
    for (size_t m = moves->count; m-- > 0;) {
        if (moves->items[m].family != family)
            continue;
        struct stmt *stmt = stmt_new(run->out, STMT_IF, nowhere);
        stmt->value = make_binary(run, OP_EQ, make_read(run, at), make_location(run, family, moves->items[m].from));
        stmt->body.items = ARENA_ARRAY(run->out->arena, struct stmt *, 1);
        stmt->body.items[0] = make_assign(run, make_place(run, at), make_location(run, family, moves->items[m].to));
        stmt->body.count = 1;
        if (chain) {
            stmt->otherwise.items = ARENA_ARRAY(run->out->arena, struct stmt *, 1);
            stmt->otherwise.items[0] = chain;
            stmt->otherwise.count = 1;
        }
        chain = stmt;
    }
    return chain;
}

/* The elements that pointers hold move with the crowd. */
static enum reduce_go moves_pointers(struct reduce_run *run, const struct moves *moves)
{
    const struct reduction *reduction = run->reducer->reduction;
    for (uint32_t p = 0; p < reduction->pointer_count; p++)
        for (uint32_t f = 0; f < reduction->family_count; f++) {
            bool concerns = false;
            for (size_t m = 0; m < moves->count; m++)
                concerns |= moves->items[m].family == f;
            if (!concerns || !type_has(reduction->pointers[p].type, reduction->families[f].code))
                continue;
            enum reduce_go go = ask_pointer(run, p);
            if (go != GO_OK)
                return go;
            const struct reduce_value *holds = &run->holds[p];
            if (holds->kind == VALUE_ELSEWHERE && holds->family == f && !run->reducer->is_analysis)
                run_push_event(run, moves_pointer_chain(run, moves, f, reduction->pointers[p].at[f]));
        }
    return GO_OK;
}

static const struct variable *moves_temporary(struct reduce_run *run)
{
    struct reducer *reducer = run->reducer;
    uint32_t most = 0;
    for (uint32_t f = 0; f < reducer->reduction->family_count; f++)
        if (reducer->reduction->families[f].size > most)
            most = reducer->reduction->families[f].size;
    if (!reducer->moved_type)
        reducer->moved_type = type_range(run->out, NULL, 0, (int32_t)most, nowhere);
    return make_temporary(run, reducer->moved_type);
}

static void moves_counters(struct reduce_run *run, const struct moves *moves)
{
    bool has_chain = false;
    for (size_t m = 0; m < moves->count; m++)
        has_chain |= moves_target(moves, moves->items[m].family, moves->items[m].to) != NONE;
    struct expr **going = memory_zeroed(moves->count, sizeof(struct expr *));
    for (size_t m = 0; m < moves->count; m++) {
        const struct move *move = &moves->items[m];
        going[m] = make_crowd(run, move->family, move->from);
        if (!has_chain)
            continue;
        const struct variable *temporary = moves_temporary(run);
        run_push_event(run, make_assign(run, make_place(run, temporary), going[m]));
        going[m] = make_read(run, temporary);
    }
    for (size_t m = 0; m < moves->count; m++) {
        const struct move *move = &moves->items[m];
        struct expr *rest = make_number(run, -(int64_t)*run_offset(run, move->family, move->from));
        struct stmt *leave = make_assign(run, make_count_place(run, move->family, move->from), rest);
        struct expr *sum = make_binary(run, OP_ADD, make_count(run, move->family, move->to), going[m]);
        struct stmt *arrive = make_assign(run, make_count_place(run, move->family, move->to), sum);
        if (has_chain)
            continue;
        run_push_event(run, arrive);
        run_push_event(run, leave);
    }
    for (size_t m = 0; m < moves->count && has_chain; m++) {
        const struct move *move = &moves->items[m];
        struct expr *rest = make_number(run, -(int64_t)*run_offset(run, move->family, move->from));
        run_push_event(run, make_assign(run, make_count_place(run, move->family, move->from), rest));
    }
    for (size_t m = 0; m < moves->count && has_chain; m++) {
        const struct move *move = &moves->items[m];
        struct expr *sum = make_binary(run, OP_ADD, make_count(run, move->family, move->to), going[m]);
        run_push_event(run, make_assign(run, make_count_place(run, move->family, move->to), sum));
    }
    free(going);
}

enum reduce_go moves_apply(struct reduce_run *run, const struct moves *moves, struct span span)
{
    if (run->mode == RUN_START) {
        moves_apply_start(run, moves);
        return GO_OK;
    }
    if (moves_have_cycle(moves))
        return run_refuse(run, span, "a loop that exchanges local states");
    run->has_moved = true;
    enum reduce_go go = moves_pointers(run, moves);
    if (go == GO_OK)
        go = run_settle(run);
    if (go == GO_OK)
        moves_counters(run, moves);
    return go;
}

/* ---- sums ---- */

/* Is it x := x op e? */
static bool sum_is_one(const struct stmt *stmt)
{
    const struct expr *value = stmt->value;
    if (value->kind != EXPR_BINARY || value->left->kind != EXPR_READ)
        return false;
    if (value->op != OP_ADD && value->op != OP_SUB && value->op != OP_AND && value->op != OP_OR)
        return false;
    return same_place(stmt->place, value->left->place);
}

/* How many elements the innermost iteration stands for. */
static struct reduce_value sum_crowd(struct reduce_run *run)
{
    const struct element *one = &VEC_LAST(&run->elements);
    struct reduce_value number;
    ++*run_offset(run, one->family, one->location);
    if (run->mode == RUN_START)
        number = value_known(*run_offset(run, one->family, one->location));
    else
        number = value_residual(make_crowd(run, one->family, one->location));
    --*run_offset(run, one->family, one->location);
    return number;
}

static struct expr *sum_expr(struct reduce_run *run, enum operator op, struct reduce_value before, int64_t each)
{
    const struct type *integer = run->reducer->system->integer;
    struct reduce_value crowd = sum_crowd(run);
    struct expr *all = make_binary(run, OP_MUL, value_expr(run, &crowd, integer, nowhere), make_number(run, each));
    if (each == 1)
        all = value_expr(run, &crowd, integer, nowhere);
    if (before.kind == VALUE_KNOWN && before.code == 0 && op == OP_ADD)
        return all;
    return make_binary(run, op, value_expr(run, &before, integer, nowhere), all);
}

static enum reduce_go sum_add(struct reduce_run *run, const struct stmt *stmt, const struct reduce_spot *spot,
                              struct reduce_value before, struct reduce_value each)
{
    if (each.kind != VALUE_KNOWN || !spot_is_fresh(run, spot))
        return run_refuse(run, stmt->span, "a sum over a scalarset of values that are not constant");
    struct expr *sum = sum_expr(run, stmt->value->op, before, each.code);
    if (spot->residual) {
        struct stmt *made = make_assign(run, spot->residual, sum);
        made->span = stmt->span;
        if (run->pure)
            return run_refuse(run, stmt->span, "a function that changes the state, called in an expression");
        VEC_PUSH(&run->sum_events, run->events.count);
        run_push_event(run, made);
        return GO_OK;
    }
    VEC_PUSH(&run->sums, spot->address - run->reducer->system->state_cells);
    size_t events = run->events.count;
    enum reduce_go go = scratch_write(run, spot->address, value_of(sum), spot_is_kept(run, spot), stmt->span);
    if (run->events.count > events)
        VEC_PUSH(&run->sum_events, run->events.count - 1);
    return go;
}

bool crowd_accumulates(struct reduce_run *run, const struct stmt *stmt, enum reduce_go *go)
{
    struct reduce_value before, right;
    struct reduce_spot spot;
    if (!sum_is_one(stmt) || !VEC_LAST(&run->elements).is_crowd)
        return false;
    *go = place_resolve(run, stmt->place, &spot);
    if (*go != GO_OK)
        return true;
    bool is_scratch = !spot.residual && spot.address >= run->reducer->system->state_cells;
    if ((!is_scratch && !spot.residual) || (is_scratch && spot_is_new(run, &spot)))
        return false;
    size_t reads = run->crowd_reads.count;
    *go = spot_read(run, &spot, false, stmt->span, &before);
    run->crowd_reads.count = reads;
    if (*go == GO_OK)
        *go = eval_expr(run, stmt->value->right, &right);
    if (*go != GO_OK)
        return true;
    if (stmt->value->op == OP_ADD || stmt->value->op == OP_SUB) {
        *go = sum_add(run, stmt, &spot, before, right);
        return true;
    }
    if (!is_scratch) /* x := x | e: seen to be harmless later */
        return false;
    const struct type *boolean = run->reducer->system->boolean;
    struct expr *joined = make_binary(run, stmt->value->op, value_expr(run, &before, boolean, stmt->span),
                                      value_expr(run, &right, boolean, stmt->span));
    if (spot_is_kept(run, &spot))
        *go = run_settle(run);
    if (*go == GO_OK)
        *go = scratch_write(run, spot.address, value_of(joined), spot_is_kept(run, &spot), stmt->span);
    return true;
}
