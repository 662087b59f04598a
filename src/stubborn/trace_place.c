#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ir/same.h"
#include "stubborn/trace.h"

void region_free(struct region *region)
{
    free(region->starts);
    region->starts = NULL;
}

static struct region region_of(uint32_t address, uint32_t cells)
{
    struct region region = {memory_alloc(sizeof *region.starts), 1, cells, false, false};
    region.starts[0] = address;
    return region;
}

static const struct region region_local = {.is_local = true};

static struct region region_copy(const struct region *from)
{
    struct region copy = *from;
    copy.starts = from->starts ? memory_alloc((from->count + 1) * sizeof *copy.starts) : NULL;
    if (copy.starts)
        memcpy(copy.starts, from->starts, from->count * sizeof *copy.starts);
    return copy;
}

void trace_bind(struct tracer *tracer, const struct variable *reference, struct region region)
{
    struct trace_binding binding = {reference, region};
    VEC_PUSH(&tracer->bindings, binding);
}

static struct region trace_reference(struct tracer *tracer, const struct variable *reference)
{
    for (size_t i = tracer->bindings.count; i-- > 0;)
        if (tracer->bindings.items[i].reference == reference)
            return region_copy(&tracer->bindings.items[i].region);
    tracer->is_too_much = true; /* it is bound somewhere else: that does not occur */
    return region_local;
}

/* Every element of the arrays, or the one with that number. */
static void region_enter(struct region *region, const struct type *array, int64_t ordinal)
{
    uint32_t size = ordinal < 0 ? array->index->size : 1, count = 0;
    uint32_t *starts = memory_alloc(((size_t)region->count * size + 1) * sizeof *starts);
    for (uint32_t i = 0; i < region->count; i++)
        for (uint32_t e = 0; e < size; e++)
            starts[count++] = region->starts[i] + (ordinal < 0 ? e : (uint32_t)ordinal) * array->element->cells;
    free(region->starts);
    region->starts = starts;
    region->count = count;
    region->cells = array->element->cells;
}

static struct region trace_element(struct tracer *tracer, const struct place *place)
{
    struct region region = trace_region(tracer, place->base);
    struct peval_value index = peval_evaluate(&tracer->stubborn->peval, place->index);
    uint32_t address;
    trace_value(tracer, place->index);
    if (index.kind != PEVAL_KNOWN && place->index->kind == EXPR_READ &&
        peval_address(&tracer->stubborn->peval, place->index->place, &address) &&
        address < tracer->stubborn->layout->cell_count)
        bits_add(tracer->stubborn->wanted, address);
    if (region.is_local || region.is_whole || !trace_works(tracer))
        return region;
    int64_t ordinal = index.kind == PEVAL_KNOWN ? type_ordinal(place->base->type->index, index.value) : -1;
    region_enter(&region, place->base->type, ordinal);
    tracer->stubborn->work += region.count;
    return region;
}

struct region trace_region(struct tracer *tracer, const struct place *place)
{
    struct region region;
    switch (place->kind) {
    case PLACE_VARIABLE:
        return place->variable->is_global ? region_of(place->variable->address, place->type->cells) : region_local;
    case PLACE_DEREF:
        return trace_reference(tracer, place->variable);
    case PLACE_ELEMENT:
        return trace_element(tracer, place);
    case PLACE_FIELD:
        region = trace_region(tracer, place->base);
        if (region.is_local || region.is_whole)
            return region;
        for (uint32_t i = 0; i < region.count; i++)
            region.starts[i] += place->field->offset;
        region.cells = place->type->cells;
        return region;
    case PLACE_SLOT:
        region = trace_region(tracer, place->base);
        trace_value(tracer, place->index);
        region.is_whole = true;
        return region;
    case PLACE_CALL:
        trace_call(tracer, place->call);
        return region_local;
    }
    return region_local;
}

static void region_add_to(const struct region *region, uint64_t *set)
{
    for (uint32_t i = 0; i < region->count; i++)
        for (uint32_t c = 0; c < region->cells; c++)
            bits_add(set, region->starts[i] + c);
}

void trace_read(struct tracer *tracer, const struct place *place)
{
    bool is_head = tracer->queue && tracer->is_before && queue_is_head(tracer->queue, place);
    struct region region = trace_region(tracer, place);
    if (!is_head)
        region_add_to(&region, tracer->sets.reads);
    region_free(&region);
}

/* --- writes --- */

static struct effect *find_effect(struct unit *unit, uint32_t cell)
{
    for (size_t i = 0; i < unit->effects.count; i++)
        if (unit->effects.items[i].cell == cell)
            return &unit->effects.items[i];
    return NULL;
}

static void write_anything(struct tracer *tracer, const struct region *region)
{
    for (size_t e = 0; tracer->unit && e < tracer->unit->effects.count; e++) {
        struct effect *effect = &tracer->unit->effects.items[e];
        for (uint32_t i = 0; i < region->count; i++)
            if (effect->cell >= region->starts[i] && effect->cell < region->starts[i] + region->cells)
                effect->kind = EFFECT_ANY;
    }
    region_add_to(region, tracer->sets.writes);
}

