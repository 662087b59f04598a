#include "engine/symbolic/shuffle.h"

#include <stdlib.h>

/* Where a permutation takes the cells, and what it makes of codes. */
struct tracks {
    const struct shuffler *shuffler;
    const uint32_t *const *images;
    uint32_t *target; /* by cell */
};

static int32_t tracks_rename(const struct tracks *tracks, int32_t code)
{
    const struct symmetry *symmetry = tracks->shuffler->footprint->symmetry;
    for (uint32_t f = 0; f < symmetry->factor_count; f++) {
        const struct symmetry_factor *factor = &symmetry->factors[f];
        for (uint32_t p = 0; factor->is_used && tracks->images[f] && p < factor->degree; p++)
            if (symmetry_code(factor->points[p]) == code)
                return symmetry_code(factor->points[tracks->images[f][p]]);
    }
    return code;
}

static void tracks_walk(struct tracks *tracks, const struct type *type, uint32_t from, uint32_t to)
{
    switch (type->kind) {
    case TYPE_ARRAY:
        for (uint32_t i = 0; i < type->index->size; i++) {
            int32_t code = type_code(type->index, i);
            if (type_has_index(type->index))
                code = tracks_rename(tracks, code);
            uint32_t j = (uint32_t)type_ordinal(type->index, code);
            tracks_walk(tracks, type->element, from + i * type->element->cells, to + j * type->element->cells);
        }
        return;
    case TYPE_RECORD:
        for (uint32_t f = 0; f < type->field_count; f++)
            tracks_walk(tracks, type->fields[f].type, from + type->fields[f].offset, to + type->fields[f].offset);
        return;
    case TYPE_MULTISET:
        for (uint32_t s = 0; s < type->capacity; s++) {
            uint32_t slot = s * multiset_stride(type);
            tracks->target[from + slot] = to + slot;
            tracks_walk(tracks, type->element, from + slot + 1, to + slot + 1);
        }
        return;
    default:
        tracks->target[from] = to;
        return;
    }
}

static void tracks_open(struct tracks *tracks, const struct shuffler *shuffler, const uint32_t *const *images)
{
    const struct system *system = shuffler->footprint->layout->system;
    *tracks = (struct tracks){.shuffler = shuffler, .images = images};
    tracks->target = memory_zeroed((size_t)system->state_cells + 1, sizeof *tracks->target);
    for (size_t g = 0; g < system->globals.count; g++)
        tracks_walk(tracks, system->globals.items[g]->type, system->globals.items[g]->address,
                    system->globals.items[g]->address);
}

/* Does the permutation rename some value of the cell? */
static bool tracks_renames(const struct tracks *tracks, uint32_t cell)
{
    const struct type *type = tracks->shuffler->footprint->layout->cells[cell].type;
    for (uint32_t i = 0; type && type_has_index(type) && i < type->size; i++)
        if (tracks_rename(tracks, type_code(type, i)) != type_code(type, i))
            return true;
    return false;
}

/* The value of a cell with its codes renamed. */
static const struct number *tracks_value(const struct tracks *tracks, struct machine *machine, uint32_t cell)
{
    struct calculator *calculator = &machine->calculator;
    const struct number *value = machine_initial(machine, cell), *renamed;
    number_cases cases = {0};
    if (!tracks_renames(tracks, cell))
        return value;
    dd defined = calculate_and(calculator, machine_valid(machine, cell), dd_not(value->undefined));
    if (!number_list(calculator, value, defined, &cases))
        machine_refuse(machine, (struct span){0}, "a type has too many values");
    for (size_t i = 0; i < cases.count; i++)
        cases.items[i].value = tracks_rename(tracks, (int32_t)cases.items[i].value);
    renamed = number_from_cases(calculator, cases.items, cases.count);
    VEC_FREE(&cases);
    return number_make(calculator, renamed->low, renamed->high, value->undefined, renamed->width, renamed->bits);
}

static const struct dd_permutation *shuffle_cells(const struct tracks *tracks)
{
    struct encoding *encoding = tracks->shuffler->encoding;
    uint32_t count = dd_variable_count(encoding->m);
    uint32_t *images = memory_alloc((count + 1) * sizeof *images);
    bool moves = false;
    for (uint32_t v = 0; v < count; v++)
        images[v] = v;
    for (uint32_t c = 0; c < encoding->layout->cell_count; c++)
        for (uint32_t b = 0; b < encoding_width(encoding, c); b++)
            for (uint32_t next = 0; next < 2; next++) {
                uint32_t from = encoding_variable(encoding, c, b) + next;
                images[from] = encoding_variable(encoding, tracks->target[c], b) + next;
                moves |= images[from] != from;
            }
    const struct dd_permutation *permutation = moves ? dd_permutation(encoding->m, images) : NULL;
    free(images);
    return permutation;
}

