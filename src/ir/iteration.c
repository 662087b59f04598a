#include "ir/iteration.h"

bool iteration_next(struct iteration *iteration, int64_t *value)
{
    if (iteration->type) {
        if (iteration->ordinal == iteration->type->size)
            return false;
        *value = type_code(iteration->type, iteration->ordinal++);
        return true;
    }
    if (iteration->is_over || (iteration->by > 0 ? iteration->next > iteration->to : iteration->next < iteration->to))
        return false;
    *value = iteration->next;
    iteration->is_over = __builtin_add_overflow(iteration->next, iteration->by, &iteration->next);
    return true;
}