static void add_constant(struct effect *effect, int32_t value)
{
    for (uint32_t i = 0; i < effect->count; i++)
        if (effect->values[i] == value)
            return;
    if (effect->count == STUBBORN_CONSTANTS)
        effect->kind = EFFECT_ANY;
    else
        effect->values[effect->count++] = value;
}

/* What happens to a cell, which is in the set of those that are written. */
static void write_cell(struct tracer *tracer, uint64_t *written, uint32_t cell, enum effect_kind kind, int32_t value,
                       bool is_sure)
{
    struct effect *effect = find_effect(tracer->unit, cell);
    if (!effect && (bits_has(written, cell) || kind == EFFECT_ANY)) {
        bits_add(written, cell); /* anything was stored, or is */
        return;
    }
    bits_add(written, cell);
    if (!effect) {
        struct effect new = {.cell = cell, .kind = kind, .is_sure = is_sure, .count = 1, .values = {value}};
        VEC_PUSH(&tracer->unit->effects, new);
    } else if (kind == EFFECT_CONSTANTS && effect->kind == EFFECT_CONSTANTS) {
        add_constant(effect, value);
        effect->is_sure |= is_sure;
    } else {
        effect->kind = EFFECT_ANY;
    }
}

void trace_write(struct tracer *tracer, const struct place *place)
{
    struct region region = trace_region(tracer, place);
    write_anything(tracer, &region);
    region_add_to(&region, tracer->stubborn->undefined);
    region_free(&region);
}

/* place := place + constant */
static bool is_more(const struct place *place, const struct expr *value, int32_t *more)
{
    if (value->kind != EXPR_BINARY || (value->op != OP_ADD && value->op != OP_SUB) || value->left->kind != EXPR_READ ||
        value->right->kind != EXPR_CONST || !same_place(place, value->left->place) || value->right->value > INT32_MAX ||
        value->right->value < -INT32_MAX)
        return false;
    *more = (int32_t)(value->op == OP_ADD ? value->right->value : -value->right->value);
    return true;
}

void trace_store(struct tracer *tracer, const struct place *place, const struct expr *value)
{
    struct peval_value stored = peval_evaluate(&tracer->stubborn->peval, value);
    trace_value(tracer, value);
    struct region region = trace_region(tracer, place);
    bool is_value = value->kind != EXPR_CALL && value->kind != EXPR_COND && !value->raw;
    if (!is_value || (value->kind == EXPR_CONST && value->value == UNDEFINED))
        region_add_to(&region, tracer->stubborn->undefined);
    int32_t number = 0;
    enum effect_kind kind = EFFECT_ANY;
    if (stored.kind == PEVAL_KNOWN && type_has(place->type, stored.value)) {
        kind = EFFECT_CONSTANTS;
        number = (int32_t)stored.value;
    } else if (region.count == 1 && !tracer->repeated && is_more(place, value, &number)) {
        kind = EFFECT_MORE;
    }
    if (region.is_whole || region.cells != 1 || region.count > STUBBORN_CONSTANTS || !tracer->unit)
        kind = EFFECT_ANY; /* also where it may be any of many cells: an effect for each would take too much */
    if (kind == EFFECT_ANY)
        write_anything(tracer, &region);
    for (uint32_t i = 0; kind != EFFECT_ANY && i < region.count; i++)
        write_cell(tracer, tracer->sets.writes, region.starts[i], kind, number, tracer->is_sure && region.count == 1);
    region_free(&region);
}

/* --- queues --- */

void trace_queue(struct tracer *tracer)
{
    const struct queue_use *queue = tracer->queue;
    uint32_t words = tracer->stubborn->cell_words;
    uint64_t *reads = tracer->sets.reads, *index_reads = memory_zeroed(words, sizeof *index_reads);
    uint64_t *set = queue->kind == QUEUE_SEND ? tracer->sets.sends : tracer->sets.receives;
    tracer->sets.reads = index_reads;
    struct region region = trace_region(tracer, queue->place);
    tracer->sets.reads = reads;
    region_add_to(&region, set);
    for (uint32_t i = 0; i < region.count; i++) /* messages come and go; the length always has a value */
        for (uint32_t c = 0; c < region.cells; c++)
            if (c != queue->length->offset)
                bits_add(tracer->stubborn->undefined, region.starts[i] + c);
    /* Which queue it is must be the same as in the guard, and not a matter of what is in queues. */
    if (region.is_local || region.is_whole || bits_meet(index_reads, tracer->sets.writes, words) ||
        bits_meet(index_reads, set, words))
        tracer->queue_fails = true;
    bits_join(reads, index_reads, words);
    int32_t more = queue->kind == QUEUE_SEND ? 1 : -1;
    for (uint32_t i = 0; i < region.count; i++) {
        struct effect effect = {
            .cell = region.starts[i] + queue->length->offset, .kind = EFFECT_MORE, .count = 1, .values = {more}};
        if (find_effect(tracer->unit, effect.cell))
            tracer->queue_fails = true;
        VEC_PUSH(&tracer->unit->effects, effect);
    }
    region_free(&region);
    free(index_reads);
}
