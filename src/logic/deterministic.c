/* Safra's trees.
 *
 * A tree is a list of nodes, each with its parent and its label, a set of states of the Büchi automaton; in order of
 * age, so that a parent comes before its children and the place in the list is Piterman's name. No node: nothing is
 * accepted any more. */
#include "logic/deterministic.h"

#include <string.h>

#include "base/hash.h"
#include "base/words.h"

/* An edge of the Büchi automaton with one mark. */
struct plain_edge {
    struct logic_label label;
    uint32_t target;
    bool is_accepting;
};

struct deterministic {
    uint32_t plain_count, width; /* states with one mark; 32-bit words of a set of them */
    uint32_t *first;
    struct plain_edge *edges;
    uint32_t *universals; /* a set: the states that accept every word */
    uint32_t most;
    struct words trees; /* the states */
    struct words letters;
    struct pairs moves; /* (state, letter) to the place in `known` */
    VEC(struct deterministic_move) known;
};

enum { NEUTRAL = UINT32_MAX }; /* odd: nothing happened */

static bool set_has(const uint32_t *set, uint32_t member)
{
    return set[member / 32] >> (member % 32) & 1;
}

static void set_add(uint32_t *set, uint32_t member)
{
    set[member / 32] |= UINT32_C(1) << (member % 32);
}

static bool set_is_empty(const uint32_t *set, uint32_t width)
{
    for (uint32_t i = 0; i < width; i++)
        if (set[i])
            return false;
    return true;
}

/* --- one mark for many --- */

/* Level k waits for mark k; an edge that has the last one accepts and begins anew. */
static struct plain_edge lower_edge(const struct automaton *automaton, uint32_t level,
                                    const struct automaton_edge *edge)
{
    uint32_t levels = automaton->mark_count ? automaton->mark_count : 1;
    while (level < automaton->mark_count && edge->marks >> level & 1)
        level++;
    bool is_accepting = level == automaton->mark_count;
    level = is_accepting ? 0 : level;
    return (struct plain_edge){edge->label, edge->target * levels + level, is_accepting};
}

static void lower_edges(struct deterministic *deterministic, const struct automaton *automaton)
{
    uint32_t levels = automaton->mark_count ? automaton->mark_count : 1, count = 0;
    uint32_t edges = automaton->state_count ? automaton->first[automaton->state_count] : 0;
    deterministic->plain_count = automaton->state_count * levels;
    deterministic->width = deterministic->plain_count / 32 + 1;
    deterministic->first = memory_zeroed(deterministic->plain_count + 1, sizeof *deterministic->first);
    deterministic->edges = memory_zeroed((size_t)edges * levels + 1, sizeof *deterministic->edges);
    for (uint32_t state = 0; state < automaton->state_count; state++)
        for (uint32_t level = 0; level < levels; level++) {
            deterministic->first[state * levels + level] = count;
            for (uint32_t i = automaton->first[state]; i < automaton->first[state + 1]; i++)
                deterministic->edges[count++] = lower_edge(automaton, level, &automaton->edges[i]);
        }
    deterministic->first[deterministic->plain_count] = count;
}

/* With an edge to itself for every letter and all marks. */
static void find_universal(struct deterministic *deterministic, const struct automaton *automaton)
{
    uint32_t levels = automaton->mark_count ? automaton->mark_count : 1;
    uint64_t all = marks_all(automaton->mark_count);
    deterministic->universals = memory_zeroed(deterministic->width, sizeof *deterministic->universals);
    for (uint32_t state = 0; state < automaton->state_count; state++)
        for (uint32_t i = automaton->first[state]; i < automaton->first[state + 1]; i++) {
            const struct automaton_edge *edge = &automaton->edges[i];
            bool is_free = !edge->label.positive && !edge->label.negative;
            if (edge->target == state && is_free && edge->marks == all)
                for (uint32_t level = 0; level < levels; level++)
                    set_add(deterministic->universals, state * levels + level);
        }
}

/* --- trees --- */

/* The nodes of the next tree while it is made: twice as many as there were. */
struct safra_growth {
    uint32_t old, count, width;
    uint32_t *parents;
    uint32_t *labels; /* `width` words each */
    uint32_t *rest;   /* of a label: what no child has */
    bool *is_gone;
};

