#include "lang/boolean/flow.h"

#include "base/report.h"

static uint32_t level_of(const struct flow_frame *caller, const struct bp_procedure *procedure)
{
    uint32_t level = 1;
    for (; caller; caller = caller->caller)
        level += caller->procedure == procedure;
    return level;
}

static struct flow_frame *new_frame(struct bp_flow *flow, const struct bp_procedure *procedure,
                                    struct flow_frame *caller, uint32_t called_at)
{
    struct flow_frame *frame = ARENA_NEW(flow->arena, struct flow_frame);
    size_t count = procedure->steps.count;
    frame->procedure = procedure;
    frame->caller = caller;
    frame->called_at = called_at;
    frame->level = level_of(caller, procedure);
    frame->id = (uint32_t)flow->frames.count;
    frame->entry = BP_NOWHERE;
    frame->nodes = ARENA_ARRAY(flow->arena, uint32_t, 4 * count);
    for (size_t i = 0; i < 4 * count; i++)
        frame->nodes[i] = BP_NOWHERE;
    frame->callees = ARENA_ARRAY(flow->arena, struct flow_frame *, count);
    VEC_PUSH(&flow->frames, frame);
    return frame;
}

/* Past the steps that take no time; a cycle of them is cut at any of them. */
static uint32_t settle(const struct bp_procedure *procedure, uint32_t step)
{
    for (size_t i = 0; i < procedure->steps.count && procedure->steps.items[step]->kind == BP_STEP_PASS; i++)
        step = procedure->steps.items[step]->next;
    return step;
}

static uint32_t add_node(struct bp_flow *flow, struct flow_node node)
{
    VEC_PUSH(&flow->nodes, node);
    return (uint32_t)flow->nodes.count - 1;
}

static uint32_t node_at(struct bp_flow *flow, struct flow_frame *frame, uint32_t step, bool is_atomic, bool is_waiting)
{
    step = settle(frame->procedure, step);
    uint32_t *node = &frame->nodes[4 * step + 2 * is_waiting + is_atomic];
    if (*node == BP_NOWHERE)
        *node = add_node(flow, (struct flow_node){frame, step, is_atomic, is_waiting});
    return *node;
}

/* Where a thread that runs the procedure begins. */
static uint32_t entry_of(struct bp_flow *flow, const struct bp_procedure *procedure)
{
    struct flow_frame **root = &flow->roots.items[procedure->id];
    if (!*root) {
        *root = new_frame(flow, procedure, NULL, BP_NOWHERE);
        (*root)->entry = add_node(flow, (struct flow_node){.frame = *root, .step = BP_NOWHERE});
    }
    return (*root)->entry;
}

static struct flow_frame *callee_of(struct bp_flow *flow, struct flow_frame *frame, uint32_t step,
                                    const struct bp_procedure *called)
{
    if (!frame->callees[step])
        frame->callees[step] = new_frame(flow, called, frame, step);
    return frame->callees[step];
}

static void add_call(struct bp_flow *flow, struct flow_move move, const struct flow_node *node)
{
    const struct bp_procedure *called = move.step->called;
    if (level_of(node->frame, called) > flow->recursion) {
        move.is_too_deep = true;
        move.to = move.from;
    } else {
        move.entered = callee_of(flow, node->frame, node->step, called);
        move.to = node_at(flow, move.entered, 0, node->is_atomic, false);
    }
    VEC_PUSH(&flow->moves, move);
}

static void add_return(struct bp_flow *flow, struct flow_move move, const struct flow_node *node)
{
    struct flow_frame *caller = node->frame->caller;
    move.left = node->frame;
    if (caller)
        move.to =
            node_at(flow, caller, caller->procedure->steps.items[node->frame->called_at]->next, node->is_atomic, false);
    VEC_PUSH(&flow->moves, move);
}

static void add_gotos(struct bp_flow *flow, struct flow_move move, const struct flow_node *node)
{
    for (size_t i = 0; i < move.step->names.count; i++) {
        move.target = (uint32_t)i;
        move.to = node_at(flow, node->frame, move.step->targets[i], node->is_atomic, false);
        VEC_PUSH(&flow->moves, move);
    }
}

static void add_branches(struct bp_flow *flow, struct flow_move move, const struct flow_node *node)
{
    uint32_t targets[] = {move.step->next, move.step->other};
    for (size_t i = 0; i < 2; i++) {
        move.truth = i ? FLOW_IF_FALSE : FLOW_IF_TRUE;
        move.to = node_at(flow, node->frame, targets[i], node->is_atomic, false);
        VEC_PUSH(&flow->moves, move);
    }
}

/* To the next step; some steps change more than variables. */
static void add_plain(struct bp_flow *flow, struct flow_move move, const struct flow_node *node)
{
    enum bp_step_kind kind = move.step->kind;
    bool is_atomic = kind == BP_STEP_ATOMIC_BEGIN || (node->is_atomic && kind != BP_STEP_ATOMIC_END);
    bool waits = kind == BP_STEP_WAIT;
    flow->has_atomic |= is_atomic;
    if (kind == BP_STEP_START_CALL)
        move.started = entry_of(flow, move.step->called);
    if (kind == BP_STEP_START_GOTO)
        move.started = node_at(flow, node->frame, move.step->targets[0], false, false);
    move.to = node_at(flow, node->frame, waits ? node->step : move.step->next, is_atomic, waits);
    VEC_PUSH(&flow->moves, move);
}