static bool shuffle_add_renames(struct shuffle *shuffle, const struct tracks *tracks, struct machine *machine)
{
    struct dd_manager *m = machine_encoding(machine)->m;
    for (uint32_t c = 0; c < machine->system->state_cells; c++) {
        struct dd_relation rename;
        if (!tracks_renames(tracks, c))
            continue;
        machine_reset(machine);
        machine->memory[c] = tracks_value(tracks, machine, c);
        machine_keep(machine, machine_valid(machine, c));
        relation_make(machine, &rename);
        if (!machine_is_ok(machine))
            return false;
        dd_ref(m, rename.relation);
        dd_ref(m, rename.changed);
        VEC_PUSH(&shuffle->renames, rename);
    }
    return true;
}

/* Multisets in which something is renamed or moved. Those that move as a whole stay in order. */
static void shuffle_find_sorts(struct shuffle *shuffle, const struct tracks *tracks)
{
    const struct layout *layout = tracks->shuffler->footprint->layout;
    shuffle->sorts = memory_zeroed((size_t)layout->multiset_count + 1, sizeof *shuffle->sorts);
    for (uint32_t i = 0; i < layout->multiset_count; i++) {
        const struct multiset_site *site = &layout->multisets[i];
        uint32_t shift = tracks->target[site->address] - site->address;
        for (uint32_t c = site->address; c < site->address + site->type->cells; c++) {
            uint32_t at = tracks->target[site->address];
            if (tracks_renames(tracks, c) || tracks->target[c] - c != shift)
                for (uint32_t j = 0; j < layout->multiset_count; j++)
                    shuffle->sorts[j] |= layout->multisets[j].address == at && layout->multisets[j].type == site->type;
        }
    }
}

/* Is the cell one that the group moves? Those are compared first. */
static bool shuffle_is_local(const struct footprint *footprint, uint32_t cell)
{
    for (uint32_t f = 0; f < footprint->factors; f++)
        if (footprint->indexed[(size_t)cell * footprint->factors + f])
            return true;
    return false;
}

/* A bit of a cell in memory, and how much it weighs. */
struct ranked_bit {
    uint32_t rank, variable;
    dd value;
};

