/* Random states of small systems, for the tests of canonicalisers. */
#ifndef NOETHER_TESTS_CANON_STATES_H
#define NOETHER_TESTS_CANON_STATES_H

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ir/build.h"
#include "canon/canon.h"

enum { MAX_CELLS = 256 };
static const struct span nowhere;

struct fixture {
    struct system *system;
    struct layout *layout;
    struct symmetry *symmetry;
    struct canon *canon, *other;
    uint64_t random;
};

static inline uint64_t random_next(struct fixture *fixture)
{
    fixture->random ^= fixture->random << 13;
    fixture->random ^= fixture->random >> 7;
    fixture->random ^= fixture->random << 17;
    return fixture->random >> 11;
}

/* After system_finish. The fixture owns the symmetry. */
static inline void fixture_open_with(struct fixture *fixture, struct symmetry *symmetry)
{
    fixture->layout = layout_create(fixture->system);
    fixture->symmetry = symmetry;
    fixture->canon = canon_create(fixture->symmetry, fixture->layout);
    fixture->other = canon_create(fixture->symmetry, fixture->layout);
    fixture->random = 0x2545f4914f6cdd1dU;
    assert_true(fixture->layout->cell_count <= MAX_CELLS);
}

static inline void fixture_open(struct fixture *fixture)
{
    system_finish(fixture->system);
    struct symmetry *symmetry = symmetry_none(fixture->system);
    for (uint32_t f = 0; f < symmetry->factor_count; f++)
        symmetry->factors[f].is_used = true;
    fixture_open_with(fixture, symmetry);
}

static inline void fixture_close(struct fixture *fixture)
{
    canon_destroy(fixture->canon);
    canon_destroy(fixture->other);
    symmetry_destroy(fixture->symmetry);
    layout_destroy(fixture->layout);
    system_destroy(fixture->system);
}

/* `spread` of the values of each type are used: few values make many symmetric states. */
static inline void random_type(struct fixture *fixture, const struct type *type, int32_t *cells, uint32_t spread)
{
    switch (type->kind) {
    case TYPE_ARRAY:
        for (uint32_t i = 0; i < type->index->size; i++)
            random_type(fixture, type->element, cells + i * type->element->cells, spread);
        return;
    case TYPE_RECORD:
        for (uint32_t f = 0; f < type->field_count; f++)
            random_type(fixture, type->fields[f].type, cells + type->fields[f].offset, spread);
        return;
    case TYPE_MULTISET: {
        uint32_t taken = (uint32_t)(random_next(fixture) % (type->capacity + 1));
        for (uint32_t s = 0; s < type->capacity; s++) {
            int32_t *slot = cells + s * multiset_stride(type);
            slot[0] = s < taken;
            for (uint32_t c = 1; c < multiset_stride(type); c++)
                slot[c] = UNDEFINED;
            if (slot[0])
                random_type(fixture, type->element, slot + 1, spread);
        }
        return;
    }
    default: {
        uint32_t bound =
            type->kind == TYPE_INDEX || type->kind == TYPE_UNION || type->size < spread ? type->size : spread;
        uint32_t pick = (uint32_t)(random_next(fixture) % (bound + 1));
        cells[0] = pick == bound ? UNDEFINED : type_code(type, pick);
        return;
    }
    }
}

static inline void random_state(struct fixture *fixture, int32_t *cells, uint32_t spread)
{
    const struct system *system = fixture->system;
    for (size_t g = 0; g < system->globals.count; g++)
        random_type(fixture, system->globals.items[g]->type, cells + system->globals.items[g]->address, spread);
    layout_normalise(fixture->layout, cells);
}

static inline struct fixture fixture_new(void)
{
    return (struct fixture){.system = system_create("canon")};
}

static inline const struct type *make_record(struct system *system, const struct type *first, const struct type *second)
{
    struct field fields[] = {{.name = "a", .type = first}, {.name = "b", .type = second}};
    return type_record(system, NULL, fields, 2, nowhere);
}

#endif
