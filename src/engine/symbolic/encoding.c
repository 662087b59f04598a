#include "engine/symbolic/encoding.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

uint32_t encoding_bits(const struct layout *layout)
{
    uint32_t bits = 0;
    for (uint32_t c = 0; c < layout->cell_count; c++)
        bits += layout->cells[c].bits;
    return bits;
}

static dd encoding_cube(const struct encoding *encoding)
{
    uint32_t *variables = memory_alloc((encoding->pair_count + 1) * sizeof *variables);
    for (uint32_t p = 0; p < encoding->pair_count; p++)
        variables[p] = 2 * p;
    dd cube = dd_cube(encoding->m, variables, encoding->pair_count);
    free(variables);
    return cube;
}

static bit encoding_conjunction(void *data, bit f, bit g)
{
    return dd_and(((struct encoding *)data)->m, f, g);
}

static bit encoding_difference(void *data, bit f, bit g)
{
    return dd_xor(((struct encoding *)data)->m, f, g);
}

static bit encoding_choice(void *data, bit f, bit g, bit h)
{
    return dd_ite(((struct encoding *)data)->m, f, g, h);
}

static bit encoding_simplify(void *data, bit f, bit care)
{
    return dd_restrict(((struct encoding *)data)->m, f, care);
}

static bit encoding_cell(void *data, uint32_t cell, uint32_t b)
{
    struct encoding *encoding = data;
    return dd_variable(encoding->m, encoding_variable(encoding, cell, b));
}

/* Equal functions have equal handles. */
static bool encoding_is_false(void *data, bit f)
{
    (void)data;
    return f == BIT_FALSE;
}

static void encoding_hold(void *data)
{
    dd_pause(((struct encoding *)data)->m);
}

static void encoding_release(void *data)
{
    dd_resume(((struct encoding *)data)->m);
}

static struct algebra encoding_algebra(struct encoding *encoding)
{
    return (struct algebra){
        .engine = "the symbolic engine",
        .conjunction = encoding_conjunction,
        .difference = encoding_difference,
        .choice = encoding_choice,
        .simplify = encoding_simplify,
        .cell = encoding_cell,
        .is_false = encoding_is_false,
        .hold = encoding_hold,
        .release = encoding_release,
        .data = encoding,
    };
}

struct encoding *encoding_create(const struct layout *layout, enum order_kind kind, struct dd_manager *m)
{
    struct encoding *encoding = memory_zeroed(1, sizeof *encoding);
    *encoding = (struct encoding){.layout = layout, .m = m, .algebra = encoding_algebra(encoding)};
    encoding->first = memory_zeroed((size_t)layout->cell_count + 1, sizeof *encoding->first);
    for (uint32_t c = 0; c < layout->cell_count; c++)
        encoding->first[c + 1] = encoding->first[c] + layout->cells[c].bits;
    encoding->pair_count = encoding->first[layout->cell_count];
    ENSURE(dd_variable_count(m) >= 2 * encoding->pair_count);
    encoding->pairs = memory_zeroed((size_t)encoding->pair_count + 1, sizeof *encoding->pairs);
    order_pairs(layout, encoding->first, kind, encoding->pairs);
    encoding->picked = memory_zeroed(dd_variable_count(m) + 1, sizeof *encoding->picked);
    encoding->words = memory_zeroed(layout->words, sizeof *encoding->words);
    encoding->current = dd_ref(m, encoding_cube(encoding));
    if (encoding->current != DD_NONE)
        return encoding;
    encoding_destroy(encoding);
    return NULL;
}

void encoding_destroy(struct encoding *encoding)
{
    if (!encoding)
        return;
    dd_unref(encoding->m, encoding->current);
    free(encoding->first);
    free(encoding->pairs);
    free(encoding->picked);
    free(encoding->words);
    free(encoding);
}

dd encoding_state(struct encoding *encoding, const int32_t *cells)
{
    const struct layout *layout = encoding->layout;
    bool *values = memory_zeroed((size_t)encoding->pair_count + 1, sizeof *values);
    layout_pack(layout, cells, encoding->words);
    for (uint32_t c = 0; c < layout->cell_count; c++) {
        const struct cell *cell = &layout->cells[c];
        for (uint32_t b = 0; b < cell->bits; b++)
            values[encoding_pair(encoding, c, b)] = encoding->words[cell->word] >> (cell->shift + b) & 1;
    }
    dd state = DD_TRUE;
    dd_pause(encoding->m);
    for (uint32_t p = encoding->pair_count; p-- > 0;) /* from below: each step makes one node */
        state = dd_and(encoding->m, dd_literal(encoding->m, 2 * p, values[p]), state);
    dd_resume(encoding->m);
    free(values);
    return state;
}

void encoding_pick(struct encoding *encoding, dd set, int32_t *cells)
{
    const struct layout *layout = encoding->layout;
    memset(encoding->picked, 0, dd_variable_count(encoding->m));
    ENSURE(dd_pick_values(encoding->m, set, encoding->picked));
    memset(encoding->words, 0, layout->words * sizeof *encoding->words);
    for (uint32_t c = 0; c < layout->cell_count; c++) {
        const struct cell *cell = &layout->cells[c];
        for (uint32_t b = 0; b < cell->bits; b++)
            if (encoding->picked[encoding_variable(encoding, c, b)] == 1)
                encoding->words[cell->word] |= UINT64_C(1) << (cell->shift + b);
    }
    layout_unpack(layout, encoding->words, cells);
}

const struct dd_permutation *encoding_exchange(struct encoding *encoding)
{
    if (encoding->exchange)
        return encoding->exchange;
    uint32_t count = dd_variable_count(encoding->m);
    uint32_t *images = memory_alloc((count + 1) * sizeof *images);
    for (uint32_t v = 0; v < count; v++)
        images[v] = v ^ 1u;
    encoding->exchange = dd_permutation(encoding->m, images);
    free(images);
    return encoding->exchange;
}
