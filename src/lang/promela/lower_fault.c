/* Channels that are not there: one that was never made, or went with its process; a rendezvous channel that is asked
 * what is in it; and a process that asks whether it is enabled itself. SPIN reports an error where such a statement is
 * tried, so each has a rule that fails. */
#include "lang/promela/lower.h"

static struct expr *number_of(struct pml_lower *lower, struct pml_self self, const struct pml_expr *channel)
{
    return expr_read(lower->system, pml_lower_place(lower, self, channel->place), false, channel->span);
}

/* Is the channel one of a process that has gone? NULL: its number cannot be one of these. */
static struct expr *is_gone(struct pml_lower *lower, struct pml_self self, const struct pml_expr *channel,
                            const struct pml_declaration *declaration)
{
    const struct pml_proctype *owner = declaration->variable->owner;
    struct span span = channel->span;
    if (!owner || !lower->cast.roles[owner->id].can_die)
        return NULL;
    const struct pml_role *role = &lower->cast.roles[owner->id];
    struct expr *some = NULL;
    for (uint32_t pid = role->first; pid <= role->last; pid++) {
        int64_t first = declaration->first + (int64_t)(pid - role->first) * declaration->length;
        const struct type *own =
            type_range(lower->system, NULL, (int32_t)first, (int32_t)(first + declaration->length - 1), span);
        struct expr *is_its = expr_is_member(lower->system, number_of(lower, self, channel), own, span);
        struct pml_self other = {.proctype = owner, .number = pid};
        some = pml_either(lower, some, pml_both(lower, is_its, pml_not(lower, pml_is_alive(lower, other, span))));
    }
    return some;
}

/* Is the channel none? NULL: it always is one. */
static struct expr *is_missing(struct pml_lower *lower, struct pml_self self, const struct pml_expr *channel)
{
    if (channel->kind != PML_READ)
        return NULL;
    const struct pml_variable *end = pml_place_end(channel->place);
    const struct pml_leaf *leaf = &lower->values.leaves.items[end->leaf];
    bool is_named = end->channel && !leaf->is_written;
    if (is_named || leaf->type.base != PML_CHAN || !lower->homes[channel->place->variable->leaf])
        return NULL;
    struct expr *some = leaf->can_be_none ? pml_compare(lower, OP_EQ, number_of(lower, self, channel),
                                                        pml_constant(lower, 0, channel->span))
                                          : NULL;
    for (uint32_t i = 0; i < lower->channels.declarations.count; i++)
        if (leaf->channels[i])
            some = pml_either(lower, some, is_gone(lower, self, channel, &lower->channels.declarations.items[i]));
    return some;
}

/* ... or a rendezvous channel? */
static struct expr *is_wrong_to_poll(struct pml_lower *lower, struct pml_self self, const struct pml_expr *expr)
{
    struct expr *some = is_missing(lower, self, expr->left);
    struct pml_ports ports = pml_ports(lower, self, expr->left);
    for (uint32_t i = 0; i < ports.count; i++) {
        if (ports.items[i].pool->capacity)
            continue;
        struct expr *is_it = pml_port_is_right(lower, &ports.items[i]);
        some = pml_either(lower, some, is_it ? is_it : pml_truth(lower, true, expr->span));
    }
    return some;
}

/* Is it wrong to evaluate this part of an expression? NULL: never. */
typedef struct expr *pml_fault(struct pml_lower *lower, struct pml_self self, const struct pml_expr *expr);

static struct expr *is_bad_channel(struct pml_lower *lower, struct pml_self self, const struct pml_expr *expr)
{
    switch (expr->kind) {
    case PML_LENGTH:
    case PML_FULL:
    case PML_NFULL:
    case PML_EMPTY:
    case PML_NEMPTY:
        return is_missing(lower, self, expr->left);
    case PML_POLL:
        return is_wrong_to_poll(lower, self, expr);
    default:
        return NULL;
    }
}

