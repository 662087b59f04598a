#include "exec/probe.h"

#include <string.h>

#include "exec/evaluate.h"

struct probe_binding {
    const struct variable *variable;
    int32_t value;
};

struct probe {
    struct evaluator *evaluator; /* made as a stepper; only its memory is used */
    const struct layout *layout;
    int32_t *cells;
    VEC(struct probe_binding) bindings;
};

struct probe *probe_create(const struct layout *layout)
{
    struct probe *probe = memory_zeroed(1, sizeof *probe);
    probe->layout = layout;
    probe->evaluator = (struct evaluator *)stepper_create_single(layout->system, layout);
    probe->cells = memory_zeroed((size_t)layout->cell_count + 1, sizeof *probe->cells);
    layout_blank(layout, probe->cells);
    return probe;
}

void probe_watch(struct probe *probe)
{
    probe->evaluator->stepper.is_watched = true;
}

void probe_destroy(struct probe *probe)
{
    if (!probe)
        return;
    stepper_destroy(&probe->evaluator->stepper);
    VEC_FREE(&probe->bindings);
    free(probe->cells);
    free(probe);
}

void probe_load(struct probe *probe, const int32_t *cells)
{
    memcpy(probe->cells, cells, probe->layout->cell_count * sizeof *cells);
    VEC_CLEAR(&probe->bindings);
}

void probe_bind(struct probe *probe, const struct variable *variable, int32_t value)
{
    ENSURE(!variable->is_global && type_has(variable->type, value));
    VEC_PUSH(&probe->bindings, ((struct probe_binding){variable, value}));
}

void probe_unbind(struct probe *probe)
{
    ENSURE(probe->bindings.count > 0);
    (void)VEC_POP(&probe->bindings);
}

static struct evaluator *prepare(struct probe *probe)
{
    struct evaluator *evaluator = probe->evaluator;
    evaluate_load(evaluator, probe->cells);
    for (size_t i = 0; i < probe->bindings.count; i++)
        evaluator->memory[probe->bindings.items[i].variable->address] = probe->bindings.items[i].value;
    return evaluator;
}

static enum probe_outcome conclude(const struct probe *probe, enum run run, struct fault *fault)
{
    if (run == RUN_FAULT)
        *fault = probe->evaluator->fault;
    return run == RUN_OK ? PROBE_VALUE : run == RUN_FAULT ? PROBE_FAULT : PROBE_DISCARDED;
}

enum probe_outcome probe_value(struct probe *probe, const struct expr *expr, int64_t *value, struct fault *fault)
{
    return conclude(probe, evaluate_expr(prepare(probe), expr, value), fault);
}

enum probe_outcome probe_place(struct probe *probe, const struct place *place, uint32_t *address, struct fault *fault)
{
    return conclude(probe, evaluate_place(prepare(probe), place, address), fault);
}

int32_t probe_cell(const struct probe *probe, uint32_t address)
{
    return probe->evaluator->memory[address];
}

enum probe_outcome probe_domain(struct probe *probe, const struct expr *quantifier, int64_t *values, uint32_t most,
                                uint32_t *count, struct fault *fault)
{
    struct iteration iteration;
    int64_t value;
    *count = 0;
    enum run run = iteration_begin(prepare(probe), &quantifier->domain, quantifier->span, &iteration);
    while (run == RUN_OK && *count <= most && iteration_next(&iteration, &value)) {
        run = evaluate_check(probe->evaluator, FAULT_RANGE, quantifier->variable->type, value, quantifier->span);
        if (*count < most)
            values[*count] = value;
        (*count)++;
    }
    return conclude(probe, run, fault);
}
