#include "lang/boolean/lower.h"

/* A rule as it takes shape. */
struct bp_draft {
    struct bp_lowering *lower;
    const struct flow_move *move;
    const struct flow_node *node;
    struct flow_frame *frame;
    struct span span;
    struct rule *rule;
    struct thread_steps body;
    size_t choice_count; /* values that it chooses */
    bool is_free;        /* its condition can be either: no matter what * is */
};

static void require(struct bp_draft *draft, struct expr *condition)
{
    draft->rule->guard = threads_both(&draft->lower->threads, draft->rule->guard, condition, draft->span);
}

static struct expr *lower_own(struct bp_draft *draft, const struct bp_expr *expr)
{
    return bp_lower_expr(draft->lower, draft->frame, draft->move->step, expr);
}

static void put(struct bp_puts *puts, const struct variable *home, const struct variable *thread, struct expr *value,
                const struct bp_expr *source)
{
    if (home)
        VEC_PUSH(puts, ((struct bp_put){home, thread, value, source}));
}

static struct expr *any_value(struct bp_draft *draft)
{
    const struct variable *choice = bp_choice(draft->lower, draft->choice_count++);
    return threads_value(&draft->lower->threads, choice, draft->span);
}

/* The local variables that are no parameters get their first values. */
static void put_locals(struct bp_draft *draft, struct flow_frame *frame, struct bp_puts *puts)
{
    struct bp_lowering *lower = draft->lower;
    for (size_t i = frame->procedure->parameter_count; i < frame->procedure->variables.count; i++) {
        const struct bp_variable *variable = frame->procedure->variables.items[i];
        const struct variable *home = bp_home(lower, frame, variable);
        if (home && variable->initial < 0)
            put(puts, home, lower->thread, any_value(draft), NULL);
        else if (home && variable->initial)
            put(puts, home, lower->thread, threads_truth(&lower->threads, true, draft->span), NULL);
    }
}

static void put_arguments(struct bp_draft *draft, struct flow_frame *frame, const struct variable *thread,
                          struct bp_puts *puts)
{
    const struct bp_step *step = draft->move->step;
    for (size_t i = 0; i < step->values.count; i++)
        put(puts, bp_home(draft->lower, frame, frame->procedure->variables.items[i]), thread,
            lower_own(draft, step->values.items[i]), step->values.items[i]);
}

/* What is false while there is no such frame. */
static void clear_frame(struct bp_draft *draft, const struct flow_frame *frame)
{
    struct bp_lowering *lower = draft->lower;
    for (size_t i = 0; i < frame->procedure->variables.count; i++) {
        const struct variable *home = bp_home(lower, frame, frame->procedure->variables.items[i]);
        if (home)
            threads_assign_own(&lower->threads, &draft->body, home, lower->thread, 0, draft->span);
    }
}

static void lower_begin(struct bp_draft *draft)
{
    struct bp_puts puts = {0};
    put_locals(draft, draft->move->entered, &puts);
    bp_put_all(draft->lower, draft->frame, &puts, &draft->body, draft->span);
}

static void lower_call(struct bp_draft *draft)
{
    struct bp_lowering *lower = draft->lower;
    struct bp_puts puts = {0};
    if (draft->move->is_too_deep) {
        struct stmt *stmt = stmt_new(lower->threads.system, STMT_ERROR, draft->span);
        stmt->property = lower->too_deep;
        VEC_PUSH(&draft->body, stmt);
        return;
    }
    put_arguments(draft, draft->move->entered, lower->thread, &puts);
    put_locals(draft, draft->move->entered, &puts);
    bp_put_all(lower, draft->frame, &puts, &draft->body, draft->span);
}

/* To the variables of the caller; at the end of a procedure without return its values are any. */
static void put_results(struct bp_draft *draft, struct bp_puts *puts)
{
    struct bp_lowering *lower = draft->lower;
    const struct flow_frame *caller = draft->frame->caller;
    const struct bp_step *step = draft->move->step, *call = caller->procedure->steps.items[draft->frame->called_at];
    for (size_t i = 0; i < call->names.count; i++) {
        const struct bp_variable *variable = call->variables[i];
        const struct variable *home = variable ? bp_home(lower, caller, variable) : NULL;
        const struct bp_expr *source = i < step->values.count ? step->values.items[i] : NULL;
        if (home)
            put(puts, home, variable->is_global ? NULL : lower->thread,
                source ? lower_own(draft, source) : any_value(draft), source);
    }
}

