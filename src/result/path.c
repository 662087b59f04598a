#include "result/path.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "exec/conditions.h"
#include "ir/fairness.h"
#include "result/fair.h"
#include "result/never.h"

struct result_path {
    const struct trace *trace;
    struct stepper *stepper;
    uint32_t count;  /* positions: the last state of a loop is that of an earlier one */
    bool is_maximal; /* ends in a cycle, or in a state without successors */
    bool counts;     /* is maximal, and fair */
    bool is_begun;   /* it counts, or is the beginning of a run that does, for sure */
    int32_t *values; /* of quantified variables, by address */
    bool has_fault;  /* a proposition could not be evaluated */
};

uint32_t path_next(const struct result_path *path, uint32_t at)
{
    if (at + 1 < path->count)
        return at + 1;
    return path->trace->has_loop ? path->trace->loop : PATH_END;
}

static enum path_truth path_not(enum path_truth truth)
{
    return truth == PATH_UNKNOWN ? truth : truth == PATH_TRUE ? PATH_FALSE : PATH_TRUE;
}

static enum path_truth path_or(enum path_truth a, enum path_truth b)
{
    return a == PATH_TRUE || b == PATH_TRUE     ? PATH_TRUE
           : a == PATH_FALSE && b == PATH_FALSE ? PATH_FALSE
                                                : PATH_UNKNOWN;
}

static enum path_truth path_and(enum path_truth a, enum path_truth b)
{
    return path_not(path_or(path_not(a), path_not(b)));
}

/* No step leads anywhere from the last state. */
static bool path_is_over(struct result_path *path)
{
    const struct trace *trace = path->trace;
    struct stepper *stepper = stepper_create_evaluator(trace->system, trace->layout);
    struct step step = {0};
    enum step_outcome outcome;
    bool is_over = true;
    stepper_begin_successors(stepper, trace->steps[trace->count - 1].cells);
    while (is_over && (outcome = stepper_next(stepper, &step)) != STEP_END)
        is_over = outcome != STEP_STATE || !conditions_admit(path->stepper, step.cells);
    stepper_destroy(stepper);
    return is_over;
}

static void path_fill_proposition(struct result_path *path, const struct proposition *proposition, enum path_truth *out)
{
    int32_t *values = memory_alloc((proposition->variable_count + 1) * sizeof *values);
    for (uint32_t i = 0; i < proposition->variable_count; i++)
        values[i] = path->values[proposition->variables[i]->address];
    for (uint32_t p = 0; p < path->count; p++) {
        struct fault fault;
        enum truth truth = stepper_judge(path->stepper, proposition, path->trace->steps[p].cells, values, &fault);
        path->has_fault |= truth == TRUTH_FAULT;
        out[p] = truth == TRUTH_FAULT ? PATH_UNKNOWN : truth == TRUTH_TRUE ? PATH_TRUE : PATH_FALSE;
    }
    free(values);
}

static void path_fill_quantifier(struct result_path *path, const struct ctl *ctl, enum path_truth *out)
{
    bool is_forall = ctl->kind == CTL_FORALL;
    enum path_truth *one = memory_alloc(((size_t)path->count + 1) * sizeof *one);
    for (uint32_t p = 0; p < path->count; p++)
        out[p] = is_forall ? PATH_TRUE : PATH_FALSE;
    for (uint32_t i = 0; i < ctl->variable->type->size; i++) {
        path->values[ctl->variable->address] = type_code(ctl->variable->type, i);
        path_fill(path, ctl->left, one);
        for (uint32_t p = 0; p < path->count; p++)
            out[p] = is_forall ? path_and(out[p], one[p]) : path_or(out[p], one[p]);
    }
    free(one);
}

static enum path_truth path_ex(const struct result_path *path, uint32_t at, const enum path_truth *f)
{
    uint32_t next = path_next(path, at);
    if (next == PATH_END)
        return path->is_maximal ? PATH_FALSE : PATH_UNKNOWN;
    return f[next] == PATH_TRUE && path->is_begun ? PATH_TRUE : PATH_UNKNOWN;
}

