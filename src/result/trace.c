#include "result/trace.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct trace *trace_create(const struct system *system, const struct layout *layout)
{
    struct trace *trace = memory_zeroed(1, sizeof *trace);
    trace->system = system;
    trace->layout = layout;
    return trace;
}

void trace_destroy(struct trace *trace)
{
    if (!trace)
        return;
    for (uint32_t i = 0; i < trace->count; i++)
        free(trace->steps[i].cells);
    free(trace->steps);
    free(trace->automaton);
    free(trace->places);
    free(trace);
}

void trace_push(struct trace *trace, const struct rule *rule, uint64_t instance, const int32_t *cells,
                const struct fault *fault)
{
    /* The array is full whenever its count is a power of two (or zero). */
    if ((trace->count & (trace->count - 1)) == 0)
        trace->steps =
            memory_resize(trace->steps, (trace->count ? 2 * (size_t)trace->count : 1) * sizeof *trace->steps);
    struct trace_step *step = &trace->steps[trace->count++];
    *step = (struct trace_step){.rule = rule, .instance = instance};
    if (fault)
        step->fault = *fault;
    if (!cells)
        return;
    size_t size = trace->layout->cell_count * sizeof *cells;
    step->cells = memcpy(memory_alloc(size), cells, size);
}

void trace_pop(struct trace *trace)
{
    ENSURE(trace->count > 0);
    free(trace->steps[--trace->count].cells);
}