static void lower_return(struct bp_draft *draft)
{
    struct bp_puts puts = {0};
    const struct flow_frame *last = draft->frame->caller;
    if (last)
        put_results(draft, &puts);
    bp_put_all(draft->lower, draft->frame, &puts, &draft->body, draft->span);
    if (last) /* the results may go to variables of the same name in other frames: those of this frame end last */
        clear_frame(draft, draft->frame);
}

static void lower_assign(struct bp_draft *draft)
{
    struct bp_lowering *lower = draft->lower;
    const struct bp_step *step = draft->move->step;
    struct bp_puts puts = {0};
    for (size_t i = 0; i < step->names.count; i++) {
        const struct bp_variable *variable = step->variables[i];
        const struct variable *home = variable ? bp_home(lower, draft->frame, variable) : NULL;
        if (!home)
            continue;
        const struct bp_expr *source = step->kind == BP_STEP_DEAD ? NULL : step->values.items[i];
        put(&puts, home, variable->is_global ? NULL : lower->thread,
            source ? lower_own(draft, source) : any_value(draft), source);
    }
    if (step->condition)
        require(draft, lower_own(draft, step->condition));
    bp_put_all(lower, draft->frame, &puts, &draft->body, draft->span);
}

static void lower_condition(struct bp_draft *draft)
{
    const struct bp_expr *condition = draft->move->step->condition;
    draft->is_free = bp_is_free(condition);
    if (draft->is_free)
        return;
    struct expr *value = lower_own(draft, condition);
    bool is_negated = draft->move->truth == FLOW_IF_FALSE;
    require(draft, is_negated ? threads_not(&draft->lower->threads, value, draft->span) : value);
}

static void lower_assert(struct bp_draft *draft)
{
    struct stmt *stmt = stmt_new(draft->lower->threads.system, STMT_ASSERT, draft->span);
    stmt->value = lower_own(draft, draft->move->step->condition);
    stmt->property = draft->move->step->property;
    VEC_PUSH(&draft->body, stmt);
}

/* The new thread is a copy that goes on at the label. */
static void copy_frames(struct bp_draft *draft)
{
    struct bp_lowering *lower = draft->lower;
    struct bp_puts puts = {0};
    for (const struct flow_frame *frame = draft->frame; frame; frame = frame->caller)
        for (size_t i = 0; i < frame->procedure->variables.count; i++) {
            const struct variable *home = bp_home(lower, frame, frame->procedure->variables.items[i]);
            if (home)
                put(&puts, home, lower->other, threads_own(&lower->threads, home, lower->thread, draft->span), NULL);
        }
    bp_put_all(lower, draft->frame, &puts, &draft->body, draft->span);
}

static void lower_start(struct bp_draft *draft)
{
    struct bp_lowering *lower = draft->lower;
    struct bp_puts puts = {0};
    threads_add_parameter(&lower->threads, draft->rule, lower->other);
    require(draft, threads_is(&lower->threads, lower->pc, lower->other, bp_unborn(lower), draft->span));
    threads_assign_own(&lower->threads, &draft->body, lower->pc, lower->other, draft->move->started, draft->span);
    if (draft->move->step->kind == BP_STEP_START_GOTO) {
        copy_frames(draft);
        return;
    }
    put_arguments(draft, lower->flow->nodes.items[draft->move->started].frame, lower->other, &puts);
    bp_put_all(lower, draft->frame, &puts, &draft->body, draft->span);
}

/* All that wait go on. */
static void lower_broadcast(struct bp_draft *draft)
{
    struct bp_lowering *lower = draft->lower;
    struct threads *threads = &lower->threads;
    struct thread_steps list = {0};
    for (size_t i = 0; i < lower->flow->nodes.count; i++) {
        const struct flow_node *node = &lower->flow->nodes.items[i];
        if (!node->is_waiting)
            continue;
        struct stmt *stmt = stmt_new(threads->system, STMT_IF, draft->span);
        struct thread_steps then = {0};
        stmt->value = threads_is(threads, lower->pc, lower->each, (uint32_t)i, draft->span);
        threads_assign_own(threads, &then, lower->pc, lower->each, flow_woken(node), draft->span);
        stmt->body = threads_seal(threads, &then);
        stmt->otherwise = threads_seal(threads, &list); /* what stands in the list already */
        VEC_PUSH(&list, stmt);
    }
    if (list.count)
        VEC_PUSH(&draft->body, threads_for_all(threads, lower->each, &list, draft->span));
}