static uint32_t *label_of(const struct safra_growth *growth, uint32_t node)
{
    return growth->labels + (size_t)node * growth->width;
}

static uint32_t *rest_of(const struct safra_growth *growth, uint32_t node)
{
    return growth->rest + (size_t)node * growth->width;
}

static void follow_label(const struct deterministic *deterministic, const uint32_t *from, uint64_t letter,
                         uint32_t *all, uint32_t *accepting)
{
    for (uint32_t state = 0; state < deterministic->plain_count; state++)
        for (uint32_t i = deterministic->first[state]; set_has(from, state) && i < deterministic->first[state + 1];
             i++) {
            const struct plain_edge *edge = &deterministic->edges[i];
            if (!logic_label_fits(edge->label, letter))
                continue;
            set_add(all, edge->target);
            if (edge->is_accepting)
                set_add(accepting, edge->target);
        }
}

/* Every node follows the letter, and has a new, youngest child: where an accepting edge led. */
static struct safra_growth grow(const struct deterministic *deterministic, const uint32_t *tree, uint32_t length,
                                uint64_t letter)
{
    uint32_t width = deterministic->width, old = length / (width + 1);
    struct safra_growth growth = {.old = old, .count = 2 * old, .width = width};
    growth.parents = memory_zeroed(growth.count + 1, sizeof *growth.parents);
    growth.labels = memory_zeroed((size_t)growth.count * width + 1, sizeof *growth.labels);
    growth.rest = memory_zeroed((size_t)growth.count * width + 1, sizeof *growth.rest);
    growth.is_gone = memory_zeroed(growth.count + 1, sizeof *growth.is_gone);
    for (uint32_t node = 0; node < old; node++) {
        const uint32_t *words = tree + (size_t)node * (width + 1);
        growth.parents[node] = words[0];
        growth.parents[old + node] = node;
        follow_label(deterministic, words + 1, letter, label_of(&growth, node), label_of(&growth, old + node));
    }
    return growth;
}

static void growth_free(struct safra_growth *growth)
{
    free(growth->parents);
    free(growth->labels);
    free(growth->rest);
    free(growth->is_gone);
}

/* A state stays in the oldest of the siblings that have it, and in its ancestors. */
static void part_siblings(struct safra_growth *growth)
{
    for (uint32_t node = 0; node < growth->count; node++) {
        uint32_t *label = label_of(growth, node), *of_parent = rest_of(growth, growth->parents[node]);
        for (uint32_t i = 0; i < growth->width && node; i++) {
            label[i] &= of_parent[i];
            of_parent[i] &= ~label[i];
        }
        memcpy(rest_of(growth, node), label, growth->width * sizeof *label);
    }
}

/* Nodes without states go; those all of whose states are in children take these in. What happened to the oldest node is
 * the priority. */
static uint32_t prune(struct safra_growth *growth)
{
    uint32_t priority = NEUTRAL;
    for (uint32_t node = 0; node < growth->count; node++) {
        uint32_t parent = growth->parents[node];
        bool is_empty = set_is_empty(label_of(growth, node), growth->width);
        bool is_taken_in = node && (growth->is_gone[parent] || set_is_empty(rest_of(growth, parent), growth->width));
        growth->is_gone[node] = is_empty || is_taken_in;
        uint32_t happens = growth->is_gone[node] ? (node < growth->old ? 2 * node - (node > 0) : NEUTRAL)
                           : set_is_empty(rest_of(growth, node), growth->width) ? 2 * node
                                                                                : NEUTRAL;
        happens = growth->is_gone[0] ? 1 : happens;
        priority = happens < priority ? happens : priority;
    }
    return priority;
}

static uint32_t intern_growth(struct deterministic *deterministic, const struct safra_growth *growth)
{
    uint32_t *renamed = memory_zeroed(growth->count + 1, sizeof *renamed), next = 0;
    VEC(uint32_t) tree = {0};
    for (uint32_t node = 0; node < growth->count; node++) {
        if (growth->is_gone[node])
            continue;
        renamed[node] = next++;
        VEC_PUSH(&tree, renamed[growth->parents[node]]);
        for (uint32_t i = 0; i < growth->width; i++)
            VEC_PUSH(&tree, label_of(growth, node)[i]);
    }
    uint32_t number = words_intern(&deterministic->trees, tree.items, (uint32_t)tree.count);
    free(renamed);
    VEC_FREE(&tree);
    return number;
}

