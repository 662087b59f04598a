#include "ir/validate.h"

#include "base/printable.h"
#include "ir/chain.h"
#include "ir/ctl.h"
#include "ir/validation.h"
#include "ir/walk.h"

bool validation_fail(struct validation *validation, struct span span, const char *format, ...)
{
    if (validation->problem)
        return false;
    va_list arguments;
    va_start(arguments, format);
    const char *message = arena_vformat(validation->system->arena, format, arguments);
    va_end(arguments);
    validation->problem =
        span.line ? arena_format(validation->system->arena, "%u:%u: %s", span.line, span.column, message) : message;
    return false;
}

/* Calls form no cycle: depth first search over the functions. */
struct call_search {
    struct validation *validation;
    enum { CALLS_NEW, CALLS_OPEN, CALLS_DONE } * marks;
};

static void validate_calls(struct call_search *search, const struct function *function);

static bool validate_on_call(void *user, const struct expr *expr)
{
    struct call_search *search = user;
    if (expr->kind == EXPR_CALL)
        validate_calls(search, expr->function);
    return true;
}

static void validate_calls(struct call_search *search, const struct function *function)
{
    if (search->marks[function->id] == CALLS_OPEN)
        validation_fail(search->validation, function->span, "%s is recursive", function->name);
    if (search->marks[function->id] != CALLS_NEW)
        return;
    search->marks[function->id] = CALLS_OPEN;
    struct walker walker = {.on_expr = validate_on_call, .user = search};
    walk_block(&walker, &function->body);
    search->marks[function->id] = CALLS_DONE;
}

static bool validate_recursion(struct validation *v)
{
    const struct system *system = v->system;
    struct call_search search = {.validation = v};
    search.marks = memory_zeroed(system->functions.count + 1, sizeof *search.marks);
    for (size_t f = 0; f < system->functions.count; f++)
        validate_calls(&search, system->functions.items[f]);
    free(search.marks);
    return !v->problem;
}

static bool validate_function(struct validation *v, const struct function *function)
{
    if (function->result && (function->result->is_global || function->result->is_reference))
        return validation_fail(v, function->span, "the result of %s is not in scratch", function->name);
    for (uint32_t p = 0; p < function->parameter_count; p++)
        if (!function->parameters[p] || function->parameters[p]->is_global)
            return validation_fail(v, function->span, "a parameter of %s is not in scratch", function->name);
    v->function = function;
    bool is_valid = validate_block(v, &function->body);
    v->function = NULL;
    return is_valid;
}

static bool validate_parameter(struct validation *v, const struct rule *rule, const struct parameter *parameter)
{
    struct domain domain = {.type = parameter->type};
    if (!validate_domain(v, &domain, parameter->variable, rule->span))
        return false;
    if (!parameter->choose)
        return true;
    /* The place itself may use references the prelude binds: only its type can be checked here. */
    const struct type *multiset = parameter->choose->type;
    if (!multiset || multiset->kind != TYPE_MULTISET)
        return validation_fail(v, rule->span, "rule %s chooses from no multiset", rule->name);
    return (parameter->type->kind == TYPE_RANGE && parameter->type->blocks->lo == 0 &&
            parameter->type->size == multiset->capacity) ||
           validation_fail(v, rule->span, "rule %s does not choose among all slots", rule->name);
}

static bool validate_rule_parts(struct validation *v, const struct rule *rule)
{
    for (uint32_t p = 0; p < rule->parameter_count; p++) {
        if (!validate_parameter(v, rule, &rule->parameters[p]))
            return false;
        VEC_PUSH(&v->bound, rule->parameters[p].variable);
    }
    v->is_prelude = true;
    bool is_valid = validate_block(v, &rule->prelude);
    v->is_prelude = false;
    return is_valid && (!rule->guard || validate_condition(v, rule->guard, rule->span)) &&
           validate_block(v, &rule->body);
}

static bool validate_part(struct validation *v, const struct rule *rule, const struct joint_part *part)
{
    uint32_t most = 0;
    for (uint32_t c = 0; c < part->command_count; c++) {
        const struct joint_command *command = &part->commands[c];
        most = command->outcome_count > most ? command->outcome_count : most;
        if (!validate_condition(v, command->guard, command->span))
            return false;
        for (uint32_t i = 0; i < command->outcome_count; i++)
            if (!validate_block(v, &command->outcomes[i].body))
                return false;
    }
    uint32_t at[] = {part->command_parameter, part->outcome_parameter}, sizes[] = {part->command_count, most};
    for (uint32_t i = 0; i < 2; i++)
        if (at[i] == JOINT_ALONE ? sizes[i] != 1
                                 : at[i] >= rule->parameter_count || rule->parameters[at[i]].type->size != sizes[i])
            return validation_fail(v, rule->span, "rule %s has no parameter for all that %s does", rule->name,
                                   part->name);
    return true;
}

static bool validate_joint(struct validation *v, const struct rule *rule)
{
    for (uint32_t p = 0; p < rule->joint->part_count; p++)
        if (!validate_part(v, rule, &rule->joint->parts[p]))
            return false;
    return (v->system->chain && rule->joint->outcome_ways && rule->instance_count % rule->joint->outcome_ways == 0) ||
           validation_fail(v, rule->span, "the choices of rule %s are not known", rule->name);
}

static bool validate_rule(struct validation *v, const struct rule *rule, size_t position)
{
    if (!rule->name || rule->id != position || !printable_is_plain(rule->name))
        return validation_fail(v, rule->span, "rule %zu has no name that can be shown, or another number", position);
    if (rule->joint && !validate_joint(v, rule))
        return false;
    if (rule->weight && !v->system->chain)
        return validation_fail(v, rule->span, "rule %s does not have one branch of weight 1", rule->name);
    bool is_valid = validate_rule_parts(v, rule);
    VEC_CLEAR(&v->bound);
    return is_valid;
}

