#include "numeric/components.h"

struct components_frame {
    uint32_t state;
    uint64_t next, end; /* entries still to follow: all rows of a state are consecutive */
};

struct components_search {
    const struct matrix *matrix;
    const uint8_t *wanted;
    uint32_t *index, *low; /* index 0: not met yet */
    uint8_t *is_open;
    uint32_t clock;
    VEC(uint32_t) open;
    VEC(struct components_frame) frames;
    struct components *found;
    uint32_t placed;
};

static void enter(struct components_search *search, uint32_t state)
{
    const struct matrix *matrix = search->matrix;
    search->index[state] = search->low[state] = ++search->clock;
    search->is_open[state] = 1;
    VEC_PUSH(&search->open, state);
    VEC_PUSH(&search->frames, ((struct components_frame){state, matrix->row_entry.items[matrix->state_row.items[state]],
                                                         matrix->row_entry.items[matrix->state_row.items[state + 1]]}));
}

static void close_component(struct components_search *search, uint32_t root)
{
    struct components *found = search->found;
    uint32_t state;
    do {
        state = VEC_POP(&search->open);
        search->is_open[state] = 0;
        found->states[search->placed++] = state;
    } while (state != root);
    found->first[++found->count] = search->placed;
}

static void leave(struct components_search *search)
{
    uint32_t state = VEC_POP(&search->frames).state;
    if (search->low[state] == search->index[state])
        close_component(search, state);
    if (search->frames.count) {
        uint32_t parent = VEC_LAST(&search->frames).state;
        if (search->low[state] < search->low[parent])
            search->low[parent] = search->low[state];
    }
}

static void search_from(struct components_search *search, uint32_t start)
{
    enter(search, start);
    while (search->frames.count) {
        struct components_frame *frame = &VEC_LAST(&search->frames);
        if (frame->next == frame->end) {
            leave(search);
            continue;
        }
        uint32_t target = search->matrix->entries.items[frame->next++].target;
        if (!search->wanted[target])
            continue;
        if (!search->index[target])
            enter(search, target);
        else if (search->is_open[target] && search->index[target] < search->low[frame->state])
            search->low[frame->state] = search->index[target];
    }
}

struct components *components_create(const struct matrix *matrix, const uint8_t *wanted)
{
    size_t states = matrix_states(matrix);
    struct components *found = memory_zeroed(1, sizeof *found);
    struct components_search search = {.matrix = matrix, .wanted = wanted, .found = found};
    found->states = memory_zeroed(states + 1, sizeof *found->states);
    found->first = memory_zeroed(states + 1, sizeof *found->first);
    search.index = memory_zeroed(states + 1, sizeof *search.index);
    search.low = memory_zeroed(states + 1, sizeof *search.low);
    search.is_open = memory_zeroed(states + 1, 1);
    for (uint32_t s = 0; s < states; s++)
        if (wanted[s] && !search.index[s])
            search_from(&search, s);
    free(search.index);
    free(search.low);
    free(search.is_open);
    VEC_FREE(&search.open);
    VEC_FREE(&search.frames);
    return found;
}

void components_destroy(struct components *components)
{
    if (!components)
        return;
    free(components->states);
    free(components->first);
    free(components);
}
