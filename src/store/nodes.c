#include "store/nodes.h"

#include <sched.h>
#include <string.h>

#include "base/memory.h"
#include "store/pages.h"

enum { NODES_FIRST_LINES = 54 };
#define NODES_MOST_LINES ((uint32_t)1 << 28)

/* A number + 1 in a line; 0: free; NODES_CLAIMED: a thread is writing the part. */
#define NODES_CLAIMED UINT32_MAX

/* Five sixths full, most parts are still in the line where they belong. */
static uint32_t nodes_capacity_of(uint32_t lines, uint32_t places)
{
    return (uint32_t)((uint64_t)lines * places * 5 / 6);
}

static uint64_t nodes_table_bytes(uint32_t lines)
{
    return (uint64_t)lines * NODES_LINE * sizeof(uint64_t);
}

static bool nodes_alloc(struct nodes *nodes, uint32_t lines)
{
    uint64_t bytes = nodes_table_bytes(lines);
    if (!budget_take(nodes->budget, bytes))
        return false;
    nodes->lines = pages_alloc(bytes);
    if (!nodes->lines) {
        budget_give(nodes->budget, bytes);
        return false;
    }
    nodes->line_count = lines;
    nodes->capacity = nodes_capacity_of(lines, nodes->places);
    return true;
}

bool nodes_create(struct nodes *nodes, struct budget *budget, uint32_t words)
{
    memset(nodes, 0, sizeof *nodes);
    ENSURE(words == 1 || words == 2);
    nodes->budget = budget;
    nodes->words = words;
    nodes->places = words == 1 ? 5 : 3;
    return nodes_alloc(nodes, NODES_FIRST_LINES);
}

void nodes_destroy(struct nodes *nodes)
{
    if (!nodes->lines)
        return;
    pages_free((void *)nodes->lines, nodes_table_bytes(nodes->line_count));
    budget_give(nodes->budget, nodes_table_bytes(nodes->line_count));
    nodes->lines = NULL;
}

uint32_t nodes_count(const struct nodes *nodes)
{
    uint32_t count = atomic_load_explicit(&nodes->count, memory_order_relaxed);
    return count < nodes->capacity ? count : nodes->capacity;
}

uint32_t nodes_bits(const struct nodes *nodes)
{
    return 32 - (uint32_t)__builtin_clz(nodes->capacity - 1);
}

uint64_t nodes_bytes(const struct nodes *nodes)
{
    return nodes_table_bytes(nodes->line_count);
}

/* The numbers of a line stand behind its parts. */
static inline _Atomic uint32_t *nodes_numbers(const struct nodes *nodes, _Atomic uint64_t *line)
{
    return (_Atomic uint32_t *)(void *)(line + nodes->places * nodes->words);
}

static inline uint64_t nodes_word(const _Atomic uint64_t *place, uint32_t word)
{
    return atomic_load_explicit(&place[word], memory_order_relaxed);
}

static inline bool nodes_has(const _Atomic uint64_t *place, uint32_t words, const uint64_t *part)
{
    return nodes_word(place, 0) == part[0] && (words == 1 || nodes_word(place, 1) == part[1]);
}

static inline void nodes_write(_Atomic uint64_t *place, uint32_t words, const uint64_t *part)
{
    for (uint32_t i = 0; i < words; i++)
        atomic_store_explicit(&place[i], part[i], memory_order_relaxed);
}

static _Atomic uint64_t *nodes_next_line(const struct nodes *nodes, _Atomic uint64_t *line)
{
    line += NODES_LINE;
    return line == nodes->lines + (size_t)nodes->line_count * NODES_LINE ? nodes->lines : line;
}

static inline uint32_t nodes_read(const _Atomic uint32_t *cell)
{
    uint32_t found;
    for (uint32_t tries = 1; (found = atomic_load_explicit(cell, memory_order_acquire)) == NODES_CLAIMED; tries++)
        if (tries % 64 == 0)
            sched_yield();
    return found;
}

/* A free place: this thread's, or else another thread was faster and the place must be read again. */
static bool nodes_claim(_Atomic uint32_t *cell)
{
    uint32_t none = 0;
    return atomic_compare_exchange_strong_explicit(cell, &none, NODES_CLAIMED, memory_order_acquire,
                                                   memory_order_relaxed);
}

