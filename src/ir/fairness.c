#include "ir/fairness.h"

#include "base/memory.h"
#include "ir/instance.h"
#include "ir/print.h"

#include <stdlib.h>
#include <string.h>

static bool is_parameter(const struct rule *rule, const int32_t *own, const struct type *type, int32_t process,
                         bool is_first_only)
{
    for (uint32_t p = 0; p < (is_first_only && rule->parameter_count ? 1 : rule->parameter_count); p++)
        if (rule->parameters[p].type == type && own[p] == process)
            return true;
    return false;
}

static bool is_about(const struct fairness *fairness, const struct rule *rule, uint64_t instance, const int32_t *values,
                     bool is_first_only)
{
    if (fairness->rule && fairness->rule != rule)
        return false;
    int32_t *own = memory_alloc(((size_t)rule->parameter_count + 1) * sizeof *own);
    instance_values(rule, instance, own);
    bool is_own = fairness->rule ? memcmp(own, values, rule->parameter_count * sizeof *own) == 0
                                 : is_parameter(rule, own, fairness->variables[0]->type, values[0], is_first_only);
    free(own);
    return is_own;
}

bool fairness_is_own(const struct fairness *fairness, const struct rule *rule, uint64_t instance, const int32_t *values)
{
    return is_about(fairness, rule, instance, values, false);
}

bool fairness_is_enabled(const struct fairness *fairness, const struct rule *rule, uint64_t instance,
                         const int32_t *values)
{
    return is_about(fairness, rule, instance, values, fairness->first_acts);
}

bool fairness_is_required(const struct system *system)
{
    for (size_t i = 0; i < system->properties.count; i++)
        if (system->properties.items[i]->fairness)
            return true;
    return false;
}

bool fairness_is_closed(const struct system *system)
{
    for (size_t i = 0; i < system->properties.count; i++) {
        const struct fairness *fairness = system->properties.items[i]->fairness;
        if (fairness && fairness->kind == FAIRNESS_CONDITION)
            return false;
    }
    return true;
}

void fairness_print(const struct fairness *fairness, struct text *out)
{
    if (fairness->shown)
        fairness = fairness->shown;
    if (fairness->kind == FAIRNESS_CONDITION) {
        if (fairness->when) {
            text_append(out, "if infinitely often ");
            ir_print_formula(fairness->when->formula, out);
            text_append(out, ", then ");
        }
        text_append(out, "infinitely often ");
        ir_print_formula(fairness->then->formula, out);
        return;
    }
    text_format(out, "%s fairness of ", fairness->kind == FAIRNESS_WEAK ? "weak" : "strong");
    if (fairness->rule)
        text_format(out, "rule \"%s\"", fairness->rule->name);
    else
        type_print(fairness->variables[0]->type, out);
}
