#include "ir/bounds.h"
#include "lang/promela/lower.h"

struct expr *pml_constant(struct pml_lower *lower, int64_t value, struct span span)
{
    return expr_const(lower->system, lower->system->integer, value, span);
}

struct expr *pml_truth(struct pml_lower *lower, bool value, struct span span)
{
    return expr_const(lower->system, lower->system->boolean, value, span);
}

struct expr *pml_both(struct pml_lower *lower, struct expr *left, struct expr *right)
{
    return left && right ? expr_binary(lower->system, OP_AND, left, right, left->span) : left ? left : right;
}

struct expr *pml_either(struct pml_lower *lower, struct expr *left, struct expr *right)
{
    return left && right ? expr_binary(lower->system, OP_OR, left, right, left->span) : left ? left : right;
}

struct expr *pml_not(struct pml_lower *lower, struct expr *operand)
{
    return operand ? expr_unary(lower->system, OP_NOT, operand, operand->span)
                   : pml_truth(lower, false, (struct span){0});
}

struct expr *pml_compare(struct pml_lower *lower, enum operator op, struct expr *left, struct expr *right)
{
    return expr_binary(lower->system, op, left, right, left->span);
}

struct expr *pml_variable_value(struct pml_lower *lower, const struct variable *variable, struct span span)
{
    return expr_read(lower->system, place_variable(lower->system, variable, span), false, span);
}

struct expr *pml_pid(struct pml_lower *lower, struct pml_self self, struct span span)
{
    return self.pid ? pml_variable_value(lower, self.pid, span)
                    : expr_const(lower->system, lower->pids, self.number, span);
}

bool pml_is_single(const struct pml_lower *lower, const struct pml_proctype *proctype)
{
    return lower->cast.roles[proctype->id].first == lower->cast.roles[proctype->id].last;
}

struct place *pml_own(struct pml_lower *lower, struct place *place, const struct pml_proctype *owner,
                      struct pml_self self, struct span span)
{
    return pml_is_single(lower, owner) ? place : place_element(lower->system, place, pml_pid(lower, self, span), span);
}

static struct place *pml_control(struct pml_lower *lower, struct pml_self self, struct span span)
{
    struct place *base = place_variable(lower->system, lower->at, span);
    return place_element(lower->system, base, pml_pid(lower, self, span), span);
}

static struct expr *place_of(struct pml_lower *lower, const struct pml_proctype *proctype, uint32_t node,
                             struct span span)
{
    uint32_t ordinal = node == PML_NOWHERE ? 0 : lower->ordinals[proctype->id][node];
    return expr_const(lower->system, lower->places, type_code(lower->places, ordinal), span);
}

struct expr *pml_is_at(struct pml_lower *lower, struct pml_self self, uint32_t node, struct span span)
{
    if (node != PML_NOWHERE && lower->ordinals[self.proctype->id][node] == UINT32_MAX)
        return pml_truth(lower, false, span);
    struct expr *here = expr_read(lower->system, pml_control(lower, self, span), false, span);
    return pml_compare(lower, OP_EQ, here, place_of(lower, self.proctype, node, span));
}

void pml_assign(struct pml_lower *lower, struct pml_steps *steps, struct place *place, struct expr *value)
{
    struct stmt *stmt = stmt_new(lower->system, STMT_ASSIGN, place->span);
    stmt->place = place;
    stmt->value = value;
    VEC_PUSH(steps, stmt);
}

static bool may_be_least(const struct pml_lower *lower, uint32_t leaf)
{
    return lower->values.leaves.items[leaf].range.lo <= INT32_MIN;
}

struct expr *pml_get(struct pml_lower *lower, struct place *place, uint32_t leaf)
{
    struct expr *value = expr_read(lower->system, place, false, place->span);
    if (!may_be_least(lower, leaf))
        return value;
    return expr_cond(lower->system, expr_is_undefined(lower->system, place, place->span),
                     pml_constant(lower, INT32_MIN, place->span), value, place->span);
}

void pml_put(struct pml_lower *lower, struct pml_steps *steps, struct place *place, struct expr *value, uint32_t leaf)
{
    struct pml_steps least = {0}, other = {0};
    struct expr_bounds bounds = {.most = 0};
    int64_t number;
    if (!may_be_least(lower, leaf) || expr_bounds_of(&bounds, value).low > INT32_MIN) {
        pml_assign(lower, steps, place, value);
        return;
    }
    struct stmt *forget = stmt_new(lower->system, STMT_UNDEFINE, place->span);
    forget->place = place;
    if (expr_is_number(value, &number)) { /* it is the least */
        VEC_PUSH(steps, forget);
        return;
    }
    struct stmt *choice = stmt_new(lower->system, STMT_IF, place->span);
    expr_share(lower->system, value);
    choice->value = pml_compare(lower, OP_EQ, value, pml_constant(lower, INT32_MIN, place->span));
    VEC_PUSH(&least, forget);
    pml_assign(lower, &other, place, value);
    choice->body = pml_close(lower, &least);
    choice->otherwise = pml_close(lower, &other);
    VEC_PUSH(steps, choice);
}

void pml_go(struct pml_lower *lower, struct pml_steps *steps, struct pml_self self, uint32_t node, struct span span)
{
    pml_assign(lower, steps, pml_control(lower, self, span), place_of(lower, self.proctype, node, span));
}

struct block pml_close(struct pml_lower *lower, struct pml_steps *steps)
{
    struct block block = {.count = (uint32_t)steps->count};
    block.items = VEC_SEAL(steps, lower->system->arena);
    return block;
}

const struct type *pml_pids_of(struct pml_lower *lower, const struct pml_proctype *proctype)
{
    const struct pml_role *role = &lower->cast.roles[proctype->id];
    const struct type **type = &lower->role_types[proctype->id];
    if (!*type)
        *type = type_range(lower->system, lower->is_fair ? proctype->name : NULL, (int32_t)role->first,
                           (int32_t)role->last, proctype->span);
    return *type;
}

void pml_add_parameter(struct pml_lower *lower, struct rule *rule, const struct variable *variable)
{
    struct parameter *parameters = ARENA_ARRAY(lower->system->arena, struct parameter, rule->parameter_count + 1);
    for (uint32_t i = 0; i < rule->parameter_count; i++)
        parameters[i] = rule->parameters[i];
    parameters[rule->parameter_count++] = (struct parameter){.variable = variable, .type = variable->type};
    rule->parameters = parameters;
}

struct pml_self pml_self_of(struct pml_lower *lower, struct rule *rule, const struct pml_proctype *proctype,
                            const char *name)
{
    struct pml_self self = {.proctype = proctype, .number = lower->cast.roles[proctype->id].first};
    if (pml_is_single(lower, proctype) && !lower->is_fair) /* fairness asks whose step it is */
        return self;
    const struct type *type = pml_pids_of(lower, proctype);
    self.pid = system_add_scratch(lower->system, name, type, proctype->span);
    pml_add_parameter(lower, rule, self.pid);
    return self;
}
