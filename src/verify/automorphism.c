#include "verify/automorphism.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/watch.h"
#include "exec/evaluate_effect.h"
#include "ir/instance.h"

enum { MOST_VALUES = 1 << 14 }; /* of a cell */

struct value_list {
    VEC(int32_t) codes; /* in order */
};

struct value_lists {
    uint32_t cell_count;
    struct value_list *seen; /* by cell */
};

struct value_lists *values_create(const struct layout *layout)
{
    struct value_lists *values = memory_zeroed(1, sizeof *values);
    values->cell_count = layout->cell_count;
    values->seen = memory_zeroed((size_t)layout->cell_count + 1, sizeof *values->seen);
    return values;
}

void values_destroy(struct value_lists *values)
{
    for (uint32_t c = 0; c < values->cell_count; c++)
        VEC_FREE(&values->seen[c].codes);
    free(values->seen);
    free(values);
}

/* False: it was there. */
static bool list_add(struct value_list *list, int32_t code)
{
    size_t low = 0, high = list->codes.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (list->codes.items[middle] < code)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < list->codes.count && list->codes.items[low] == code)
        return false;
    VEC_PUSH(&list->codes, code);
    memmove(list->codes.items + low + 1, list->codes.items + low, (list->codes.count - 1 - low) * sizeof code);
    list->codes.items[low] = code;
    return true;
}

void values_note(struct value_lists *values, const int32_t *cells)
{
    for (uint32_t c = 0; c < values->cell_count; c++)
        if (values->seen[c].codes.count < MOST_VALUES)
            list_add(&values->seen[c], cells[c]);
}

struct automorphism {
    const struct group_action *action;
    const struct layout *layout;
    const struct system *system;
    struct diagrams diagrams;
    struct symbolic symbolic;
    VEC(struct effect_row) effects;
    uint32_t *table; /* of effects, by hash: position + 1 */
    size_t table_size;
    struct action_map map; /* of the generator; or, if stride is not 0: */
    uint32_t slot, stride; /* the slot at this cell and the next one are exchanged */
    struct text *why;
};

static uint32_t target_of(void *user, uint32_t cell)
{
    const struct automorphism *prover = user;
    if (prover->stride) {
        bool is_first = cell >= prover->slot && cell < prover->slot + prover->stride;
        bool is_second = cell >= prover->slot + prover->stride && cell < prover->slot + 2 * prover->stride;
        return is_first ? cell + prover->stride : is_second ? cell - prover->stride : cell;
    }
    const struct action_cell *label = action_find(prover->action, cell);
    return label ? prover->action->cells.items[prover->map.target[label - prover->action->cells.items]].cell : cell;
}

static int32_t rename_code(void *user, uint32_t cell, int32_t code)
{
    const struct automorphism *prover = user;
    const struct action_cell *label = prover->stride ? NULL : action_find(prover->action, cell);
    return label ? action_rename(&prover->map, label, code) : code;
}

/* The maps one after the other: generators of the group, then exchanges of neighbouring slots, which make multisets
 * unordered. False: there are no more. */
static bool take_map(struct automorphism *prover, uint32_t number)
{
    const struct layout *layout = prover->layout;
    prover->diagrams.map_number = number + 1;
    prover->stride = 0;
    if (action_generator(prover->action, number, (uint32_t *)prover->map.image))
        return action_map(&prover->map, layout);
    for (uint32_t g = 0; action_generator(prover->action, g, (uint32_t *)prover->map.image); g++)
        number--;
    for (uint32_t m = 0; m < layout->multiset_count; m++) {
        const struct type *type = layout->multisets[m].type;
        if (number < type->capacity - 1) {
            prover->stride = multiset_stride(type);
            prover->slot = layout->multisets[m].address + number * prover->stride;
            return true;
        }
        number -= type->capacity - 1;
    }
    return false;
}

