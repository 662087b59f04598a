#include "lang/promela/lower.h"

/* Values are numbers, as in C; conditions are truths. A comparison as a number is (c ? 1 : 0), which is taken apart
 * again where a condition is wanted. */
static struct expr *as_number(struct pml_lower *lower, struct expr *truth)
{
    struct span span = truth->span;
    return expr_cond(lower->system, truth, pml_constant(lower, 1, span), pml_constant(lower, 0, span), span);
}

bool pml_is_truth(const struct pml_expr *expr)
{
    switch (expr->kind) {
    case PML_UNARY:
        return expr->op == PML_NOT;
    case PML_BINARY:
        return (expr->op >= PML_LT && expr->op <= PML_NE) || expr->op == PML_AND || expr->op == PML_OR;
    case PML_FULL:
    case PML_NFULL:
    case PML_EMPTY:
    case PML_NEMPTY:
    case PML_POLL:
    case PML_AT:
    case PML_TIMEOUT:
    case PML_NONPROGRESS:
    case PML_ENABLED:
        return true;
    default:
        return false;
    }
}

static struct expr *refuse(struct pml_lower *lower, const struct pml_expr *expr, const char *what)
{
    diag_error(lower->diagnostics, expr->span, "%s is not supported here", what);
    return pml_constant(lower, 0, expr->span);
}

struct place *pml_lower_place(struct pml_lower *lower, struct pml_self self, const struct pml_place *place)
{
    const struct variable *home = lower->homes[place->variable->leaf];
    struct place *result = place_variable(lower->system, home, place->span);
    if (place->variable->owner)
        result = pml_own(lower, result, place->variable->owner, self, place->span);
    for (;; place = place->below) {
        if (place->variable->length) {
            struct expr *index =
                place->index ? pml_lower_value(lower, self, place->index) : pml_constant(lower, 0, place->span);
            result = place_element(lower->system, result, index, place->span);
        }
        if (!place->below)
            return result;
        const struct pml_variable *field = place->below->variable;
        uint32_t number = 0;
        while (place->variable->type.record->fields.items[number] != field)
            number++;
        result = place_field(lower->system, result, &result->type->fields[number], place->span);
    }
}

static int64_t bits_of(struct pml_type type)
{
    switch (type.base) {
    case PML_BIT:
    case PML_BOOL:
        return 1;
    case PML_SHORT:
        return 0xffff;
    case PML_INT:
        return 0xffffffff;
    case PML_UNSIGNED:
        return ((int64_t)1 << type.width) - 1;
    default:
        return 0xff;
    }
}

struct expr *pml_fit(struct pml_lower *lower, struct expr *value, struct pml_range range, struct pml_type type)
{
    struct system *system = lower->system;
    struct span span = value->span;
    if (type.base == PML_CHAN || pml_range_covers(pml_type_range(type), range))
        return value;
    int64_t bits = bits_of(type), sign = bits / 2 + 1;
    value = expr_binary(system, OP_BIT_AND, value, pml_constant(lower, bits, span), span);
    if (type.base != PML_SHORT && type.base != PML_INT)
        return value;
    value = expr_binary(system, OP_BIT_XOR, value, pml_constant(lower, sign, span), span);
    return expr_binary(system, OP_SUB, value, pml_constant(lower, sign, span), span);
}

void pml_store(struct pml_lower *lower, struct pml_steps *steps, struct pml_self self, const struct pml_place *place,
               struct expr *value, struct pml_range range)
{
    const struct pml_variable *end = pml_place_end(place);
    if (!lower->homes[place->variable->leaf])
        return; /* hidden: never read */
    pml_put(lower, steps, pml_lower_place(lower, self, place),
            pml_fit(lower, value, range, lower->values.leaves.items[end->leaf].type), end->leaf);
}

/* The number of a channel under its own name. */
static struct expr *named_channel(struct pml_lower *lower, struct pml_self self, const struct pml_expr *expr)
{
    struct pml_ports ports = pml_ports(lower, self, expr);
    return pml_port_number(lower, &ports.items[0]);
}

static struct expr *lower_read(struct pml_lower *lower, struct pml_self self, const struct pml_expr *expr)
{
    for (const struct pml_bound *bound = lower->bound; bound; bound = bound->outer)
        if (bound->counter == expr->place->variable)
            return pml_variable_value(lower, bound->variable, expr->span);
    const struct pml_variable *end = pml_place_end(expr->place);
    if (end->channel && !lower->values.leaves.items[end->leaf].is_written)
        return named_channel(lower, self, expr);
    if (expr->place->variable->owner && expr->place->variable->owner != self.proctype)
        return refuse(lower, expr, "a local variable of another proctype");
    if (!lower->homes[expr->place->variable->leaf])
        return refuse(lower, expr, "this variable");
    return pml_get(lower, pml_lower_place(lower, self, expr->place), end->leaf);
}

