#include "exec/own.h"

bool step_is_own(const struct step *step, const struct fairness *fairness, const int32_t *values)
{
    if (fairness_is_own(fairness, step->rule, step->instance, values))
        return true;
    for (const struct passed *p = step->passed; p; p = p->before)
        if (fairness_is_own(fairness, p->rule, p->instance, values))
            return true;
    return false;
}

bool step_enables(const struct step *step, const struct fairness *fairness, const int32_t *values)
{
    uint64_t instance;
    const struct rule *rule = step_first(step, &instance);
    return fairness_is_enabled(fairness, rule, instance, values);
}