/* Steps of several rules pass through states that are not in U: their cells may have any value. */
static void add_all_values(const struct layout *layout, struct value_lists *values)
{
    for (uint32_t c = 0; c < layout->cell_count; c++) {
        const struct type *type = layout->cells[c].type;
        for (uint32_t v = 0; v < (type ? type->size : 2) && v < MOST_VALUES; v++)
            list_add(&values->seen[c], type ? type_code(type, v) : (int32_t)v);
        if (type)
            list_add(&values->seen[c], UNDEFINED);
    }
}

/* The values of all states in U, and of states that differ from those in the order of slots. False: too many. */
static bool close_values(struct automorphism *prover, struct value_lists *values)
{
    if (system_has_macro_steps(prover->system))
        add_all_values(prover->layout, values);
    for (bool has_grown = true; has_grown;) {
        has_grown = false;
        for (uint32_t number = 0; take_map(prover, number); number++)
            for (uint32_t c = 0; c < values->cell_count; c++)
                for (size_t v = 0; v < values->seen[c].codes.count; v++)
                    has_grown |= list_add(&values->seen[target_of(prover, c)],
                                          rename_code(prover, c, values->seen[c].codes.items[v]));
    }
    for (uint32_t c = 0; c < values->cell_count; c++) {
        for (size_t v = 0; v < values->seen[c].codes.count; v++)
            VEC_PUSH(&prover->diagrams.domains[c], values->seen[c].codes.items[v]);
        if (values->seen[c].codes.count >= MOST_VALUES)
            text_append(prover->why, "a variable has too many values for the check of the group");
        if (prover->why->length)
            return false;
    }
    return true;
}

/* The value of a cell after the map, as a function of the state after it. */
static diagram move_value(struct automorphism *prover, uint32_t cell, diagram value)
{
    struct diagrams *diagrams = &prover->diagrams;
    diagram moved = diagram_move(diagrams, value);
    return diagram_apply(diagrams, DIAGRAM_MAP + 2 * diagrams->map_number, moved, diagram_leaf(diagrams, cell));
}

static struct effect_row move_effect(struct automorphism *prover, const struct effect_row *from)
{
    struct effect_row moved = {.rule = from->rule, .property = from->property};
    for (size_t t = 0; t < from->truths.count; t++)
        VEC_PUSH(&moved.truths, diagram_move(&prover->diagrams, from->truths.items[t]));
    for (size_t i = 0; i < from->cells.count; i++) {
        VEC_PUSH(&moved.cells, target_of(prover, from->cells.items[i]));
        VEC_PUSH(&moved.results, move_value(prover, from->cells.items[i], from->results.items[i]));
    }
    for (size_t a = 0; a < from->adds.count; a++) {
        struct symbolic_add add = effect_copy_add(&from->adds.items[a]);
        /* An exchange of its own slots leaves a multiset where it is. */
        bool is_own = prover->stride && prover->slot - add.address < add.type->cells;
        uint32_t address = is_own ? add.address : target_of(prover, add.address);
        for (uint32_t c = 0; c < add.type->element->cells; c++) {
            uint32_t cell = add.address + 1 + c, at = is_own ? c : target_of(prover, cell) - address - 1;
            add.cells[at] = move_value(prover, cell, from->adds.items[a].cells[c]);
        }
        add.condition = diagram_move(&prover->diagrams, add.condition);
        add.address = address;
        VEC_PUSH(&moved.adds, add);
    }
    effect_flatten(&moved);
    return moved;
}

static uint32_t *find_effect(struct automorphism *prover, const struct effect_row *effect)
{
    size_t size = effect->parts.count * sizeof *effect->parts.items;
    size_t at = hash_bytes(effect->parts.items, size) % prover->table_size;
    for (; prover->table[at]; at = (at + 1) % prover->table_size) {
        const struct effect_row *other = &prover->effects.items[prover->table[at] - 1];
        if (other->parts.count == effect->parts.count && !memcmp(other->parts.items, effect->parts.items, size))
            break;
    }
    return &prover->table[at];
}