static void add_step(struct bp_flow *flow, struct flow_move move, const struct flow_node *node)
{
    move.step = node->frame->procedure->steps.items[node->step];
    switch (move.step->kind) {
    case BP_STEP_CALL:
        add_call(flow, move, node);
        break;
    case BP_STEP_RETURN:
        add_return(flow, move, node);
        break;
    case BP_STEP_END_THREAD:
        move.left = node->frame;
        VEC_PUSH(&flow->moves, move);
        break;
    case BP_STEP_GOTO:
        add_gotos(flow, move, node);
        break;
    case BP_STEP_BRANCH:
        add_branches(flow, move, node);
        break;
    case BP_STEP_PASS: /* a cycle without a step: nothing happens there */
        break;
    default:
        add_plain(flow, move, node);
    }
}

static void expand(struct bp_flow *flow, uint32_t number)
{
    struct flow_node node = flow->nodes.items[number]; /* the list may move */
    struct flow_move move = {.from = number, .to = BP_NOWHERE, .started = BP_NOWHERE};
    if (node.is_waiting) /* a broadcast moves it; that it has a node to go to must be known */
        node_at(flow, node.frame, node.frame->procedure->steps.items[node.step]->next, node.is_atomic, false);
    else if (node.step != BP_NOWHERE)
        add_step(flow, move, &node);
    else {
        move.entered = node.frame;
        move.to = node_at(flow, node.frame, 0, false, false);
        VEC_PUSH(&flow->moves, move);
    }
}

/* Anywhere: what a program means does not depend on whether a step can be reached. */
static bool starts_threads(const struct bp_program *program)
{
    for (size_t p = 0; p < program->procedures.count; p++)
        for (size_t i = 0; i < program->procedures.items[p]->steps.count; i++) {
            enum bp_step_kind kind = program->procedures.items[p]->steps.items[i]->kind;
            if (kind == BP_STEP_START_CALL || kind == BP_STEP_START_GOTO)
                return true;
        }
    return false;
}

bool flow_build(struct bp_flow *flow, const struct bp_program *program, uint32_t recursion, struct arena *arena,
                struct diagnostics *diagnostics)
{
    *flow = (struct bp_flow){.program = program, .arena = arena, .diagnostics = diagnostics, .recursion = recursion};
    for (size_t i = 0; i < program->procedures.count; i++)
        VEC_PUSH(&flow->roots, NULL);
    flow->has_starts = starts_threads(program);
    flow->start = entry_of(flow, program->main);
    for (uint32_t i = 0; i < flow->nodes.count && !diag_is_late(diagnostics); i++) {
        expand(flow, i);
        if (flow->nodes.count > FLOW_MAX_NODES) {
            report_error(diagnostics, program->main->name.span,
                         "with its procedures inlined the program has more than %d places", FLOW_MAX_NODES);
            diag_hint(diagnostics, "a smaller --recursion helps where procedures call themselves");
            return false;
        }
    }
    return !diagnostics->errors;
}

void flow_free(struct bp_flow *flow)
{
    VEC_FREE(&flow->frames);
    VEC_FREE(&flow->nodes);
    VEC_FREE(&flow->moves);
    VEC_FREE(&flow->roots);
}

uint32_t flow_woken(const struct flow_node *node)
{
    const struct bp_procedure *procedure = node->frame->procedure;
    uint32_t step = settle(procedure, procedure->steps.items[node->step]->next);
    return node->frame->nodes[4 * step + node->is_atomic];
}

/* One round: each node's number of threads that are started from there on, from those of its successors. */
static bool improve(const struct bp_flow *flow, uint32_t *counts, uint32_t most)
{
    bool is_better = false;
    for (size_t i = 0; i < flow->nodes.count; i++) {
        const struct flow_node *node = &flow->nodes.items[i];
        uint32_t count = node->is_waiting ? counts[flow_woken(node)] : 0;
        is_better |= count > counts[i];
        counts[i] = count > counts[i] ? count : counts[i];
    }
    for (size_t i = flow->moves.count; i-- > 0;) {
        const struct flow_move *move = &flow->moves.items[i];
        uint64_t count = move->to == BP_NOWHERE ? 0 : counts[move->to];
        if (move->started != BP_NOWHERE)
            count += 1 + (uint64_t)counts[move->started];
        count = count > most ? most : count;
        if (count > counts[move->from]) {
            counts[move->from] = (uint32_t)count;
            is_better = true;
        }
    }
    return is_better;
}

uint32_t flow_count_threads(const struct bp_flow *flow)
{
    enum { MOST = 1000 };
    uint32_t *counts = memory_zeroed(flow->nodes.count + 1, sizeof *counts);
    /* A number that grows in a cycle exceeds the most there can be. */
    while (improve(flow, counts, MOST) && counts[flow->start] < MOST && !diag_is_late(flow->diagnostics))
        ;
    uint32_t count = counts[flow->start];
    free(counts);
    return count < MOST ? 1 + count : 0;
}
