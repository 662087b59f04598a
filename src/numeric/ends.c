#include "numeric/ends.h"

#include "numeric/components.h"
#include "numeric/reverse.h"

/* The graph of the rows that are kept. */
static struct matrix graph_of(const struct matrix *matrix, const struct ends *ends)
{
    struct matrix graph = {0};
    for (uint32_t s = 0; s < matrix_states(matrix); s++) {
        matrix_begin_state(&graph);
        for (uint32_t r = matrix->state_row.items[s]; r < matrix->state_row.items[s + 1]; r++) {
            matrix_begin_row(&graph);
            for (uint64_t i = matrix->row_entry.items[r]; ends->is_kept[r] && i < matrix->row_entry.items[r + 1]; i++)
                VEC_PUSH(&graph.entries, matrix->entries.items[i]);
        }
    }
    matrix_close(&graph);
    return graph;
}

static void number_components(const struct components *components, struct ends *ends, uint32_t states)
{
    for (uint32_t s = 0; s < states; s++)
        ends->of[s] = ENDS_NONE;
    for (uint32_t c = 0; c < components->count; c++)
        for (uint32_t i = components->first[c]; i < components->first[c + 1]; i++)
            ends->of[components->states[i]] = c;
    ends->count = components->count;
}

static bool row_stays(const struct matrix *matrix, uint32_t row, const uint32_t *of, uint32_t component)
{
    for (uint64_t i = matrix->row_entry.items[row]; i < matrix->row_entry.items[row + 1]; i++)
        if (of[matrix->entries.items[i].target] != component)
            return false;
    return true;
}

/* States that have no row left, and are not yet taken off the rows that lead to them. */
struct end_drops {
    const struct reverse *reverse;
    uint32_t *row_count; /* by state: rows that are kept */
    VEC(uint32_t) work;
};

static void drop_row(struct end_drops *drops, struct ends *ends, uint8_t *wanted, uint32_t row)
{
    uint32_t state = drops->reverse->row_state[row];
    if (!ends->is_kept[row])
        return;
    ends->is_kept[row] = 0;
    if (--drops->row_count[state] || !wanted[state])
        return;
    wanted[state] = 0;
    VEC_PUSH(&drops->work, state);
}

/* Drops the rows that leave their component, the states that have none left, the rows to these, and so on: what needs
 * no other components does not wait for them. */
static bool drop_leaving(const struct matrix *matrix, struct ends *ends, uint8_t *wanted, struct end_drops *drops)
{
    bool is_changed = false;
    for (uint32_t s = 0; s < matrix_states(matrix); s++)
        for (uint32_t r = matrix->state_row.items[s]; wanted[s] && r < matrix->state_row.items[s + 1]; r++)
            if (ends->is_kept[r] && !row_stays(matrix, r, ends->of, ends->of[s])) {
                drop_row(drops, ends, wanted, r);
                is_changed = true;
            }
    while (drops->work.count) {
        uint32_t gone = VEC_POP(&drops->work);
        for (uint64_t i = drops->reverse->first[gone]; i < drops->reverse->first[gone + 1]; i++)
            drop_row(drops, ends, wanted, drops->reverse->rows[i]);
    }
    return is_changed;
}

/* What is wanted and allowed; a state without a row is none. */
static void begin_ends(const struct matrix *matrix, const uint8_t *wanted, const uint8_t *allowed, struct ends *ends,
                       uint8_t *left, struct end_drops *drops)
{
    for (uint32_t s = 0; s < matrix_states(matrix); s++) {
        for (uint32_t r = matrix->state_row.items[s]; r < matrix->state_row.items[s + 1]; r++) {
            ends->is_kept[r] = wanted[s] && (!allowed || allowed[r]);
            drops->row_count[s] += ends->is_kept[r];
        }
        left[s] = drops->row_count[s] > 0;
    }
}

struct ends *ends_create(const struct matrix *matrix, const uint8_t *wanted, const uint8_t *allowed,
                         bool (*go_on)(void *user), void *user)
{
    uint32_t states = matrix_states(matrix);
    struct ends *ends = memory_zeroed(1, sizeof *ends);
    uint8_t *left = memory_zeroed((size_t)states + 1, 1);
    ends->of = memory_zeroed((size_t)states + 1, sizeof *ends->of);
    ends->is_kept = memory_zeroed((size_t)matrix_rows(matrix) + 1, 1);
    struct reverse *reverse = reverse_create(matrix);
    struct end_drops drops = {.reverse = reverse,
                              .row_count = memory_zeroed((size_t)states + 1, sizeof *drops.row_count)};
    begin_ends(matrix, wanted, allowed, ends, left, &drops);
    bool goes_on;
    do {
        goes_on = !go_on || go_on(user);
        if (!goes_on)
            break;
        struct matrix graph = graph_of(matrix, ends);
        struct components *components = components_create(&graph, left);
        number_components(components, ends, states);
        components_destroy(components);
        matrix_free(&graph);
    } while (drop_leaving(matrix, ends, left, &drops));
    free(left);
    free(drops.row_count);
    VEC_FREE(&drops.work);
    reverse_destroy(reverse);
    if (goes_on)
        return ends;
    ends_destroy(ends);
    return NULL;
}

void ends_destroy(struct ends *ends)
{
    if (!ends)
        return;
    free(ends->of);
    free(ends->is_kept);
    free(ends);
}
