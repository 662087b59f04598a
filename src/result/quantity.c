#include "result/quantity.h"

void quantity_free(struct quantity *quantity)
{
    free(quantity->exact);
    VEC_FREE(&quantity->convergence);
    trace_destroy(quantity->run.trace);
    free(quantity->run.chances);
    *quantity = (struct quantity){0};
}