/* False: too hard, or the time is over. */
static bool is_read(struct automorphism *prover, const char *what)
{
    struct stop stop = watch_stop(watch_of_thread);
    if (prover->symbolic.refusal)
        text_format(prover->why, "%s cannot be compared with its images (line %u): %s", what,
                    prover->symbolic.where.line, prover->symbolic.refusal);
    else if (stop_is_set(&stop))
        stop_print(&stop, prover->why);
    else if (prover->diagrams.is_full)
        text_format(prover->why, "%s is too large to be compared with its images", what);
    stop_free(&stop);
    return !prover->why->length;
}

static bool read_instance(struct automorphism *prover, const struct rule *rule, uint64_t instance)
{
    struct effect_row effect = {0};
    bool can_fire = effect_fire(&prover->symbolic, rule, instance, &effect);
    if (can_fire)
        VEC_PUSH(&prover->effects, effect);
    return is_read(prover, rule->name);
}

/* Where the formula is true, and where it fails. An invariant: the conjuncts that must hold one by one. */
static void read_formula(struct automorphism *prover, const struct property *property, const struct expr *formula)
{
    struct symbolic *symbolic = &prover->symbolic;
    struct diagrams *diagrams = &prover->diagrams;
    bool is_invariant = property->kind == PROPERTY_INVARIANT;
    if (is_invariant && formula->kind == EXPR_BINARY && formula->op == OP_AND) {
        read_formula(prover, property, formula->left);
        read_formula(prover, property, formula->right);
        return;
    }
    if (is_invariant && formula->kind == EXPR_QUANTIFIER && formula->op == OP_FORALL && !formula->domain.from) {
        for (uint32_t v = 0; v < formula->domain.type->size; v++) {
            symbolic->memory[formula->variable->address] = diagram_leaf(diagrams, type_code(formula->domain.type, v));
            read_formula(prover, property, formula->left);
        }
        return;
    }
    struct effect_row effect = {.property = property};
    symbolic->fault = diagram_leaf(diagrams, 0);
    diagram value = symbolic_expr(symbolic, formula);
    VEC_PUSH(&effect.truths,
             is_invariant ? diagram_and(diagrams, value, diagram_not(diagrams, symbolic->fault)) : value);
    if (!is_invariant)
        VEC_PUSH(&effect.truths, symbolic->fault);
    effect_flatten(&effect);
    VEC_PUSH(&prover->effects, effect);
}

static bool read_property(struct automorphism *prover, const struct property *property)
{
    struct symbolic *symbolic = &prover->symbolic;
    if (!property->formula || !verify_covers(property))
        return true;
    symbolic_reset(symbolic);
    read_formula(prover, property, property->formula);
    for (uint32_t c = 0; c < prover->layout->cell_count; c++)
        if (symbolic->memory[c] != diagram_cell(&prover->diagrams, c))
            symbolic_refuse(symbolic, property->span, "a formula changes the state");
    if (symbolic->dropped != diagram_leaf(&prover->diagrams, 0))
        symbolic_refuse(symbolic, property->span, "a formula assumes something");
    return is_read(prover, property->name ? property->name : property_kind_name(property->kind));
}

static bool read_system(struct automorphism *prover)
{
    for (size_t r = 0; r < prover->system->rules.count; r++)
        for (uint64_t i = 0; i < prover->system->rules.items[r]->instance_count; i++)
            if (!read_instance(prover, prover->system->rules.items[r], i))
                return false;
    for (size_t p = 0; p < prover->system->properties.count; p++)
        if (!read_property(prover, prover->system->properties.items[p]))
            return false;
    prover->table_size = 2 * prover->effects.count + 1;
    prover->table = memory_zeroed(prover->table_size, sizeof *prover->table);
    for (uint32_t m = 0; m < prover->effects.count; m++)
        *find_effect(prover, &prover->effects.items[m]) = m + 1;
    return true;
}

