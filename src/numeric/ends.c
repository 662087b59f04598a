#include "numeric/ends.h"

#include "numeric/components.h"

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

/* Drops the rows that leave their component, and the states that have none left. */
static bool drop_leaving(const struct matrix *matrix, struct ends *ends, uint8_t *wanted)
{
    bool is_changed = false;
    for (uint32_t s = 0; s < matrix_states(matrix); s++) {
        bool has_row = false;
        for (uint32_t r = matrix->state_row.items[s]; wanted[s] && r < matrix->state_row.items[s + 1]; r++) {
            bool stays = ends->is_kept[r] && row_stays(matrix, r, ends->of, ends->of[s]);
            is_changed |= ends->is_kept[r] && !stays;
            ends->is_kept[r] = stays;
            has_row |= stays;
        }
        is_changed |= wanted[s] && !has_row;
        wanted[s] = has_row;
    }
    return is_changed;
}

struct ends *ends_create(const struct matrix *matrix, const uint8_t *wanted, const uint8_t *allowed,
                         bool (*go_on)(void *user), void *user)
{
    uint32_t states = matrix_states(matrix);
    struct ends *ends = memory_zeroed(1, sizeof *ends);
    uint8_t *left = memory_zeroed((size_t)states + 1, 1);
    ends->of = memory_zeroed((size_t)states + 1, sizeof *ends->of);
    ends->is_kept = memory_zeroed((size_t)matrix_rows(matrix) + 1, 1);
    for (uint32_t s = 0; s < states; s++) {
        left[s] = wanted[s];
        for (uint32_t r = matrix->state_row.items[s]; r < matrix->state_row.items[s + 1]; r++)
            ends->is_kept[r] = wanted[s] && (!allowed || allowed[r]);
    }
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
    } while (drop_leaving(matrix, ends, left));
    free(left);
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