static int ranked_compare(const void *a, const void *b)
{
    const struct ranked_bit *x = a, *y = b;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

/* The bits in memory, the most significant first: those of local cells by their place in the order of variables, then
 * the others. */
static size_t shuffle_rank(const struct shuffler *shuffler, struct machine *machine, const bool *concerns,
                           struct ranked_bit *ranked)
{
    const struct encoding *encoding = shuffler->encoding;
    size_t count = 0;
    for (uint32_t c = 0; c < encoding->layout->cell_count; c++) {
        dd bits[64];
        if (!machine->memory[c] || (concerns && !concerns[c]))
            continue;
        uint32_t shift = shuffle_is_local(shuffler->footprint, c) ? 0 : encoding->pair_count;
        machine_pack(machine, c, machine->memory[c], bits);
        for (uint32_t b = 0; b < encoding_width(encoding, c); b++)
            ranked[count++] =
                (struct ranked_bit){encoding_pair(encoding, c, b) + shift, encoding_variable(encoding, c, b), bits[b]};
    }
    if (count)
        qsort(ranked, count, sizeof *ranked, ranked_compare);
    return count;
}

/* Where what is in memory comes before what was there in the beginning, as numbers. concerns NULL: all cells. */
static dd shuffle_before(const struct shuffler *shuffler, struct machine *machine, const bool *concerns)
{
    struct calculator *calculator = &machine->calculator;
    struct ranked_bit *ranked = memory_alloc((shuffler->encoding->pair_count + 1) * sizeof *ranked);
    size_t count = shuffle_rank(shuffler, machine, concerns, ranked);
    dd before = DD_FALSE;
    for (size_t i = count; i-- > 0;) {
        dd old = dd_variable(shuffler->encoding->m, ranked[i].variable);
        dd less = calculate_and(calculator, old, dd_not(ranked[i].value));
        dd not_more = calculate_or(calculator, old, dd_not(ranked[i].value));
        before = calculate_or(calculator, less, calculate_and(calculator, not_more, before));
    }
    free(ranked);
    return before;
}

/* The image of the state, in the machine's memory. */
static void shuffle_load(const struct tracks *tracks, struct machine *machine)
{
    machine_reset(machine);
    for (uint32_t c = 0; c < machine->system->state_cells; c++)
        if (tracks->target[c] != c || tracks_renames(tracks, c))
            machine->memory[tracks->target[c]] = tracks_value(tracks, machine, c);
}

/* Codes that stand for no value (sets of predecessors have some) stay as they are: there is no order among their
 * images. */
static dd shuffle_decreases(const struct tracks *tracks, struct machine *machine)
{
    shuffle_load(tracks, machine);
    for (uint32_t c = 0; c < machine->system->state_cells; c++)
        if (tracks->target[c] != c || tracks_renames(tracks, c))
            machine_keep(machine, machine_valid(machine, c));
    machine_normalise(machine);
    dd before = shuffle_before(tracks->shuffler, machine, NULL);
    return calculate_and(&machine->calculator, machine->live, before);
}

dd shuffle_compare(const struct shuffler *shuffler, const uint32_t *const *images, const bool *concerns)
{
    struct tracks tracks;
    struct machine machine;
    tracks_open(&tracks, shuffler, images);
    machine_open(&machine, shuffler->encoding->layout, &shuffler->encoding->algebra);
    shuffle_load(&tracks, &machine);
    dd before = shuffle_before(shuffler, &machine, concerns);
    if (!machine_is_ok(&machine))
        before = DD_NONE;
    machine_close(&machine);
    free(tracks.target);
    return before;
}

/* The bits of the image, over next variables, each with the variable it replaces. */
static bool shuffle_images(struct machine *machine, const bool *concerns, uint32_t *variables, dd *bits, size_t *count)
{
    struct encoding *encoding = machine_encoding(machine);
    const struct dd_permutation *exchange = encoding_exchange(encoding);
    *count = 0;
    for (uint32_t c = 0; c < machine->system->state_cells; c++) {
        dd packed[64];
        if (!concerns[c] || !machine->memory[c])
            continue;
        machine_pack(machine, c, machine->memory[c], packed);
        for (uint32_t b = 0; b < encoding_width(encoding, c); b++) {
            variables[*count] = encoding_variable(encoding, c, b) + 1;
            bits[(*count)++] = dd_permute(encoding->m, packed[b], exchange);
        }
    }
    return machine_is_ok(machine);
}

dd shuffle_next(const struct shuffler *shuffler, const uint32_t *const *images, const bool *concerns, dd relation)
{
    struct encoding *encoding = shuffler->encoding;
    uint32_t *variables = memory_alloc((encoding->pair_count + 1) * sizeof *variables);
    dd *bits = memory_alloc((encoding->pair_count + 1) * sizeof *bits), keep = relation;
    struct tracks tracks;
    struct machine machine;
    size_t count;
    dd_register(encoding->m, &keep, 1);
    tracks_open(&tracks, shuffler, images);
    machine_open(&machine, encoding->layout, &encoding->algebra);
    shuffle_load(&tracks, &machine);
    bool is_ok = shuffle_images(&machine, concerns, variables, bits, &count);
    dd result = is_ok ? dd_compose_all(encoding->m, keep, variables, bits, count) : DD_NONE;
    machine_close(&machine);
    dd_unregister(encoding->m, &keep);
    free(tracks.target);
    free(variables);
    free(bits);
    return result;
}

bool shuffle_make(const struct shuffler *shuffler, const uint32_t *const *images, bool with_order,
                  struct shuffle *shuffle)
{
    struct tracks tracks;
    struct machine machine;
    *shuffle = (struct shuffle){0};
    tracks_open(&tracks, shuffler, images);
    machine_open(&machine, shuffler->encoding->layout, &shuffler->encoding->algebra);
    shuffle->cells = shuffle_cells(&tracks);
    shuffle_find_sorts(shuffle, &tracks);
    bool is_ok = shuffle_add_renames(shuffle, &tracks, &machine);
    if (is_ok && with_order) {
        shuffle->decreases = dd_ref(shuffler->encoding->m, shuffle_decreases(&tracks, &machine));
        is_ok = machine_is_ok(&machine);
    }
    machine_close(&machine);
    free(tracks.target);
    return is_ok;
}

void shuffle_free(struct dd_manager *m, struct shuffle *shuffle)
{
    for (size_t i = 0; i < shuffle->renames.count; i++) {
        dd_unref(m, shuffle->renames.items[i].relation);
        dd_unref(m, shuffle->renames.items[i].changed);
    }
    dd_unref(m, shuffle->decreases);
    VEC_FREE(&shuffle->renames);
    free(shuffle->sorts);
}

dd shuffle_apply(const struct shuffler *shuffler, const struct shuffle *shuffle, dd set)
{
    struct dd_manager *m = shuffler->encoding->m;
    if (shuffle->cells)
        set = dd_permute(m, set, shuffle->cells);
    for (size_t i = 0; i < shuffle->renames.count; i++)
        set = dd_next(m, set, shuffle->renames.items[i].relation, shuffle->renames.items[i].changed);
    for (uint32_t i = 0; i < shuffler->encoding->layout->multiset_count; i++)
        if (shuffle->sorts[i])
            set = sorters_apply(shuffler->sorters, i, set);
    return set;
}

bool shuffle_relation(const struct shuffler *shuffler, const uint32_t *const *images, const bool *concerns,
                      struct dd_relation *relation)
{
    struct tracks tracks;
    struct machine machine;
    tracks_open(&tracks, shuffler, images);
    machine_open(&machine, shuffler->encoding->layout, &shuffler->encoding->algebra);
    for (uint32_t c = 0; c < machine.system->state_cells; c++)
        if (concerns[c]) {
            const struct number *value = tracks_value(&tracks, &machine, c);
            machine.memory[tracks.target[c]] = value;
        }
    relation_make_whole(&machine, relation);
    dd_ref(shuffler->encoding->m, relation->relation);
    dd_ref(shuffler->encoding->m, relation->changed);
    bool is_ok = machine_is_ok(&machine);
    machine_close(&machine);
    free(tracks.target);
    return is_ok;
}
