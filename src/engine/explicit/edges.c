#include "engine/explicit/edges.h"

#include <stdlib.h>

#include "base/memory.h"

enum { EDGES_CHUNK = 1 << 16 }; /* words in a chunk */

struct edges {
    struct budget *budget;
    uint32_t **chunks;
    uint64_t chunk_count, chunk_capacity;
    uint64_t words; /* in use */
    uint64_t edge_count;
    uint64_t header; /* position of the count of the source that is being written */
    uint32_t source, last;
};

struct edges *edges_create(struct budget *budget)
{
    struct edges *edges = memory_zeroed(1, sizeof *edges);
    edges->budget = budget;
    return edges;
}

void edges_destroy(struct edges *edges)
{
    if (!edges)
        return;
    for (uint64_t i = 0; i < edges->chunk_count; i++)
        free(edges->chunks[i]);
    budget_give(edges->budget, edges->chunk_count * EDGES_CHUNK * sizeof(uint32_t));
    free(edges->chunks);
    free(edges);
}

static inline uint32_t *edges_word(const struct edges *edges, uint64_t at)
{
    return &edges->chunks[at / EDGES_CHUNK][at % EDGES_CHUNK];
}

static bool edges_push(struct edges *edges, uint32_t word)
{
    if (edges->words == edges->chunk_count * EDGES_CHUNK) {
        if (!budget_take(edges->budget, EDGES_CHUNK * sizeof(uint32_t)))
            return false;
        if (edges->chunk_count == edges->chunk_capacity) {
            edges->chunk_capacity = edges->chunk_capacity ? 2 * edges->chunk_capacity : 16;
            edges->chunks = memory_resize(edges->chunks, edges->chunk_capacity * sizeof *edges->chunks);
        }
        edges->chunks[edges->chunk_count++] = memory_alloc(EDGES_CHUNK * sizeof(uint32_t));
    }
    *edges_word(edges, edges->words++) = word;
    return true;
}

bool edges_begin(struct edges *edges, uint32_t source)
{
    edges->source = edges->last = source;
    if (!edges_push(edges, source))
        return false;
    edges->header = edges->words;
    return edges_push(edges, 0);
}

bool edges_add(struct edges *edges, uint32_t target)
{
    if (target == edges->source || target == edges->last)
        return true;
    if (!edges_push(edges, target))
        return false;
    edges->last = target;
    edges->edge_count++;
    ++*edges_word(edges, edges->header);
    return true;
}

/* The graph turned around: the sources of the edges into state s are sources[first[s]] .. sources[first[s + 1] - 1]. */
struct reversed {
    uint64_t *first;
    uint32_t *sources;
};

static void edges_count_targets(const struct edges *edges, uint64_t *first)
{
    for (uint64_t at = 0; at < edges->words;) {
        uint32_t count = *edges_word(edges, at + 1);
        at += 2;
        for (uint32_t i = 0; i < count; i++, at++)
            first[*edges_word(edges, at)]++;
    }
}

/* first[s] is one past the end of the sources of s, and counts down to their beginning. */
static void edges_fill_sources(const struct edges *edges, struct reversed *reversed)
{
    for (uint64_t at = 0; at < edges->words;) {
        uint32_t source = *edges_word(edges, at), count = *edges_word(edges, at + 1);
        at += 2;
        for (uint32_t i = 0; i < count; i++, at++)
            reversed->sources[--reversed->first[*edges_word(edges, at)]] = source;
    }
}

static void edges_reverse(const struct edges *edges, uint32_t states, struct reversed *reversed)
{
    reversed->first = memory_zeroed((size_t)states + 1, sizeof *reversed->first);
    reversed->sources = memory_alloc(edges->edge_count * sizeof *reversed->sources);
    edges_count_targets(edges, reversed->first);
    uint64_t sum = 0;
    for (uint32_t s = 0; s < states; s++)
        reversed->first[s] = sum += reversed->first[s];
    reversed->first[states] = sum;
    edges_fill_sources(edges, reversed);
}

static bool edges_mark(uint64_t *marks, uint32_t state)
{
    uint64_t bit = (uint64_t)1 << state % 64;
    if (marks[state / 64] & bit)
        return false;
    marks[state / 64] |= bit;
    return true;
}

static void edges_propagate(const struct reversed *reversed, uint32_t states, uint64_t *marks)
{
    uint32_t *stack = memory_alloc((size_t)states * sizeof *stack), top = 0;
    for (uint32_t s = 0; s < states; s++)
        if (marks[s / 64] >> s % 64 & 1)
            stack[top++] = s;
    while (top) {
        uint32_t s = stack[--top];
        for (uint64_t i = reversed->first[s]; i < reversed->first[s + 1]; i++)
            if (edges_mark(marks, reversed->sources[i]))
                stack[top++] = reversed->sources[i];
    }
    free(stack);
}

bool edges_close_backwards(const struct edges *edges, uint32_t states, uint64_t *marks)
{
    struct reversed reversed;
    uint64_t bytes = ((uint64_t)states + 1) * (sizeof *reversed.first + sizeof(uint32_t)) +
                     edges->edge_count * sizeof *reversed.sources;
    if (!budget_take(edges->budget, bytes))
        return false;
    edges_reverse(edges, states, &reversed);
    edges_propagate(&reversed, states, marks);
    free(reversed.first);
    free(reversed.sources);
    budget_give(edges->budget, bytes);
    return true;
}
