#include "lang/boolean/lower.h"

const struct variable *bp_home(const struct bp_lowering *lower, const struct flow_frame *frame,
                               const struct bp_variable *variable)
{
    if (variable->is_global)
        return lower->globals[variable->id];
    size_t slot = frame->procedure->id * (size_t)lower->flow->recursion + frame->level - 1;
    return lower->homes[slot][variable->id];
}

const struct variable *bp_choice(struct bp_lowering *lower, size_t number)
{
    struct threads *threads = &lower->threads;
    while (lower->choices.count <= number) {
        const char *name = arena_format(threads->system->arena, "choice%zu", lower->choices.count + 1);
        VEC_PUSH(&lower->choices, threads_bind(threads, name, threads->system->boolean, threads->thread->span));
    }
    return lower->choices.items[number];
}

static struct expr *read_home(struct bp_lowering *lower, const struct flow_frame *frame, const struct bp_expr *expr)
{
    const struct variable *home = bp_home(lower, frame, expr->variable);
    if (expr->variable->is_global)
        return threads_value(&lower->threads, home, expr->span);
    return threads_own(&lower->threads, home, lower->thread, expr->span);
}

/* What the variable is after the step. */
static struct expr *read_next(struct bp_lowering *lower, const struct flow_frame *frame, const struct bp_step *step,
                              const struct bp_expr *expr)
{
    for (size_t i = 0; step && i < step->names.count; i++)
        if (step->variables[i] == expr->variable)
            return bp_lower_expr(lower, frame, step, step->values.items[i]);
    return read_home(lower, frame, expr);
}

static struct expr *lower_schoose(struct bp_lowering *lower, const struct flow_frame *frame, const struct bp_step *step,
                                  const struct bp_expr *expr)
{
    struct system *system = lower->threads.system;
    struct expr *no = threads_not(&lower->threads, bp_lower_expr(lower, frame, step, expr->right), expr->span);
    struct expr *choice = threads_value(&lower->threads, bp_choice(lower, expr->choice), expr->span);
    struct expr *rest = expr_binary(system, OP_AND, no, choice, expr->span);
    return expr_binary(system, OP_OR, bp_lower_expr(lower, frame, step, expr->left), rest, expr->span);
}

static const enum operator operators[] = {
    [BP_EXPR_AND] = OP_AND,  [BP_EXPR_OR] = OP_OR,     [BP_EXPR_XOR] = OP_NE,
    [BP_EXPR_EQUAL] = OP_EQ, [BP_EXPR_DIFFER] = OP_NE, [BP_EXPR_IMPLIES] = OP_IMPLIES,
};

struct expr *bp_lower_expr(struct bp_lowering *lower, const struct flow_frame *frame, const struct bp_step *step,
                           const struct bp_expr *expr)
{
    struct threads *threads = &lower->threads;
    struct expr *left, *right;
    switch (expr->kind) {
    case BP_EXPR_CONSTANT:
        return threads_truth(threads, expr->value, expr->span);
    case BP_EXPR_READ:
        return read_home(lower, frame, expr);
    case BP_EXPR_NEXT:
        return read_next(lower, frame, step, expr);
    case BP_EXPR_ANY:
        return threads_value(threads, bp_choice(lower, expr->choice), expr->span);
    case BP_EXPR_SCHOOSE:
        return lower_schoose(lower, frame, step, expr);
    case BP_EXPR_NOT:
        return threads_not(threads, bp_lower_expr(lower, frame, step, expr->left), expr->span);
    default:
        left = bp_lower_expr(lower, frame, step, expr->left);
        right = bp_lower_expr(lower, frame, step, expr->right);
    }
    if (expr->kind == BP_EXPR_COND)
        return expr_cond(threads->system, bp_lower_expr(lower, frame, step, expr->condition), left, right, expr->span);
    return expr_binary(threads->system, operators[expr->kind], left, right, expr->span);
}

bool bp_is_free(const struct bp_expr *expr)
{
    while (expr->kind == BP_EXPR_NOT)
        expr = expr->left;
    return expr->kind == BP_EXPR_ANY;
}

static bool reads(const struct bp_lowering *lower, const struct flow_frame *frame, const struct bp_expr *expr,
                  const struct variable *home)
{
    if (!expr)
        return false;
    if (expr->kind == BP_EXPR_READ)
        return bp_home(lower, frame, expr->variable) == home;
    return reads(lower, frame, expr->left, home) || reads(lower, frame, expr->right, home) ||
           reads(lower, frame, expr->condition, home);
}

/* Does a value read what one before it assigns? */
static bool is_overtaken(const struct bp_lowering *lower, const struct flow_frame *frame, const struct bp_puts *puts,
                         size_t number)
{
    for (size_t i = 0; i < number; i++)
        if (reads(lower, frame, puts->items[number].source, puts->items[i].home))
            return true;
    return false;
}

/* All values are those of before. Empties the list. */
void bp_put_all(struct bp_lowering *lower, const struct flow_frame *frame, struct bp_puts *puts,
                struct thread_steps *body, struct span span)
{
    struct threads *threads = &lower->threads;
    for (size_t i = 0; i < puts->count; i++) {
        if (!is_overtaken(lower, frame, puts, i))
            continue;
        const struct variable *kept = threads_bind(threads, "kept", threads->system->boolean, span);
        threads_assign(threads, body, place_variable(threads->system, kept, span), puts->items[i].value, span);
        puts->items[i].value = threads_value(threads, kept, span);
    }
    for (size_t i = 0; i < puts->count; i++) {
        const struct bp_put *put = &puts->items[i];
        struct place *place = put->thread ? threads_place(threads, put->home, put->thread, span)
                                          : place_variable(threads->system, put->home, span);
        threads_assign(threads, body, place, put->value, span);
    }
    VEC_FREE(puts);
}