static bool validate_never(struct validation *v, const struct ctl *ctl)
{
    const struct never *never = ctl->never;
    bool is_valid = never && never->condition_count <= NEVER_MOST_CONDITIONS && never->start < never->state_count;
    uint64_t all = is_valid && never->condition_count < 64 ? (UINT64_C(1) << never->condition_count) - 1 : UINT64_MAX;
    const struct ctl *at = ctl->left;
    for (uint32_t e = 0; is_valid && e < never->first[never->state_count]; e++)
        is_valid = never->edges[e].target < never->state_count &&
                   !((never->edges[e].positive | never->edges[e].negative) & ~all);
    for (uint32_t c = 1; is_valid && c < never->condition_count; c++, at = at->left)
        is_valid = at->kind == CTL_AND && at->right->kind == CTL_PROPOSITION;
    return (is_valid && at->kind == CTL_PROPOSITION) ||
           validation_fail(v, ctl->span, "an automaton leads nowhere, or has other conditions");
}

static bool validate_ctl(struct validation *v, const struct ctl *ctl)
{
    if (ctl->kind == CTL_PROPOSITION) {
        const struct proposition *proposition = ctl->proposition;
        return (proposition->id < v->system->propositions.count &&
                v->system->propositions.items[proposition->id] == proposition &&
                validate_condition(v, proposition->formula, ctl->span)) ||
               validation_fail(v, ctl->span, "a proposition is not one of the system's");
    }
    if (ctl->kind == CTL_DEADLOCK)
        return true;
    bool is_bound = ctl->kind == CTL_FORALL || ctl->kind == CTL_EXISTS;
    bool has_right = (ctl->kind >= CTL_AND && ctl->kind <= CTL_IMPLIES) || ctl->kind == CTL_EU || ctl->kind == CTL_AU ||
                     ctl->kind >= LTL_U;
    if (!ctl->left || (ctl->right != NULL) != has_right || (ctl->variable != NULL) != is_bound)
        return validation_fail(v, ctl->span, "%s lacks an operand", ctl_kind_name(ctl->kind));
    if (ctl->kind == LTL_NEVER && !validate_never(v, ctl))
        return false;
    if (is_bound && !validate_domain(v, &(struct domain){.type = ctl->variable->type}, ctl->variable, ctl->span))
        return false;
    if (is_bound)
        VEC_PUSH(&v->bound, ctl->variable);
    bool is_valid = validate_ctl(v, ctl->left) && (!ctl->right || validate_ctl(v, ctl->right));
    if (is_bound)
        (void)VEC_POP(&v->bound);
    return is_valid;
}

static bool validate_formula(struct validation *v, const struct property *property, size_t position)
{
    if (!property->name || property->id != position || !printable_is_plain(property->name))
        return validation_fail(v, property->span, "property %zu has no name that can be shown, or another number",
                               position);
    if ((property->kind == PROPERTY_CTL) != (property->ctl != NULL) ||
        (property->kind == PROPERTY_LTL) != (property->ltl != NULL) ||
        (property->kind == PROPERTY_FAIRNESS) != (property->fairness != NULL))
        return validation_fail(v, property->span, "%s has a formula of another kind", property->name);
    switch (property->kind) {
    case PROPERTY_INVARIANT:
    case PROPERTY_LIVENESS:
        return validate_condition(v, property->formula, property->span);
    case PROPERTY_ASSUMPTION:
    case PROPERTY_COVER:
    case PROPERTY_DEADLOCK:
        return !property->formula || validate_condition(v, property->formula, property->span);
    case PROPERTY_CTL:
        return validate_ctl(v, property->ctl) && !property->ctl->free_count;
    case PROPERTY_LTL:
        return validate_ctl(v, property->ltl) && !property->ltl->free_count;
    default:
        return !property->formula || validation_fail(v, property->span, "%s has a formula", property->name);
    }
}

static bool validate_built_in(struct validation *v)
{
    const struct system *system = v->system;
    if (!system->finished)
        return validation_fail(v, (struct span){0}, "the system is not finished");
    if (system->properties.count < 2 || system->properties.items[SYSTEM_DEADLOCK]->kind != PROPERTY_DEADLOCK ||
        system->properties.items[SYSTEM_RUNTIME]->kind != PROPERTY_RUNTIME)
        return validation_fail(v, (struct span){0}, "the built-in properties are missing");
    return true;
}

static bool validate_system(struct validation *v)
{
    const struct system *system = v->system;
    if (!validate_built_in(v))
        return false;
    for (size_t f = 0; f < system->functions.count; f++)
        if (!validate_function(v, system->functions.items[f]))
            return false;
    for (size_t r = 0; r < system->starts.count; r++)
        if (!validate_rule(v, system->starts.items[r], r))
            return false;
    for (size_t r = 0; r < system->rules.count; r++)
        if (!validate_rule(v, system->rules.items[r], r))
            return false;
    for (size_t p = 0; p < system->properties.count; p++)
        if (!validate_formula(v, system->properties.items[p], p))
            return false;
    return validate_recursion(v);
}

const char *ir_validate(struct system *system)
{
    struct validation validation = {.system = system,
                                    .is_valid = memory_zeroed((size_t)system->shared_count + 1, sizeof(bool))};
    validate_system(&validation);
    VEC_FREE(&validation.bound);
    free(validation.is_valid);
    return validation.problem;
}