/* Does the map take multisets to multisets of the same type, slot by slot, and each slot in the same way? */
static bool keeps_multisets(struct automorphism *prover)
{
    const struct layout *layout = prover->layout;
    for (uint32_t m = 0; m < layout->multiset_count && !prover->stride; m++) {
        const struct type *type = layout->multisets[m].type;
        uint32_t from = layout->multisets[m].address, to = target_of(prover, from), other = 0;
        while (other < layout->multiset_count && layout->multisets[other].address != to)
            other++;
        if (other == layout->multiset_count || layout->multisets[other].type != type)
            return false;
        for (uint32_t c = 0; c < type->cells; c++) {
            uint32_t place = c % multiset_stride(type), at = target_of(prover, from + place) - to;
            if (at >= multiset_stride(type) || !at != !place || target_of(prover, from + c) != to + c - place + at)
                return false;
        }
    }
    return true;
}

/* What steps of several rules are made with stays as it is. */
static bool keeps_holder(struct automorphism *prover)
{
    const struct variable *holder = prover->system->holder, *idle = prover->system->idle;
    return (!holder ||
            (target_of(prover, holder->address) == holder->address &&
             rename_code(prover, holder->address, system_nobody(prover->system)) == system_nobody(prover->system))) &&
           (!idle || (target_of(prover, idle->address) == idle->address && rename_code(prover, idle->address, 0) == 0 &&
                      rename_code(prover, idle->address, 1) == 1));
}

/* Each image must be there: since the maps are bijections, they map the effects onto themselves. */
static enum verify_outcome compare_images(struct automorphism *prover)
{
    for (uint32_t number = 0; take_map(prover, number); number++) {
        if (!keeps_multisets(prover) || !keeps_holder(prover)) {
            text_format(prover->why, "generator %u of the group mixes what does not belong together", number + 1);
            return VERIFY_REJECTED;
        }
        for (size_t m = 0; m < prover->effects.count; m++) {
            const struct effect_row *effect = &prover->effects.items[m];
            struct effect_row moved = move_effect(prover, effect);
            bool is_found = *find_effect(prover, &moved) != 0;
            effect_free(&moved);
            if (!is_read(prover, effect->rule ? effect->rule->name : "a property"))
                return VERIFY_OPEN;
            if (is_found)
                continue;
            text_format(prover->why,
                        prover->stride ? "slots of a multiset are distinguished: "
                                       : "generator %u of the group is no symmetry: ",
                        number + 1);
            if (effect->rule)
                instance_print(effect->rule, effect->instance, prover->why);
            else
                text_format(prover->why, "%s %s", property_kind_name(effect->property->kind),
                            effect->property->name ? effect->property->name : "");
            text_append(prover->why, effect->rule ? " becomes no rule of the model" : " becomes another property");
            return VERIFY_REJECTED;
        }
    }
    return VERIFY_ACCEPTED;
}

enum verify_outcome automorphism_check(const struct group_action *action, const struct layout *layout,
                                       struct value_lists *values, struct text *why)
{
    struct automorphism prover = {.action = action, .layout = layout, .system = layout->system, .why = why};
    uint32_t *image = memory_zeroed((size_t)action->element_count + 1, sizeof *image);
    prover.map = (struct action_map){action, image, memory_zeroed(action->cells.count + 1, sizeof(uint32_t))};
    diagrams_begin(&prover.diagrams, layout);
    prover.diagrams.rename = rename_code;
    prover.diagrams.target = target_of;
    prover.diagrams.user = &prover;
    symbolic_begin(&prover.symbolic, &prover.diagrams, layout->system);
    bool is_possible = close_values(&prover, values) && read_system(&prover);
    enum verify_outcome outcome = is_possible ? compare_images(&prover) : VERIFY_OPEN;
    symbolic_end(&prover.symbolic);
    diagrams_end(&prover.diagrams);
    for (size_t m = 0; m < prover.effects.count; m++)
        effect_free(&prover.effects.items[m]);
    VEC_FREE(&prover.effects);
    free(prover.table);
    free(prover.map.target);
    free(image);
    return outcome;
}
