#include "exec/evaluate_effect.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

static int compare_adds(const void *left, const void *right)
{
    const struct symbolic_add *a = left, *b = right;
    if (a->address != b->address)
        return a->address < b->address ? -1 : 1;
    if (a->condition != b->condition)
        return a->condition < b->condition ? -1 : 1;
    return memcmp(a->cells, b->cells, a->type->element->cells * sizeof *a->cells);
}

void effect_flatten(struct effect_row *effect)
{
    /* Invariants must all hold, whichever is which; other formulas are themselves. */
    bool is_one = !effect->rule && effect->property->kind != PROPERTY_INVARIANT;
    VEC_PUSH(&effect->parts, effect->rule ? 0 : is_one ? 2 + effect->property->id : 1);
    for (size_t t = 0; t < effect->truths.count; t++)
        VEC_PUSH(&effect->parts, effect->truths.items[t]);
    for (size_t i = 1; i < effect->cells.count; i++)
        for (size_t j = i; j && effect->cells.items[j - 1] > effect->cells.items[j]; j--) {
            uint32_t cell = effect->cells.items[j], result = effect->results.items[j];
            effect->cells.items[j] = effect->cells.items[j - 1];
            effect->results.items[j] = effect->results.items[j - 1];
            effect->cells.items[j - 1] = cell;
            effect->results.items[j - 1] = result;
        }
    for (size_t i = 0; i < effect->cells.count; i++) {
        VEC_PUSH(&effect->parts, effect->cells.items[i]);
        VEC_PUSH(&effect->parts, effect->results.items[i]);
    }
    if (effect->adds.count)
        qsort(effect->adds.items, effect->adds.count, sizeof *effect->adds.items, compare_adds);
    for (size_t a = 0; a < effect->adds.count; a++) {
        const struct symbolic_add *add = &effect->adds.items[a];
        VEC_PUSH(&effect->parts, UINT32_MAX);
        VEC_PUSH(&effect->parts, add->address);
        VEC_PUSH(&effect->parts, add->condition);
        for (uint32_t c = 0; c < add->type->element->cells; c++)
            VEC_PUSH(&effect->parts, add->cells[c]);
    }
}

void effect_free(struct effect_row *effect)
{
    for (size_t a = 0; a < effect->adds.count; a++)
        free(effect->adds.items[a].cells);
    VEC_FREE(&effect->adds);
    VEC_FREE(&effect->parts);
    VEC_FREE(&effect->truths);
    VEC_FREE(&effect->cells);
    VEC_FREE(&effect->results);
}

struct symbolic_add effect_copy_add(const struct symbolic_add *add)
{
    struct symbolic_add copy = *add;
    copy.cells = memory_alloc((add->type->element->cells + 1) * sizeof *copy.cells);
    memcpy(copy.cells, add->cells, add->type->element->cells * sizeof *copy.cells);
    return copy;
}

bool effect_fire(struct symbolic *symbolic, const struct rule *rule, uint64_t instance, struct effect_row *effect)
{
    struct diagrams *diagrams = symbolic->diagrams;
    diagram never = diagram_leaf(diagrams, 0), enabled = symbolic_fire(symbolic, rule, instance);
    *effect = (struct effect_row){.rule = rule, .instance = instance};
    if (symbolic->refusal || diagrams->is_full)
        return false;
    if (enabled == never && symbolic->fault == never && symbolic->dropped == never)
        return false;
    VEC_PUSH(&effect->truths, enabled);
    VEC_PUSH(&effect->truths, symbolic->fault);
    VEC_PUSH(&effect->truths, symbolic->dropped);
    /* What a step that fails has done until then counts for nothing: it may depend on the order of a loop. */
    diagram no_step = diagram_or(diagrams, symbolic->fault, symbolic->dropped);
    for (uint32_t c = 0; c < symbolic->system->state_cells; c++) {
        diagram before = diagram_cell(diagrams, c), after = symbolic->memory[c];
        if (after == before || (after = diagram_choose(diagrams, no_step, before, after)) == before)
            continue;
        VEC_PUSH(&effect->cells, c);
        VEC_PUSH(&effect->results, after);
    }
    for (size_t a = 0; a < symbolic->adds.count; a++) {
        struct symbolic_add add = symbolic->adds.items[a];
        add.condition = diagram_and(diagrams, add.condition, diagram_not(diagrams, no_step));
        if (add.condition != never)
            VEC_PUSH(&effect->adds, effect_copy_add(&add));
    }
    effect_flatten(effect);
    return true;
}

static uint32_t *effect_set_find(const struct effect_set *set, const struct effect_row *effect)
{
    size_t size = effect->parts.count * sizeof *effect->parts.items;
    size_t at = hash_bytes(effect->parts.items, size) % set->table_size;
    for (; set->table[at]; at = (at + 1) % set->table_size) {
        const struct effect_row *other = &set->rows.items[set->table[at] - 1];
        if (other->parts.count == effect->parts.count && !memcmp(other->parts.items, effect->parts.items, size))
            break;
    }
    return &set->table[at];
}

void effect_set_finish(struct effect_set *set)
{
    set->table_size = 2 * set->rows.count + 1;
    set->table = memory_zeroed(set->table_size, sizeof *set->table);
    for (uint32_t r = 0; r < set->rows.count; r++)
        *effect_set_find(set, &set->rows.items[r]) = r + 1;
}

bool effect_set_has(const struct effect_set *set, const struct effect_row *effect)
{
    return *effect_set_find(set, effect) != 0;
}

void effect_set_free(struct effect_set *set)
{
    for (size_t r = 0; r < set->rows.count; r++)
        effect_free(&set->rows.items[r]);
    VEC_FREE(&set->rows);
    free(set->table);
}