static void lower_step(struct bp_draft *draft)
{
    switch (draft->move->step->kind) {
    case BP_STEP_ASSIGN:
    case BP_STEP_DEAD:
        lower_assign(draft);
        break;
    case BP_STEP_CALL:
        lower_call(draft);
        break;
    case BP_STEP_ASSUME:
    case BP_STEP_BRANCH:
        lower_condition(draft);
        break;
    case BP_STEP_ASSERT:
        lower_assert(draft);
        break;
    case BP_STEP_RETURN:
        lower_return(draft);
        break;
    case BP_STEP_START_CALL:
    case BP_STEP_START_GOTO:
        lower_start(draft);
        break;
    case BP_STEP_BROADCAST:
        lower_broadcast(draft);
        break;
    default:
        break;
    }
}

/* Does the step begin or end an atomic section, or its thread within one? */
static void lower_atomic(struct bp_draft *draft)
{
    struct bp_lowering *lower = draft->lower;
    bool was = draft->node->is_atomic;
    bool is = draft->move->to != BP_NOWHERE && lower->flow->nodes.items[draft->move->to].is_atomic;
    if (was == is)
        return;
    struct place *place = place_variable(lower->threads.system, lower->atomic, draft->span);
    struct expr *value = threads_truth(&lower->threads, is, draft->span);
    threads_assign(&lower->threads, &draft->body, place, value, draft->span);
}

static void lower_place(struct bp_draft *draft)
{
    struct bp_lowering *lower = draft->lower;
    bool ends = draft->move->to == BP_NOWHERE;
    for (const struct flow_frame *frame = draft->frame; ends && frame; frame = frame->caller)
        clear_frame(draft, frame);
    threads_assign_own(&lower->threads, &draft->body, lower->pc, lower->thread,
                       ends ? bp_unborn(lower) : draft->move->to, draft->span);
}

static void add_choices(struct bp_draft *draft)
{
    struct bp_lowering *lower = draft->lower;
    if (draft->choice_count > LOWER_MAX_CHOICES)
        report_error(lower->diagnostics, draft->span, "this step chooses %zu values; at most %d are supported",
                     draft->choice_count, LOWER_MAX_CHOICES);
    for (size_t i = 0; i < draft->choice_count && !draft->is_free && !lower->diagnostics->errors; i++)
        threads_add_parameter(&lower->threads, draft->rule, bp_choice(lower, i));
}

static void lower_guard(struct bp_draft *draft)
{
    struct bp_lowering *lower = draft->lower;
    const struct bp_exprs *enforced = &draft->frame->procedure->enforced;
    draft->rule->guard = threads_is(&lower->threads, lower->pc, lower->thread, draft->move->from, draft->span);
    if (lower->atomic && !draft->node->is_atomic)
        require(draft,
                threads_not(&lower->threads, threads_value(&lower->threads, lower->atomic, draft->span), draft->span));
    for (size_t i = 0; draft->move->step && i < enforced->count; i++)
        require(draft, bp_lower_expr(lower, draft->frame, NULL, enforced->items[i]));
}

void bp_lower_move(struct bp_lowering *lower, const struct flow_move *move)
{
    const struct flow_node *node = &lower->flow->nodes.items[move->from];
    struct bp_draft draft = {.lower = lower, .move = move, .node = node, .frame = node->frame};
    draft.span = move->step ? move->step->span : node->frame->procedure->name.span;
    draft.choice_count = move->step ? move->step->choice_count : 0;
    draft.rule = system_add_rule(lower->threads.system, bp_rule_name(lower, move), draft.span);
    threads_add_parameter(&lower->threads, draft.rule, lower->thread);
    lower_guard(&draft);
    if (move->step)
        lower_step(&draft);
    else
        lower_begin(&draft);
    lower_place(&draft);
    lower_atomic(&draft);
    add_choices(&draft);
    draft.rule->body = threads_seal(&lower->threads, &draft.body);
}
