#include "observe/assume.h"

bool assume_holds(struct stepper *judge, const int32_t *cells)
{
    const struct system *system = judge->system;
    struct fault fault;
    for (size_t i = 0; i < system->properties.count; i++) {
        const struct property *property = system->properties.items[i];
        if (property->kind == PROPERTY_ASSUMPTION && property->formula &&
            stepper_holds(judge, property, cells, &fault) != TRUTH_TRUE)
            return false;
    }
    return true;
}
