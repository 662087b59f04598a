#include "exec/conditions.h"

const struct property *conditions_breach(struct stepper *judge, const int32_t *cells, enum truth *truth,
                                         struct fault *fault)
{
    const struct system *system = judge->system;
    for (size_t i = 0; i < system->properties.count; i++) {
        const struct property *property = system->properties.items[i];
        if (property->kind != PROPERTY_ASSUMPTION || !property->formula)
            continue;
        *truth = stepper_holds(judge, property, cells, fault);
        if (*truth != TRUTH_TRUE)
            return property;
    }
    return NULL;
}

bool conditions_admit(struct stepper *judge, const int32_t *cells)
{
    enum truth truth;
    struct fault fault;
    return !conditions_breach(judge, cells, &truth, &fault);
}

bool conditions_allow_end(struct stepper *judge, const int32_t *cells)
{
    const struct property *deadlock = judge->system->properties.items[SYSTEM_DEADLOCK];
    struct fault fault;
    return deadlock->formula && stepper_holds(judge, deadlock, cells, &fault) == TRUTH_TRUE;
}