static enum operator operator_of(enum pml_op op)
{
    static const enum operator table[] = {[PML_NOT] = OP_NOT,         [PML_COMPLEMENT] = OP_BIT_NOT,
                                          [PML_NEGATE] = OP_NEGATE,   [PML_MUL] = OP_MUL,
                                          [PML_DIV] = OP_DIV,         [PML_MOD] = OP_MOD,
                                          [PML_ADD] = OP_ADD,         [PML_SUB] = OP_SUB,
                                          [PML_SHL] = OP_SHL,         [PML_SHR] = OP_SHR,
                                          [PML_LT] = OP_LT,           [PML_LE] = OP_LE,
                                          [PML_GT] = OP_GT,           [PML_GE] = OP_GE,
                                          [PML_EQ] = OP_EQ,           [PML_NE] = OP_NE,
                                          [PML_AND] = OP_AND,         [PML_OR] = OP_OR,
                                          [PML_BIT_AND] = OP_BIT_AND, [PML_BIT_OR] = OP_BIT_OR,
                                          [PML_BIT_XOR] = OP_BIT_XOR};
    return table[op];
}

/* Arithmetic is that of C's int; where the result may not be one, it wraps around. That of long has 64 bits. */
static struct expr *lower_arithmetic(struct pml_lower *lower, struct pml_self self, const struct pml_expr *expr)
{
    struct expr *left = pml_lower_value(lower, self, expr->left), *result;
    if (expr->kind == PML_UNARY)
        result = expr_unary(lower->system, operator_of(expr->op), left, expr->span);
    else
        result = expr_binary(lower->system, operator_of(expr->op), left, pml_lower_value(lower, self, expr->right),
                             expr->span);
    struct pml_range range = pml_values_of(&lower->values, expr),
                     all = pml_type_range((struct pml_type){.base = PML_INT});
    if (!expr->is_long && range.lo == all.lo && range.hi == all.hi) /* perhaps more than that */
        result = pml_fit(lower, result, (struct pml_range){INT64_MIN, INT64_MAX}, (struct pml_type){.base = PML_INT});
    return result;
}

static struct expr *lower_length(struct pml_lower *lower, struct pml_self self, const struct pml_expr *expr)
{
    struct pml_ports ports = pml_ports(lower, self, expr->left);
    struct expr *result = NULL;
    for (uint32_t i = ports.count; i-- > 0;) {
        struct expr *length = pml_port_length(lower, &ports.items[i], expr->span);
        struct expr *right = pml_port_is_right(lower, &ports.items[i]);
        result = result && right ? expr_cond(lower->system, right, length, result, expr->span) : length;
    }
    return result ? result : pml_constant(lower, 0, expr->span); /* it is none: lower_fault.c */
}

static struct expr *lower_count(struct pml_lower *lower, const struct pml_expr *expr)
{
    if (lower->count)
        return pml_variable_value(lower, lower->count, expr->span);
    return pml_constant(lower, (int64_t)lower->cast.known.count, expr->span);
}

/* proctype[pid]: is there such a process? NULL: always. The pid that is a number is checked here and now. */
static struct expr *is_pid_of(struct pml_lower *lower, struct pml_self self, const struct pml_expr *expr)
{
    const struct pml_role *role = &lower->cast.roles[expr->proctype->id];
    struct pml_range range = pml_values_of(&lower->values, expr->left);
    struct expr *low = NULL, *high = NULL;
    if (range.lo < role->first)
        low = pml_compare(lower, OP_GE, pml_lower_value(lower, self, expr->left),
                          pml_constant(lower, role->first, expr->span));
    if (range.hi > role->last)
        high = pml_compare(lower, OP_LE, pml_lower_value(lower, self, expr->left),
                           pml_constant(lower, role->last, expr->span));
    return pml_both(lower, low, high);
}

static bool is_pid_possible(struct pml_lower *lower, const struct pml_expr *expr)
{
    const struct pml_role *role = &lower->cast.roles[expr->proctype->id];
    struct pml_range range = expr->left ? pml_values_of(&lower->values, expr->left) : (struct pml_range){0, INT64_MAX};
    return role->first <= role->last && range.lo <= role->last && range.hi >= role->first;
}

struct expr *pml_is_alive(struct pml_lower *lower, struct pml_self self, struct span span)
{
    const struct pml_flow *flow = &lower->flows[self.proctype->id];
    struct expr *some = NULL;
    for (uint32_t n = 0; n < flow->nodes.count; n++)
        if (lower->ordinals[self.proctype->id][n] != UINT32_MAX)
            some = pml_either(lower, some, pml_is_at(lower, self, n, span));
    return some ? some : pml_truth(lower, false, span);
}