/* E[f U g]; f NULL: true. */
static enum path_truth path_eu(const struct result_path *path, uint32_t at, const enum path_truth *f,
                               const enum path_truth *g)
{
    if (g[at] == PATH_FALSE && f && f[at] == PATH_FALSE)
        return PATH_FALSE;
    for (uint32_t steps = 0; at != PATH_END && steps <= path->count; steps++, at = path_next(path, at)) {
        if (g[at] == PATH_TRUE)
            return path->is_begun ? PATH_TRUE : PATH_UNKNOWN;
        if (f && f[at] != PATH_TRUE)
            break;
    }
    return PATH_UNKNOWN;
}

static enum path_truth path_eg(const struct result_path *path, uint32_t at, const enum path_truth *f)
{
    if (f[at] == PATH_FALSE)
        return PATH_FALSE;
    for (uint32_t steps = 0; at != PATH_END && steps <= path->count; steps++, at = path_next(path, at))
        if (f[at] != PATH_TRUE)
            return PATH_UNKNOWN;
    return path->counts ? PATH_TRUE : PATH_UNKNOWN;
}

static enum path_truth path_before(uint32_t at, const enum path_truth *f, bool is_once)
{
    if (!is_once)
        return at && f[at - 1] == PATH_TRUE ? PATH_TRUE : PATH_UNKNOWN;
    for (uint32_t p = 0; p <= at; p++)
        if (f[p] == PATH_TRUE)
            return PATH_TRUE;
    return PATH_UNKNOWN;
}

/* --- linear time --- */

/* The value after the next step. A maximal run that ends repeats its last state. */
static enum path_truth path_after(const struct result_path *path, uint32_t at, const enum path_truth *f)
{
    uint32_t next = path_next(path, at);
    if (next == PATH_END)
        return path->is_maximal ? f[at] : PATH_UNKNOWN;
    return f[next];
}

/* f U g: now g, or f and the same after the next step; f R g: g, and now f or the same after the next step. */
static enum path_truth path_unfold(const struct result_path *path, enum ctl_kind kind, uint32_t at,
                                   const enum path_truth *f, const enum path_truth *g, const enum path_truth *out)
{
    enum path_truth after = path_after(path, at, out);
    switch (kind) {
    case LTL_X:
        return path_after(path, at, f);
    case LTL_F:
        return path_or(f[at], after);
    case LTL_G:
        return path_and(f[at], after);
    case LTL_U:
    case LTL_W:
        return path_or(g[at], path_and(f[at], after));
    default:
        return path_and(g[at], path_or(f[at], after));
    }
}

/* The least solution of F, U and M, the greatest of G, W and R. */
static void path_fill_linear(const struct result_path *path, enum ctl_kind kind, const enum path_truth *f,
                             const enum path_truth *g, enum path_truth *out)
{
    bool is_least = kind == LTL_F || kind == LTL_U || kind == LTL_M, has_changed = true;
    for (uint32_t p = 0; p < path->count; p++)
        out[p] = is_least ? PATH_FALSE : PATH_TRUE;
    while (has_changed) {
        has_changed = false;
        for (uint32_t p = path->count; p > 0; p--) {
            enum path_truth value = path_unfold(path, kind, p - 1, f, g, out);
            has_changed |= value != out[p - 1];
            out[p - 1] = value;
        }
    }
}

/* --- branching time --- */

/* The negation of A[f U g]: E[!g U (!f & !g)] | EG !g. `nf` and `ng` are the negations of f and g. */
static enum path_truth path_no_until(const struct result_path *path, uint32_t at, const enum path_truth *nf,
                                     const enum path_truth *ng, enum path_truth *both)
{
    for (uint32_t p = 0; p < path->count; p++)
        both[p] = path_and(nf[p], ng[p]);
    return path_or(path_eu(path, at, ng, both), path_eg(path, at, ng));
}

/* A-formulas as negations of E-formulas: f and g are negated already. */
static enum path_truth path_existential(const struct result_path *path, enum ctl_kind kind, uint32_t at,
                                        const enum path_truth *f, const enum path_truth *g, enum path_truth *spare)
{
    switch (kind) {
    case CTL_EX:
    case CTL_AX:
        return path_ex(path, at, f);
    case CTL_EF:
    case CTL_AG:
        return path_eu(path, at, NULL, f);
    case CTL_EG:
    case CTL_AF:
        return path_eg(path, at, f);
    case CTL_EU:
        return path_eu(path, at, f, g);
    case CTL_AU:
        return path_no_until(path, at, f, g, spare);
    case CTL_EY:
    case CTL_EP:
        return path_before(at, f, kind == CTL_EP);
    default:
        UNREACHABLE("temporal operator");
    }
}

