#include "population/instance.h"

static void instance_place(struct instance *instance, const struct thread_shape *shape)
{
    const struct system *system = instance->layout->system;
    for (size_t v = 0; v < system->globals.count; v++) {
        /* the system at this size is another one: the variables correspond by their position */
        bool is_local = shape_is_local(shape, shape->system->globals.items[v]);
        const struct variable *variable = system->globals.items[v];
        uint32_t count = is_local ? variable->type->element->cells : variable->type->cells;
        for (uint32_t c = 0; c < count; c++)
            if (is_local) {
                instance->local_stride[instance->local_cells] = count;
                instance->local_at[instance->local_cells++] = variable->address + c;
            } else {
                instance->shared_at[instance->shared_cells++] = variable->address + c;
            }
    }
}

struct instance *instance_create(const struct thread_shape *shape, const struct layout *layout)
{
    struct instance *instance = memory_zeroed(1, sizeof *instance);
    size_t cells = (size_t)layout->cell_count + 1;
    *instance = (struct instance){.layout = layout, .size = layout->system->population->size};
    instance->shared_at = memory_zeroed(cells, sizeof *instance->shared_at);
    instance->local_at = memory_zeroed(cells, sizeof *instance->local_at);
    instance->local_stride = memory_zeroed(cells, sizeof *instance->local_stride);
    instance->cells = memory_zeroed(cells, sizeof *instance->cells);
    instance->shared = memory_zeroed(cells, sizeof *instance->shared);
    instance->local = memory_zeroed(cells, sizeof *instance->local);
    instance_place(instance, shape);
    instance->evaluator = stepper_create_evaluator(layout->system, layout);
    instance->evaluator->is_watched = true;
    layout_blank(layout, instance->cells);
    return instance;
}

void instance_destroy(struct instance *instance)
{
    if (!instance)
        return;
    stepper_destroy(instance->evaluator);
    free(instance->shared_at);
    free(instance->local_at);
    free(instance->local_stride);
    free(instance->cells);
    free(instance->shared);
    free(instance->local);
    free(instance);
}

static uint32_t cell_word(const struct layout *layout, uint32_t cell, int32_t code)
{
    const struct type *type = layout->cells[cell].type;
    if (!type)
        return (uint32_t)code; /* the taken-flag of a slot */
    return code == UNDEFINED ? 0 : (uint32_t)type_ordinal(type, code) + 1;
}

static int32_t cell_code(const struct layout *layout, uint32_t cell, uint32_t word)
{
    const struct type *type = layout->cells[cell].type;
    if (!type)
        return (int32_t)word;
    return word ? type_code(type, word - 1) : UNDEFINED;
}

void instance_put_shared(struct instance *instance, const uint32_t *words)
{
    for (uint32_t c = 0; c < instance->shared_cells; c++)
        instance->cells[instance->shared_at[c]] = cell_code(instance->layout, instance->shared_at[c], words[c]);
}

void instance_put_local(struct instance *instance, uint32_t thread, const uint32_t *words)
{
    for (uint32_t c = 0; c < instance->local_cells; c++) {
        uint32_t cell = instance->local_at[c] + thread * instance->local_stride[c];
        instance->cells[cell] = cell_code(instance->layout, cell, words[c]);
    }
}

void instance_read_shared(struct instance *instance, const int32_t *cells)
{
    for (uint32_t c = 0; c < instance->shared_cells; c++)
        instance->shared[c] = cell_word(instance->layout, instance->shared_at[c], cells[instance->shared_at[c]]);
}

void instance_read_local(struct instance *instance, const int32_t *cells, uint32_t thread)
{
    for (uint32_t c = 0; c < instance->local_cells; c++) {
        uint32_t cell = instance->local_at[c] + thread * instance->local_stride[c];
        instance->local[c] = cell_word(instance->layout, cell, cells[cell]);
    }
}