/* ... under the pid of proctype[pid]? */
static struct expr *is_there(struct pml_lower *lower, struct pml_self self, const struct pml_expr *expr)
{
    struct system *system = lower->system;
    struct expr *some = NULL;
    for (uint32_t n = 0; n < lower->flows[expr->proctype->id].nodes.count; n++) {
        uint32_t ordinal = lower->ordinals[expr->proctype->id][n];
        if (ordinal == UINT32_MAX)
            continue;
        struct place *place = place_element(system, place_variable(system, lower->at, expr->span),
                                            pml_lower_value(lower, self, expr->left), expr->span);
        struct expr *there = expr_const(system, lower->places, type_code(lower->places, ordinal), expr->span);
        some = pml_either(lower, some, pml_compare(lower, OP_EQ, expr_read(system, place, false, expr->span), there));
    }
    return some ? some : pml_truth(lower, false, expr->span);
}

static struct expr *remote_value(struct pml_lower *lower, struct pml_self self, const struct pml_expr *expr,
                                 struct expr *pid)
{
    struct system *system = lower->system;
    const struct variable *home = lower->homes[expr->place->variable->leaf];
    struct place *place = place_variable(system, home, expr->span);
    if (!pml_is_single(lower, expr->proctype))
        place = place_element(system, place, pid, expr->span);
    if (expr->place->index)
        place = place_element(system, place, pml_lower_value(lower, self, expr->place->index), expr->span);
    return pml_get(lower, place, expr->place->variable->leaf);
}

/* proctype:variable is that of the first process alive; where there is none, 0. */
static struct expr *lower_remote(struct pml_lower *lower, struct pml_self self, const struct pml_expr *expr)
{
    const struct pml_role *role = &lower->cast.roles[expr->proctype->id];
    struct expr *none = pml_constant(lower, 0, expr->span), *result = none;
    if (expr->place->below || !expr->place->variable->owner)
        return refuse(lower, expr, "this remote reference");
    if (!is_pid_possible(lower, expr))
        return none;
    if (!lower->homes[expr->place->variable->leaf])
        return refuse(lower, expr, "this remote reference");
    if (expr->left) {
        struct expr *is_good = pml_both(lower, is_pid_of(lower, self, expr), is_there(lower, self, expr));
        result = remote_value(lower, self, expr, pml_lower_value(lower, self, expr->left));
        return expr_cond(lower->system, is_good, result, none, expr->span);
    }
    for (uint32_t p = role->last + 1; p-- > role->first;) {
        struct pml_self other = {.proctype = expr->proctype, .number = p};
        struct expr *value = remote_value(lower, self, expr, pml_pid(lower, other, expr->span));
        result = expr_cond(lower->system, pml_is_alive(lower, other, expr->span), value, result, expr->span);
    }
    return result;
}

static struct expr *lower_at(struct pml_lower *lower, struct pml_self self, const struct pml_expr *expr)
{
    struct system *system = lower->system;
    const struct pml_role *role = &lower->cast.roles[expr->proctype->id];
    uint32_t node = pml_flow_label(&lower->flows[expr->proctype->id], expr->label);
    uint32_t ordinal = node == PML_NOWHERE ? UINT32_MAX : lower->ordinals[expr->proctype->id][node];
    struct expr *result = NULL;
    if (ordinal == UINT32_MAX || !is_pid_possible(lower, expr))
        return pml_truth(lower, false, expr->span);
    if (expr->left) {
        struct place *place = place_element(system, place_variable(system, lower->at, expr->span),
                                            pml_lower_value(lower, self, expr->left), expr->span);
        struct expr *there = expr_const(system, lower->places, type_code(lower->places, ordinal), expr->span);
        return pml_both(lower, is_pid_of(lower, self, expr),
                        pml_compare(lower, OP_EQ, expr_read(system, place, false, expr->span), there));
    }
    for (uint32_t p = role->last + 1; p-- > role->first;) {
        struct pml_self other = {.proctype = expr->proctype, .number = p};
        struct expr *here = pml_is_at(lower, other, node, expr->span);
        struct expr *gone = result ? pml_not(lower, pml_is_alive(lower, other, expr->span)) : NULL;
        result = pml_either(lower, here, result ? pml_both(lower, gone, result) : NULL);
    }
    return result;
}

