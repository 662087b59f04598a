/* Priorities: a process moves only where none of a higher priority can, as in SPIN since version 6.2. Each guard says
 * so itself: atomic sequences, too, give way to a process that has become enabled. */
#include "lang/promela/lower.h"

/* A quantified process of the proctype. */
static struct pml_self some_of(struct pml_lower *lower, const struct pml_proctype *proctype)
{
    return (struct pml_self){
        .proctype = proctype,
        .pid = system_add_scratch(lower->system, "other", pml_pids_of(lower, proctype), proctype->span)};
}

static struct expr *exists(struct pml_lower *lower, struct pml_self other, struct expr *body, struct span span)
{
    return expr_quantifier(lower->system, OP_EXISTS, other.pid, (struct domain){.type = other.pid->type}, body, span);
}

static bool runs(struct pml_lower *lower, size_t proctype)
{
    return lower->cast.roles[proctype].first <= lower->cast.roles[proctype].last;
}

/* Can one of the moves from the node be done? NULL: always. */
static struct expr *can_move_from(struct pml_lower *lower, struct pml_self self, const struct pml_node *node)
{
    struct expr *some = NULL;
    for (uint32_t m = 0; m < node->moves.count; m++) {
        const struct pml_stmt *stmt = node->moves.items[m].stmt;
        struct expr *can = stmt && stmt->kind == PML_ELSE ? NULL : pml_can_do(lower, self, &node->moves.items[m]);
        if (!can)
            return NULL;
        some = pml_either(lower, some, can);
    }
    return some ? some : pml_truth(lower, false, node->span);
}

/* NULL: it can do nothing. */
static struct expr *can_move(struct pml_lower *lower, struct pml_self self, struct span span)
{
    const struct pml_flow *flow = &lower->flows[self.proctype->id];
    struct expr *some = NULL;
    for (uint32_t n = 0; n < flow->nodes.count; n++) {
        const struct pml_node *node = &flow->nodes.items[n];
        if (n == flow->end || node->is_inside || lower->ordinals[self.proctype->id][n] == UINT32_MAX)
            continue;
        some =
            pml_either(lower, some, pml_both(lower, pml_is_at(lower, self, n, span), can_move_from(lower, self, node)));
    }
    if (lower->cast.roles[self.proctype->id].can_die)
        some = pml_either(lower, some,
                          pml_both(lower, pml_is_at(lower, self, flow->end, span), pml_can_go(lower, self, span)));
    return some;
}

static struct expr *pml_priority_of(struct pml_lower *lower, struct pml_self self, struct span span)
{
    struct place *all = place_variable(lower->system, lower->priority, span);
    return expr_read(lower->system, place_element(lower->system, all, pml_pid(lower, self, span), span), false, span);
}

struct expr *pml_is_urgent(struct pml_lower *lower, struct pml_self self, struct span span)
{
    struct expr *some = NULL;
    for (size_t p = 0; lower->priority && p < lower->model->proctypes.count; p++) {
        if (!runs(lower, p))
            continue;
        struct pml_self other = some_of(lower, lower->model->proctypes.items[p]);
        struct expr *can = can_move(lower, other, span), *is_higher = NULL;
        if (!can)
            continue;
        is_higher = pml_compare(lower, OP_GT, pml_priority_of(lower, other, span), pml_priority_of(lower, self, span));
        if (other.proctype->provided)
            can = pml_both(lower, pml_lower_condition(lower, other, other.proctype->provided), can);
        some = pml_either(lower, some, exists(lower, other, pml_both(lower, is_higher, can), span));
    }
    return some ? pml_not(lower, some) : NULL;
}

struct expr *pml_lower_enabled(struct pml_lower *lower, struct pml_self self, const struct pml_expr *expr)
{
    struct expr *some = NULL;
    if (lower->is_asking) {
        if (!lower->diagnostics->errors)
            diag_error(lower->diagnostics, expr->span, "enabled() of a process that asks enabled() is not supported");
        return pml_truth(lower, false, expr->span);
    }
    struct pml_range range = pml_values_of(&lower->values, expr->left);
    lower->is_asking = true;
    for (size_t p = 0; p < lower->model->proctypes.count; p++) {
        const struct pml_proctype *proctype = lower->model->proctypes.items[p];
        bool is_itself = proctype == self.proctype && pml_is_single(lower, proctype); /* an error: lower_fault.c */
        if (!runs(lower, p) || range.hi < lower->cast.roles[p].first || range.lo > lower->cast.roles[p].last ||
            is_itself)
            continue;
        struct pml_self other = some_of(lower, lower->model->proctypes.items[p]);
        struct expr *can = can_move(lower, other, expr->span);
        if (!can)
            continue;
        struct expr *is_it = pml_compare(lower, OP_EQ, pml_variable_value(lower, other.pid, expr->span),
                                         pml_lower_value(lower, self, expr->left));
        some = pml_either(lower, some, exists(lower, other, pml_both(lower, is_it, can), expr->span));
    }
    lower->is_asking = false;
    return some ? some : pml_truth(lower, false, expr->span);
}