/* The tree of one node with this set of states. */
static uint32_t intern_root(struct deterministic *deterministic, const uint32_t *label)
{
    uint32_t *tree = memory_zeroed(deterministic->width + 1, sizeof *tree);
    memcpy(tree + 1, label, deterministic->width * sizeof *label);
    uint32_t number = words_intern(&deterministic->trees, tree, deterministic->width + 1);
    free(tree);
    return number;
}

static bool is_universal(const struct deterministic *deterministic, const uint32_t *label)
{
    for (uint32_t i = 0; i < deterministic->width; i++)
        if (label[i] & deterministic->universals[i])
            return true;
    return false;
}

/* --- states and moves --- */

static uint32_t letter_number(struct deterministic *deterministic, uint64_t letter)
{
    return words_intern(&deterministic->letters, (uint32_t[]){(uint32_t)letter, (uint32_t)(letter >> 32)}, 2);
}

/* All trees that accept every word are one: that of the universal states. */
static struct deterministic_move find_move(struct deterministic *deterministic, uint32_t state, uint64_t letter)
{
    const uint32_t *tree = words_at(&deterministic->trees, state);
    struct safra_growth growth = grow(deterministic, tree, words_length(&deterministic->trees, state), letter);
    struct deterministic_move move = {state, 1};
    if (growth.count && is_universal(deterministic, label_of(&growth, 0)))
        move = (struct deterministic_move){intern_root(deterministic, deterministic->universals), 0};
    else if (growth.count) {
        part_siblings(&growth);
        uint32_t priority = prune(&growth);
        move = (struct deterministic_move){intern_growth(deterministic, &growth), priority};
    }
    growth_free(&growth);
    return move;
}

bool deterministic_step(struct deterministic *deterministic, uint32_t state, uint64_t letter,
                        struct deterministic_move *move)
{
    uint64_t key = pairs_key(state, letter_number(deterministic, letter));
    uint32_t place = pairs_get(&deterministic->moves, key);
    if (place == WORDS_NONE) {
        place = (uint32_t)deterministic->known.count;
        struct deterministic_move found = find_move(deterministic, state, letter);
        VEC_PUSH(&deterministic->known, found);
        pairs_set(&deterministic->moves, key, place);
    }
    *move = deterministic->known.items[place];
    return words_count(&deterministic->trees) <= deterministic->most;
}

uint32_t deterministic_count(const struct deterministic *deterministic)
{
    return words_count(&deterministic->trees);
}

uint64_t deterministic_bytes(const struct deterministic *deterministic)
{
    return deterministic->trees.bytes + deterministic->letters.bytes +
           deterministic->known.capacity * sizeof(struct deterministic_move) +
           deterministic->moves.size * (sizeof *deterministic->moves.keys + sizeof *deterministic->moves.values);
}

bool deterministic_accepts_all(const struct deterministic *deterministic, uint32_t state)
{
    return words_length(&deterministic->trees, state) &&
           is_universal(deterministic, words_at(&deterministic->trees, state) + 1);
}

bool deterministic_accepts_none(const struct deterministic *deterministic, uint32_t state)
{
    return !words_length(&deterministic->trees, state);
}

struct deterministic *deterministic_create(const struct automaton *automaton, uint32_t most)
{
    struct deterministic *deterministic = memory_zeroed(1, sizeof *deterministic);
    uint32_t levels = automaton->mark_count ? automaton->mark_count : 1;
    deterministic->most = most;
    lower_edges(deterministic, automaton);
    find_universal(deterministic, automaton);
    uint32_t *start = memory_zeroed(deterministic->width, sizeof *start);
    if (automaton->state_count) {
        set_add(start, automaton->start * levels);
        intern_root(deterministic, start);
    } else {
        words_intern(&deterministic->trees, start, 0);
    }
    free(start);
    return deterministic;
}

void deterministic_destroy(struct deterministic *deterministic)
{
    if (!deterministic)
        return;
    free(deterministic->first);
    free(deterministic->edges);
    free(deterministic->universals);
    words_free(&deterministic->trees);
    words_free(&deterministic->letters);
    pairs_free(&deterministic->moves);
    VEC_FREE(&deterministic->known);
    free(deterministic);
}