/* One condition for each pool that the channel can be in. */
static struct expr *lower_channel_truth(struct pml_lower *lower, struct pml_self self, const struct pml_expr *expr)
{
    struct pml_ports ports = pml_ports(lower, self, expr->left);
    bool is_negated = expr->kind == PML_NFULL || expr->kind == PML_NEMPTY;
    struct expr *result = NULL;
    for (uint32_t i = 0; i < ports.count; i++) {
        struct expr *one = NULL;
        if (expr->kind == PML_POLL) {
            one = pml_can_receive(lower, &ports.items[i], expr->arguments, expr->argument_count, expr->is_random,
                                  expr->span);
        } else {
            bool is_full = expr->kind == PML_FULL || expr->kind == PML_NFULL;
            int64_t full =
                ports.items[i].pool->capacity ? ports.items[i].pool->capacity : 1; /* a rendezvous channel never is */
            struct expr *bound = pml_constant(lower, is_full ? full : 0, expr->span);
            one = pml_compare(lower, is_negated ? OP_NE : OP_EQ, pml_port_length(lower, &ports.items[i], expr->span),
                              bound);
        }
        result = pml_either(lower, result, pml_both(lower, pml_port_is_right(lower, &ports.items[i]), one));
    }
    return result ? result : pml_truth(lower, false, expr->span);
}

static struct expr *lower_enabled(struct pml_lower *lower, struct pml_self self, const struct pml_expr *expr)
{
    if (expr->left->kind == PML_SELF)
        return refuse(lower, expr, "enabled(_pid)");
    for (size_t p = 0; p < lower->channels.pools.count; p++)
        if (!lower->channels.pools.items[p].capacity)
            return refuse(lower, expr, "enabled() beside a rendezvous channel");
    return pml_lower_enabled(lower, self, expr);
}

static struct expr *lower_nonprogress(struct pml_lower *lower, const struct pml_expr *expr)
{
    struct expr *progresses = pml_some_progresses(lower, expr->span);
    return progresses ? pml_not(lower, progresses) : pml_truth(lower, true, expr->span);
}

struct expr *pml_lower_condition(struct pml_lower *lower, struct pml_self self, const struct pml_expr *expr)
{
    if (!pml_is_truth(expr)) {
        struct expr *value = pml_lower_value(lower, self, expr);
        return pml_compare(lower, OP_NE, value, pml_constant(lower, 0, expr->span));
    }
    switch (expr->kind) {
    case PML_UNARY:
        return pml_not(lower, pml_lower_condition(lower, self, expr->left));
    case PML_BINARY:
        if (expr->op == PML_AND || expr->op == PML_OR)
            return expr_binary(lower->system, operator_of(expr->op), pml_lower_condition(lower, self, expr->left),
                               pml_lower_condition(lower, self, expr->right), expr->span);
        return expr_binary(lower->system, operator_of(expr->op), pml_lower_value(lower, self, expr->left),
                           pml_lower_value(lower, self, expr->right), expr->span);
    case PML_AT:
        return lower_at(lower, self, expr);
    case PML_TIMEOUT:
        return pml_variable_value(lower, lower->idle, expr->span);
    case PML_ENABLED:
        return lower_enabled(lower, self, expr);
    case PML_NONPROGRESS:
        return self.proctype ? refuse(lower, expr, "np_") : lower_nonprogress(lower, expr);
    default:
        return lower_channel_truth(lower, self, expr);
    }
}

struct expr *pml_lower_value(struct pml_lower *lower, struct pml_self self, const struct pml_expr *expr)
{
    if (pml_is_truth(expr))
        return as_number(lower, pml_lower_condition(lower, self, expr));
    switch (expr->kind) {
    case PML_NUMBER:
        return pml_constant(lower, expr->value, expr->span);
    case PML_READ:
        return lower_read(lower, self, expr);
    case PML_UNARY:
    case PML_BINARY:
        return lower_arithmetic(lower, self, expr);
    case PML_COND:
        return expr_cond(lower->system, pml_lower_condition(lower, self, expr->condition),
                         pml_lower_value(lower, self, expr->left), pml_lower_value(lower, self, expr->right),
                         expr->span);
    case PML_RUN: /* the statement starts the process first */
        return expr->value ? pml_constant(lower, expr->value - 1, expr->span)
                           : pml_variable_value(lower, lower->child, expr->span);
    case PML_LENGTH:
        return lower_length(lower, self, expr);
    case PML_REMOTE:
        return lower_remote(lower, self, expr);
    case PML_SELF:
        return self.proctype ? pml_pid(lower, self, expr->span) : refuse(lower, expr, "_pid");
    case PML_COUNT:
        return lower_count(lower, expr);
    case PML_LAST:
        return pml_variable_value(lower, lower->last, expr->span);
    case PML_PRIORITY:
        return expr->left || self.proctype ? pml_lower_priority(lower, self, expr) : refuse(lower, expr, "_priority");
    default:
        return refuse(lower, expr, "this expression");
    }
}