/* Is it a pid that a process can have? NULL: always. */
static struct expr *is_pid(struct pml_lower *lower, struct pml_self self, const struct pml_expr *expr)
{
    struct pml_range range = pml_values_of(&lower->values, expr);
    int64_t last = (int64_t)lower->cast.count - 1;
    struct expr *low = range.lo >= 0 ? NULL
                                     : pml_compare(lower, OP_GE, pml_lower_value(lower, self, expr),
                                                   pml_constant(lower, 0, expr->span));
    struct expr *high = range.hi <= last ? NULL
                                         : pml_compare(lower, OP_LE, pml_lower_value(lower, self, expr),
                                                       pml_constant(lower, last, expr->span));
    return pml_both(lower, low, high);
}

static struct place *priority_at(struct pml_lower *lower, struct expr *pid, struct span span)
{
    return place_element(lower->system, place_variable(lower->system, lower->priority, span), pid, span);
}

struct expr *pml_lower_priority(struct pml_lower *lower, struct pml_self self, const struct pml_expr *expr)
{
    struct span span = expr->span;
    if (!expr->left)
        return pml_priority_of(lower, self, span);
    struct expr *is_good = is_pid(lower, self, expr->left);
    struct expr *value =
        expr_read(lower->system, priority_at(lower, pml_lower_value(lower, self, expr->left), span), false, span);
    return is_good ? expr_cond(lower->system, is_good, value, pml_constant(lower, 0, span), span) : value;
}

static struct stmt *when(struct pml_lower *lower, struct expr *condition, struct stmt *then, struct span span)
{
    struct pml_steps body = {0};
    struct stmt *test = stmt_new(lower->system, STMT_IF, span);
    VEC_PUSH(&body, then);
    test->value = condition;
    test->body = pml_close(lower, &body);
    return test;
}

/* The error of SPIN: a priority that is none. */
static void check_priority(struct pml_lower *lower, struct pml_steps *steps, struct pml_self self,
                           const struct pml_stmt *stmt, struct expr *is_there)
{
    struct span span = stmt->span;
    struct pml_range range = pml_values_of(&lower->values, stmt->value);
    if (range.lo >= 1 && range.hi <= PML_MOST_PRIORITY)
        return;
    struct stmt *fail = stmt_new(lower->system, STMT_ERROR, span);
    fail->property = system_add_property(lower->system, PROPERTY_ERROR, "priorities are from 1 to 255", NULL, span);
    struct expr *is_wrong = pml_either(
        lower, pml_compare(lower, OP_LT, pml_lower_value(lower, self, stmt->value), pml_constant(lower, 1, span)),
        pml_compare(lower, OP_GT, pml_lower_value(lower, self, stmt->value),
                    pml_constant(lower, PML_MOST_PRIORITY, span)));
    VEC_PUSH(steps, when(lower, pml_both(lower, is_there, is_wrong), fail, span));
}

/* set_priority of no process does nothing. */
void pml_prioritize(struct pml_lower *lower, struct pml_steps *steps, struct pml_self self, const struct pml_stmt *stmt)
{
    struct span span = stmt->span;
    struct pml_steps body = {0};
    struct pml_type byte = {.base = PML_BYTE};
    struct expr *value =
        pml_fit(lower, pml_lower_value(lower, self, stmt->value), pml_values_of(&lower->values, stmt->value), byte);
    if (!stmt->argument_count) {
        pml_assign(lower, steps, priority_at(lower, pml_pid(lower, self, span), span), value);
        return;
    }
    const struct pml_expr *pid = stmt->arguments[0].value;
    struct place *there = place_element(lower->system, place_variable(lower->system, lower->at, span),
                                        pml_lower_value(lower, self, pid), span);
    struct expr *off = expr_const(lower->system, lower->places, type_code(lower->places, 0), span);
    struct expr *is_there = pml_both(lower, is_pid(lower, self, pid),
                                     pml_compare(lower, OP_NE, expr_read(lower->system, there, false, span), off));
    check_priority(lower, steps, self, stmt, is_there);
    pml_assign(lower, &body, priority_at(lower, pml_lower_value(lower, self, pid), span), value);
    VEC_PUSH(steps, when(lower, is_there, VEC_POP(&body), span));
    VEC_FREE(&body);
}

void pml_set_priority(struct pml_lower *lower, struct pml_steps *steps, struct pml_self self, uint32_t priority,
                      struct span span)
{
    if (lower->priority)
        pml_assign(lower, steps, priority_at(lower, pml_pid(lower, self, span), span),
                   pml_constant(lower, priority, span));
}

bool pml_declare_priority(struct pml_lower *lower)
{
    struct system *system = lower->system;
    struct span span = lower->model->priority_span;
    if (!lower->model->has_priorities)
        return true;
    for (size_t p = 0; p < lower->channels.pools.count; p++)
        if (!lower->channels.pools.items[p].capacity) {
            diag_error(lower->diagnostics, span, "priorities cannot be combined with rendezvous channels");
            diag_hint(lower->diagnostics, "SPIN refuses that, too: give the channels a capacity");
            return false;
        }
    const struct type *range = type_range(system, NULL, 0, PML_MOST_PRIORITY, span);
    lower->priority = system_add_global(system, "_priority", type_array(system, NULL, lower->pids, range, span), span);
    return true;
}