/* Into a place that is claimed. */
static uint32_t nodes_fill(struct nodes *nodes, _Atomic uint64_t *place, _Atomic uint32_t *cell, const uint64_t *part)
{
    uint32_t number = atomic_fetch_add_explicit(&nodes->count, 1, memory_order_relaxed);
    if (number >= nodes->capacity) {
        atomic_store_explicit(cell, 0, memory_order_release);
        return NODES_NONE;
    }
    nodes_write(place, nodes->words, part);
    atomic_store_explicit(cell, number + 1, memory_order_release);
    return number;
}

/* The part is in the line, or it gets a place there; 0: the line is full of others. Else the number + 1, or NODES_NONE. */
static uint32_t nodes_settle(struct nodes *nodes, _Atomic uint64_t *line, const uint64_t *part)
{
    _Atomic uint32_t *numbers = nodes_numbers(nodes, line);
    for (uint32_t i = 0; i < nodes->places; i++) {
        _Atomic uint64_t *place = line + i * nodes->words;
        uint32_t found;
        while (!(found = nodes_read(&numbers[i])))
            if (nodes_claim(&numbers[i])) {
                uint32_t number = nodes_fill(nodes, place, &numbers[i], part);
                return number == NODES_NONE ? NODES_NONE : number + 1;
            }
        if (nodes_has(place, nodes->words, part))
            return found;
    }
    return 0;
}

/* The number + 1 of a part that stands in the line for all to see, or 0. Nearly always enough. */
static inline uint32_t nodes_find(const struct nodes *nodes, _Atomic uint64_t *line, const uint64_t *part)
{
    for (uint32_t i = 0; i < nodes->places; i++)
        if (nodes_has(line + i * nodes->words, nodes->words, part)) {
            uint32_t found = atomic_load_explicit(&nodes_numbers(nodes, line)[i], memory_order_acquire);
            /* What is being written, or zeros in a free place, are left to a closer look. */
            return found == NODES_CLAIMED ? 0 : found;
        }
    return 0;
}

uint32_t nodes_intern(struct nodes *nodes, const uint64_t *part, uint64_t hash)
{
    _Atomic uint64_t *line = nodes_line(nodes, hash);
    uint32_t found = nodes_find(nodes, line, part);
    for (; !found; line = nodes_next_line(nodes, line))
        found = nodes_settle(nodes, line, part);
    return found == NODES_NONE ? NODES_NONE : found - 1;
}

/* A part that is not there, with the number it has. */
static void nodes_put(struct nodes *nodes, const uint64_t *part, uint32_t number)
{
    for (_Atomic uint64_t *line = nodes_line(nodes, nodes_hash(nodes, part));; line = nodes_next_line(nodes, line)) {
        _Atomic uint32_t *numbers = nodes_numbers(nodes, line);
        for (uint32_t i = 0; i < nodes->places; i++) {
            if (atomic_load_explicit(&numbers[i], memory_order_relaxed))
                continue;
            nodes_write(line + i * nodes->words, nodes->words, part);
            atomic_store_explicit(&numbers[i], number + 1, memory_order_relaxed);
            return;
        }
    }
}

static void nodes_move_line(struct nodes *nodes, _Atomic uint64_t *line)
{
    const _Atomic uint32_t *numbers = nodes_numbers(nodes, line);
    for (uint32_t i = 0; i < nodes->places; i++) {
        const _Atomic uint64_t *place = line + i * nodes->words;
        uint64_t part[2] = {nodes_word(place, 0), nodes->words == 2 ? nodes_word(place, 1) : 0};
        uint32_t found = atomic_load_explicit(&numbers[i], memory_order_relaxed);
        if (found)
            nodes_put(nodes, part, found - 1);
    }
}

bool nodes_grow(struct nodes *nodes)
{
    struct nodes old = *nodes;
    if (nodes->line_count >= NODES_MOST_LINES || !nodes_alloc(nodes, nodes->line_count / 3 * 4))
        return false;
    atomic_store(&nodes->count, nodes_count(&old)); /* those that ran over got nothing */
    for (uint32_t i = 0; i < old.line_count; i++)
        nodes_move_line(nodes, old.lines + (size_t)i * NODES_LINE);
    nodes_destroy(&old);
    return true;
}
