#include "verify/automorphism.h"

#include "base/watch.h"
#include "exec/evaluate_effect.h"
#include "ir/instance.h"

enum { MOST_VALUES = 1 << 14 }; /* of a cell */

struct automorphism {
    const struct group_action *action;
    const struct layout *layout;
    const struct system *system;
    struct diagrams diagrams;
    struct symbolic symbolic;
    struct effect_set effects;
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
    const struct action_cell *label = prover->action->by_cell[cell];
    return label ? prover->action->cells.items[prover->map.target[label - prover->action->cells.items]].cell : cell;
}

static int32_t rename_code(void *user, uint32_t cell, int32_t code)
{
    const struct automorphism *prover = user;
    const struct action_cell *label = prover->stride ? NULL : prover->action->by_cell[cell];
    return label ? action_rename(&prover->map, label, code) : code;
}

/* The maps one after the other: generators of the group, then exchanges of neighbouring slots, which make multisets
 * unordered. False: there are no more. */
static bool take_map(struct automorphism *prover, uint32_t number)
{
    const struct layout *layout = prover->layout;
    prover->diagrams.map_number = number + 1;
    prover->stride = 0;
    if (action_generator(prover->action, number, (uint32_t *)prover->map.image)) {
        ENSURE(action_map(&prover->map, layout)); /* canonical_create has asked */
        return true;
    }
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

/* The values of all states in U, of states that steps between them pass through, and of states that differ from those
 * in the order of slots. False: too many. */
static bool close_values(struct automorphism *prover)
{
    struct diagrams *diagrams = &prover->diagrams;
    if (prover->system->idle) /* rules that wait for it see both values */
        for (int32_t v = 0; v < 2; v++)
            diagram_add_value(diagrams, prover->system->idle->address, v);
    for (bool has_grown = true; has_grown;) {
        has_grown = false;
        for (uint32_t number = 0; take_map(prover, number); number++)
            for (uint32_t c = 0; c < prover->layout->cell_count; c++)
                for (size_t v = 0; v < diagrams->domains[c].count; v++)
                    has_grown |= diagram_add_value(diagrams, target_of(prover, c),
                                                   rename_code(prover, c, diagrams->domains[c].items[v]));
    }
    for (uint32_t c = 0; c < prover->layout->cell_count && !prover->why->length; c++)
        if (diagrams->domains[c].count >= MOST_VALUES)
            text_append(prover->why, "a variable has too many values for the check of the group");
    return !prover->why->length;
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
    if (effect_fire(&prover->symbolic, rule, instance, &effect))
        VEC_PUSH(&prover->effects.rows, effect);
    return is_read(prover, rule->name);
}

/* Where the formula is true, and where it fails. An invariant: the conjuncts that must hold one by one. Of the formula
 * that allows a state to end, only where it is true counts (exec/conditions.h). */
static void read_formula(struct automorphism *prover, const struct property *property, const struct expr *formula)
{
    struct symbolic *symbolic = &prover->symbolic;
    struct diagrams *diagrams = &prover->diagrams;
    bool is_invariant = property->kind == PROPERTY_INVARIANT;
    bool fails_as_false = is_invariant || property->kind == PROPERTY_DEADLOCK;
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
             fails_as_false ? diagram_and(diagrams, value, diagram_not(diagrams, symbolic->fault)) : value);
    if (!fails_as_false)
        VEC_PUSH(&effect.truths, symbolic->fault);
    effect_flatten(&effect);
    VEC_PUSH(&prover->effects.rows, effect);
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
    effect_set_finish(&prover->effects);
    return true;
}

static int32_t class_of(const struct automorphism *prover, uint32_t cell)
{
    const struct action_cell *label = prover->action->by_cell[cell];
    return label ? label->class : ACTION_NONE;
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
            if (at >= multiset_stride(type) || !at != !place || target_of(prover, from + c) != to + c - place + at ||
                class_of(prover, from + c) != class_of(prover, from + place)) /* an element is added to any slot */
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
        for (size_t m = 0; m < prover->effects.rows.count; m++) {
            const struct effect_row *effect = &prover->effects.rows.items[m];
            struct effect_row moved = move_effect(prover, effect);
            bool is_found = effect_set_has(&prover->effects, &moved);
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

struct automorphism *automorphism_create(const struct group_action *action, const struct layout *layout)
{
    struct automorphism *prover = ARENA_NEW(action->arena, struct automorphism);
    *prover = (struct automorphism){.action = action, .layout = layout, .system = layout->system};
    prover->map = (struct action_map){action, ARENA_ARRAY(action->arena, uint32_t, action->element_count + 1),
                                      ARENA_ARRAY(action->arena, uint32_t, action->cells.count + 1)};
    diagrams_begin(&prover->diagrams, layout);
    prover->diagrams.rename = rename_code;
    prover->diagrams.target = target_of;
    prover->diagrams.user = prover;
    symbolic_begin(&prover->symbolic, &prover->diagrams, layout->system);
    return prover;
}

void automorphism_note(struct automorphism *prover, const int32_t *cells)
{
    for (uint32_t c = 0; c < prover->layout->cell_count; c++)
        if (prover->diagrams.domains[c].count < MOST_VALUES)
            diagram_add_value(&prover->diagrams, c, cells[c]);
}

enum verify_outcome automorphism_check(struct automorphism *prover, struct text *why)
{
    prover->why = why;
    return close_values(prover) && read_system(prover) ? compare_images(prover) : VERIFY_OPEN;
}

void automorphism_destroy(struct automorphism *prover)
{
    symbolic_end(&prover->symbolic);
    diagrams_end(&prover->diagrams);
    effect_set_free(&prover->effects);
}
