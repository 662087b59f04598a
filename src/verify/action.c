#include "verify/action.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void action_free(struct group_action *action)
{
    for (size_t f = 0; f < action->factors.count; f++)
        VEC_FREE(&action->factors.items[f].generators);
    for (size_t c = 0; c < action->classes.count; c++)
        VEC_FREE(&action->classes.items[c].values);
    VEC_FREE(&action->factors);
    VEC_FREE(&action->classes);
    VEC_FREE(&action->cells);
    arena_destroy(action->arena);
}

const struct action_value *action_element(const struct group_action *action, const struct action_cell *cell,
                                          int32_t code)
{
    if (cell->class == ACTION_NONE)
        return NULL;
    const struct action_class *class = &action->classes.items[cell->class];
    for (size_t v = 0; v < class->values.count; v++)
        if (class->values.items[v].code == code)
            return &class->values.items[v];
    return NULL;
}

/* The value of the class that stands for the element; NULL: none does. */
static const struct action_value *find_value(const struct action_class *class, uint32_t sort, uint32_t element)
{
    for (size_t v = 0; v < class->values.count; v++)
        if (class->values.items[v].sort == sort && class->values.items[v].element == element)
            return &class->values.items[v];
    return NULL;
}

static int compare_labels(const void *left, const void *right)
{
    const struct action_cell *a = *(const struct action_cell *const *)left;
    const struct action_cell *b = *(const struct action_cell *const *)right;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (a->arity != b->arity)
        return a->arity < b->arity ? -1 : 1;
    for (uint32_t i = 0; i < a->arity; i++)
        if (a->tuple[i] != b->tuple[i])
            return a->tuple[i] < b->tuple[i] ? -1 : 1;
    return 0;
}

static const char *factors_flaw(const struct group_action *action)
{
    const char *flaw = NULL;
    bool *is_taken = memory_zeroed((size_t)action->element_count + 1, sizeof *is_taken);
    for (size_t f = 0; f < action->factors.count; f++)
        for (uint32_t e = 0; e < action->factors.items[f].degree; e++) {
            bool *taken = &is_taken[action->factors.items[f].first + e];
            flaw = *taken ? "two factors move the same element" : flaw;
            *taken = true;
        }
    free(is_taken);
    return flaw;
}

static const char *class_flaw(const struct action_class *class)
{
    for (size_t v = 0; v < class->values.count; v++)
        for (size_t w = 0; w < v; w++) {
            const struct action_value *a = &class->values.items[v], *b = &class->values.items[w];
            if (a->code == b->code || (a->sort == b->sort && a->element == b->element))
                return "a value stands for two elements, or two values for one";
        }
    return NULL;
}

static const char *cell_flaw(const struct group_action *action, const struct action_cell *cell,
                             const struct layout *layout)
{
    const struct type *type = layout->cells[cell->cell].type;
    const struct action_class *class = cell->class == ACTION_NONE ? NULL : &action->classes.items[cell->class];
    for (size_t v = 0; class && v < class->values.count; v++)
        if (!type || !type_has(type, class->values.items[v].code))
            return "a value that stands for an element is none of its cell";
    return NULL;
}

/* Elements belong to one factor at most, values stand for one element, labels name one cell. */
const char *action_prepare(struct group_action *action, const struct layout *layout)
{
    const char *flaw = factors_flaw(action);
    for (size_t c = 0; c < action->classes.count && !flaw; c++)
        flaw = class_flaw(&action->classes.items[c]);
    action->by_label = ARENA_ARRAY(action->arena, const struct action_cell *, action->cells.count + 1);
    action->by_cell = ARENA_ARRAY(action->arena, const struct action_cell *, layout->cell_count + 1);
    for (size_t i = 0; i < action->cells.count && !flaw; i++) {
        action->by_cell[action->cells.items[i].cell] = action->by_label[i] = &action->cells.items[i];
        flaw = cell_flaw(action, &action->cells.items[i], layout);
    }
    if (flaw)
        return flaw;
    qsort(action->by_label, action->cells.count, sizeof *action->by_label, compare_labels);
    for (size_t i = 1; i < action->cells.count; i++)
        if (action->by_label[i]->arity && !compare_labels(&action->by_label[i - 1], &action->by_label[i]))
            return "two cells have the same label";
    return NULL;
}

/* Both cells have the same values, and those that stand for elements go to such. */
static bool is_value_map(const struct action_map *map, const struct action_cell *from, const struct action_cell *to,
                         const struct layout *layout)
{
    if (from->class != to->class || !type_has_same_values(layout->cells[from->cell].type, layout->cells[to->cell].type))
        return false;
    const struct action_class *class = from->class == ACTION_NONE ? NULL : &map->action->classes.items[from->class];
    for (size_t v = 0; class && v < class->values.count; v++)
        if (!find_value(class, class->values.items[v].sort, map->image[class->values.items[v].element]))
            return false;
    return true;
}

bool action_map(struct action_map *map, const struct layout *layout)
{
    const struct group_action *action = map->action;
    uint32_t tuple[ACTION_WIDEST];
    for (size_t i = 0; i < action->cells.count; i++) {
        const struct action_cell *cell = &action->cells.items[i];
        struct action_cell wanted = {.kind = cell->kind, .tuple = tuple, .arity = cell->arity};
        const struct action_cell *key = &wanted, **found = NULL;
        for (uint32_t t = 0; t < cell->arity; t++)
            tuple[t] = map->image[cell->tuple[t]];
        if (cell->arity)
            found = bsearch(&key, action->by_label, action->cells.count, sizeof *action->by_label, compare_labels);
        if (cell->arity && !found)
            return false;
        map->target[i] = (uint32_t)((found ? *found : cell) - action->cells.items);
        if (!is_value_map(map, cell, &action->cells.items[map->target[i]], layout))
            return false;
    }
    return true;
}

int32_t action_rename(const struct action_map *map, const struct action_cell *cell, int32_t code)
{
    const struct action_value *value = action_element(map->action, cell, code);
    if (!value)
        return code;
    return find_value(&map->action->classes.items[cell->class], value->sort, map->image[value->element])->code;
}

void action_apply(const struct action_map *map, const struct layout *layout, const int32_t *cells, int32_t *out)
{
    memcpy(out, cells, layout->cell_count * sizeof *out);
    for (size_t i = 0; i < map->action->cells.count; i++) {
        const struct action_cell *cell = &map->action->cells.items[i];
        out[map->action->cells.items[map->target[i]].cell] = action_rename(map, cell, cells[cell->cell]);
    }
    layout_normalise(layout, out);
}

/* Of a full factor an exchange and a rotation. */
bool action_generator(const struct group_action *action, uint32_t number, uint32_t *image)
{
    for (uint32_t e = 0; e < action->element_count; e++)
        image[e] = e;
    for (size_t f = 0; f < action->factors.count; f++) {
        const struct action_factor *factor = &action->factors.items[f];
        uint32_t count = !factor->is_full     ? (uint32_t)factor->generators.count
                         : factor->degree > 2 ? 2
                                              : factor->degree - 1;
        if (number >= count) {
            number -= count;
            continue;
        }
        for (uint32_t e = 0; e < factor->degree; e++)
            image[factor->first + e] = factor->first + (!factor->is_full ? factor->generators.items[number][e]
                                                        : number         ? (e + 1) % factor->degree
                                                        : e < 2          ? 1 - e
                                                                         : e);
        return true;
    }
    return false;
}