static void path_fill_operator(struct result_path *path, const struct ctl *ctl, enum path_truth *out)
{
    size_t size = ((size_t)path->count + 1) * sizeof *out;
    enum path_truth *f = memory_alloc(size), *g = memory_alloc(size), *spare = memory_alloc(size);
    bool is_universal = ctl->kind >= CTL_AX && ctl->kind <= CTL_AU;
    path_fill(path, ctl->left, f);
    if (ctl->right)
        path_fill(path, ctl->right, g);
    for (uint32_t p = 0; p < path->count && is_universal; p++) {
        f[p] = path_not(f[p]);
        g[p] = ctl->right ? path_not(g[p]) : PATH_UNKNOWN;
    }
    if (ctl_is_linear(ctl))
        path_fill_linear(path, ctl->kind, f, g, out);
    for (uint32_t p = 0; p < path->count && !ctl_is_linear(ctl); p++)
        switch (ctl->kind) {
        case CTL_NOT:
            out[p] = path_not(f[p]);
            break;
        case CTL_AND:
            out[p] = path_and(f[p], g[p]);
            break;
        case CTL_OR:
            out[p] = path_or(f[p], g[p]);
            break;
        case CTL_IMPLIES:
            out[p] = path_or(path_not(f[p]), g[p]);
            break;
        default:
            out[p] = path_existential(path, ctl->kind, p, f, g, spare);
            if (is_universal)
                out[p] = path_not(out[p]);
        }
    free(f);
    free(g);
    free(spare);
}

void path_fill(struct result_path *path, const struct ctl *ctl, enum path_truth *out)
{
    if (ctl->kind == CTL_PROPOSITION)
        path_fill_proposition(path, ctl->proposition, out);
    else if (ctl->kind == CTL_FORALL || ctl->kind == CTL_EXISTS)
        path_fill_quantifier(path, ctl, out);
    else if (ctl->kind == LTL_NEVER)
        never_fill(path, ctl, out);
    else if (ctl->kind != CTL_DEADLOCK)
        path_fill_operator(path, ctl, out);
    else
        for (uint32_t p = 0; p < path->count; p++)
            out[p] = PATH_UNKNOWN; /* what a deadlock is depends on options */
}

/* Fairness of processes and rules allows every beginning; without fairness, finite runs count for CTL in any case. */
static void path_find_fairness(struct result_path *path)
{
    const struct trace *trace = path->trace;
    path->counts = path->is_begun = true;
    if (fairness_is_required(trace->system)) {
        char *wrong = path->is_maximal ? fair_complaint(trace) : NULL;
        path->counts = path->is_maximal && !wrong;
        path->is_begun = path->counts || (fairness_is_closed(trace->system) && !trace->drops_finite);
        free(wrong);
    }
    path->counts &= path->is_maximal;
}

struct result_path *path_create(const struct trace *trace)
{
    struct result_path *path = memory_zeroed(1, sizeof *path);
    path->trace = trace;
    path->count = trace->has_loop ? trace->count - 1 : trace->count;
    path->stepper = stepper_create_evaluator(trace->system, trace->layout);
    path->values = memory_zeroed((size_t)trace->system->memory_cells + 1, sizeof *path->values);
    path->is_maximal = trace->has_loop || path_is_over(path);
    path_find_fairness(path);
    return path;
}

void path_destroy(struct result_path *path)
{
    free(path->values);
    stepper_destroy(path->stepper);
    free(path);
}

uint32_t path_count(const struct result_path *path)
{
    return path->count;
}

bool path_is_maximal(const struct result_path *path)
{
    return path->is_maximal;
}

bool path_has_fault(const struct result_path *path)
{
    return path->has_fault;
}

void path_bind(struct result_path *path, const struct variable *variable, int32_t value)
{
    path->values[variable->address] = value;
}

enum path_truth path_evaluate(const struct trace *trace, const struct ctl *ctl)
{
    bool has_states = trace->count > trace->has_loop && trace->steps[trace->count - 1].cells;
    if (!has_states)
        return PATH_UNKNOWN;
    struct result_path *path = path_create(trace);
    enum path_truth *truths = memory_alloc(((size_t)path->count + 1) * sizeof *truths);
    path_fill(path, ctl, truths);
    enum path_truth truth = truths[0];
    free(truths);
    path_destroy(path);
    return truth;
}