/* enabled() of the process that asks. */
static struct expr *is_own_question(struct pml_lower *lower, struct pml_self self, const struct pml_expr *expr)
{
    if (expr->kind != PML_ENABLED || expr->left->kind == PML_SELF) /* the latter is refused */
        return NULL;
    const struct pml_role *role = &lower->cast.roles[self.proctype->id];
    struct pml_range range = pml_values_of(&lower->values, expr->left);
    if (range.hi < role->first || range.lo > role->last)
        return NULL;
    return pml_compare(lower, OP_EQ, pml_lower_value(lower, self, expr->left), pml_pid(lower, self, expr->span));
}

/* Does its evaluation come upon such a fault? NULL: never. What && and || leave out is not evaluated. */
static struct expr *is_wrong(struct pml_lower *lower, struct pml_self self, const struct pml_expr *expr,
                             pml_fault *fault)
{
    struct expr *left, *right;
    if (!expr)
        return NULL;
    switch (expr->kind) {
    case PML_UNARY:
        return is_wrong(lower, self, expr->left, fault);
    case PML_BINARY:
        left = is_wrong(lower, self, expr->left, fault);
        right = is_wrong(lower, self, expr->right, fault);
        if (right && expr->op == PML_AND)
            right = pml_both(lower, pml_lower_condition(lower, self, expr->left), right);
        if (right && expr->op == PML_OR)
            right = pml_both(lower, pml_not(lower, pml_lower_condition(lower, self, expr->left)), right);
        return pml_either(lower, left, right);
    case PML_COND:
        left = is_wrong(lower, self, expr->left, fault);
        right = is_wrong(lower, self, expr->right, fault);
        if (left)
            left = pml_both(lower, pml_lower_condition(lower, self, expr->condition), left);
        if (right)
            right = pml_both(lower, pml_not(lower, pml_lower_condition(lower, self, expr->condition)), right);
        return pml_either(lower, is_wrong(lower, self, expr->condition, fault), pml_either(lower, left, right));
    default:
        return fault(lower, self, expr);
    }
}

/* A rule that violates the property where the process is to make the move and `wrong` is true. */
static void add_fault(struct pml_lower *lower, struct rule draft, struct pml_self self, struct expr *wrong,
                      uint32_t node, uint32_t move, const struct property **property, const char *name)
{
    struct span span = draft.span;
    struct rule *rule = system_add_rule(lower->system, draft.name, span);
    struct pml_steps steps = {0};
    struct stmt *fail = stmt_new(lower->system, STMT_ERROR, span);
    rule->parameters = draft.parameters;
    rule->parameter_count = draft.parameter_count;
    rule->is_made = true;
    if (!*property)
        *property = system_add_property(lower->system, PROPERTY_ERROR, name, NULL, span);
    fail->property = *property;
    VEC_PUSH(&steps, fail);
    rule->guard = pml_both(lower, pml_may_move(lower, self, node, move), wrong);
    rule->body = pml_close(lower, &steps);
}

void pml_lower_fault(struct pml_lower *lower, const struct pml_proctype *proctype, uint32_t node, uint32_t move,
                     const struct pml_stmt *stmt)
{
    struct rule draft = {.span = stmt->span};
    struct pml_self self = pml_self_of(lower, &draft, proctype, "pid");
    bool is_message = stmt->kind == PML_SEND || stmt->kind == PML_RECEIVE;
    struct expr *bad =
        is_message ? is_missing(lower, self, stmt->channel) : is_wrong(lower, self, stmt->value, is_bad_channel);
    struct expr *own = is_wrong(lower, self, stmt->value, is_own_question);
    draft.name = arena_format(lower->system->arena, "%s: %s", proctype->name, stmt->text);
    if (bad)
        add_fault(lower, draft, self, bad, node, move, &lower->faulty, "no bad use of a channel");
    if (own)
        add_fault(lower, draft, self, own, node, move, &lower->own_question, "enabled() is asked of another process");
}

void pml_check_provided(struct pml_lower *lower, const struct pml_proctype *proctype)
{
    struct rule draft = {0};
    if (!proctype->provided)
        return;
    struct pml_self self = pml_self_of(lower, &draft, proctype, "pid");
    if (is_wrong(lower, self, proctype->provided, is_own_question))
        diag_error(lower->diagnostics, proctype->provided->span,
                   "provided asks whether the process is enabled, which depends on the answer");
}
