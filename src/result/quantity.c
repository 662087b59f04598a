#include "result/quantity.h"

void quantity_drop_scheduler(struct quantity *quantity)
{
    for (size_t i = 0; i < quantity->scheduler.count; i++)
        free(quantity->scheduler.items[i].cells);
    VEC_FREE(&quantity->scheduler);
}

void quantity_free(struct quantity *quantity)
{
    free(quantity->exact);
    for (size_t i = 0; i < quantity->pareto.count; i++)
        for (int k = 0; k < 2; k++)
            free(quantity->pareto.items[i].exact[k]);
    VEC_FREE(&quantity->pareto);
    VEC_FREE(&quantity->convergence);
    trace_destroy(quantity->run.trace);
    free(quantity->run.chances);
    quantity_drop_scheduler(quantity);
    for (size_t i = 0; i < quantity->printed.count; i++) {
        free(quantity->printed.items[i].cells);
        free(quantity->printed.items[i].exact);
    }
    VEC_FREE(&quantity->printed);
    *quantity = (struct quantity){0};
}
