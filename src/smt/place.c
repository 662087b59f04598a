/* Places: which leaves, and which of their elements. */
#include <string.h>

#include "smt/machine.h"

typedef VEC(struct smt_spot) spot_list;

static struct smt_spots spots_take(struct smt_machine *machine, spot_list *list)
{
    struct smt_spots spots = {.count = (uint32_t)list->count};
    spots.items = arena_copy(machine->terms->arena, list->items, list->count * sizeof *list->items);
    VEC_FREE(list);
    return spots;
}

static struct smt_spots spots_single(struct smt_machine *machine, uint32_t leaf)
{
    spot_list list = {0};
    VEC_PUSH(&list, ((struct smt_spot){.leaf = leaf, .when = TERM_TRUE}));
    return spots_take(machine, &list);
}

static void spot_add_element(struct smt_machine *machine, spot_list *list, const struct smt_spot *base,
                             const struct type *array, const struct smt_case *index, bool is_only)
{
    struct fol_store *terms = machine->terms;
    struct smt_spot spot = *base;
    uint32_t position = index->sort ? leaf_position_of_sort(machine, array->index, index->sort)
                                    : leaf_position(array->index, index->code);
    spot.leaf += position * leaf_count_of(array->element);
    if (index->sort) {
        term *arguments = ARENA_ARRAY(terms->arena, term, spot.count + 1);
        if (spot.count)
            memcpy(arguments, spot.arguments, spot.count * sizeof *arguments);
        arguments[spot.count++] = index->element;
        spot.arguments = arguments;
    }
    if (!is_only) /* where it is the only one, and another value is a fault, all that matters has this one */
        spot.when = fol_and(terms, spot.when, index->when);
    if (spot.when != TERM_FALSE)
        VEC_PUSH(list, spot);
}

static bool index_has(const struct smt_machine *machine, const struct type *index, const struct smt_case *one)
{
    return one->sort ? leaf_position_of_sort(machine, index, one->sort) != UINT32_MAX : type_has(index, one->code);
}

static struct smt_spots place_element(struct smt_machine *machine, const struct place *place)
{
    const struct type *array = place->base->type;
    struct smt_spots base = smt_place(machine, place->base);
    const struct smt_value *index = smt_expr(machine, place->index);
    spot_list list = {0};
    uint32_t good = 0;
    for (uint32_t i = 0; i < index->count; i++)
        if (index_has(machine, array->index, &index->cases[i]))
            good++;
        else
            smt_fault(machine, NULL, place->index->span, index->cases[i].when);
    for (uint32_t s = 0; s < base.count; s++)
        for (uint32_t i = 0; i < index->count; i++)
            if (index_has(machine, array->index, &index->cases[i]))
                spot_add_element(machine, &list, &base.items[s], array, &index->cases[i], good == 1);
    return spots_take(machine, &list);
}

static struct smt_spots place_field(struct smt_machine *machine, const struct place *place)
{
    struct smt_spots spots = smt_place(machine, place->base);
    const struct type *record = place->base->type;
    uint32_t offset = 0;
    for (const struct field *field = record->fields; field != place->field; field++)
        offset += leaf_count_of(field->type);
    for (uint32_t s = 0; s < spots.count; s++)
        spots.items[s].leaf += offset;
    return spots;
}

struct smt_spots smt_place(struct smt_machine *machine, const struct place *place)
{
    struct smt_spots spots = {0};
    switch (place->kind) {
    case PLACE_VARIABLE:
        return spots_single(machine, machine->first[place->variable->address]);
    case PLACE_DEREF:
        spots = machine->references[place->variable->address];
        spots.items = arena_copy(machine->terms->arena, spots.items, spots.count * sizeof *spots.items);
        return spots;
    case PLACE_ELEMENT:
        return place_element(machine, place);
    case PLACE_FIELD:
        return place_field(machine, place);
    case PLACE_CALL:
        smt_call(machine, place->call);
        return spots_single(machine, machine->first[place->call->function->result->address]);
    case PLACE_SLOT:
        smt_refuse(machine, place->span, "a slot of a multiset");
        return spots;
    }
    UNREACHABLE("place kind");
}

/* The arguments of the spot, and more. */
static void spot_arguments(const struct smt_spot *spot, const term *extra, uint32_t extra_count, term *arguments)
{
    if (spot->count)
        memcpy(arguments, spot->arguments, spot->count * sizeof *arguments);
    if (extra_count)
        memcpy(arguments + spot->count, extra, extra_count * sizeof *arguments);
}

static void note_read(struct smt_machine *machine, uint32_t leaf, const term *arguments)
{
    uint32_t count = machine->leaves.items[leaf].dim_count;
    struct smt_access access = {leaf, count, NULL};
    if (!machine->loops)
        return;
    access.arguments = arena_copy(machine->terms->arena, arguments, count * sizeof *arguments);
    VEC_PUSH(&machine->reads, access);
}

const struct smt_value *smt_load(struct smt_machine *machine, const struct smt_spots *spots, uint32_t offset,
                                 const term *extra, uint32_t extra_count)
{
    const struct smt_value *value = NULL;
    term arguments[2 * SMT_MOST_DIMENSIONS];
    for (uint32_t s = 0; s < spots->count && !machine->is_refused; s++) {
        uint32_t leaf = spots->items[s].leaf + offset;
        spot_arguments(&spots->items[s], extra, extra_count, arguments);
        note_read(machine, leaf, arguments);
        const struct smt_value *here = content_read(machine, machine->contents[leaf], leaf, arguments);
        value = value ? smt_select(machine, spots->items[s].when, here, value) : here;
    }
    return value ? value : smt_undefined(machine); /* no spot: it is a fault already */
}

uint32_t spot_open(struct smt_machine *machine, const struct smt_spot *spot, uint32_t offset, term *variables)
{
    const struct smt_leaf *leaf = &machine->leaves.items[spot->leaf + offset];
    for (uint32_t d = spot->count; d < leaf->dim_count; d++)
        variables[d - spot->count] = fol_variable(machine->terms, machine->sorts[leaf->dims[d]->id]);
    return leaf->dim_count - spot->count;
}

void smt_store(struct smt_machine *machine, const struct smt_spots *spots, uint32_t offset, const term *extra,
               uint32_t extra_count, const struct smt_value *value)
{
    term arguments[2 * SMT_MOST_DIMENSIONS], active = smt_active(machine);
    for (uint32_t s = 0; s < spots->count; s++) {
        spot_arguments(&spots->items[s], extra, extra_count, arguments);
        content_write(machine, spots->items[s].leaf + offset, arguments, extra, extra_count,
                      fol_and(machine->terms, active, spots->items[s].when), value);
    }
}

void smt_fill(struct smt_machine *machine, const struct smt_spots *spots, const struct type *type,
              const struct smt_value *value)
{
    term variables[SMT_MOST_DIMENSIONS];
    uint32_t leaves = leaf_count_of(type);
    for (uint32_t l = 0; spots->count && l < leaves; l++) {
        uint32_t count = spot_open(machine, &spots->items[0], l, variables);
        smt_store(machine, spots, l, variables, count, value);
    }
}
