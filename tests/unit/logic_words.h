/* Random formulas of LTL and words u v^w, the meaning of the ones on the others by their definition,
 * and which words an automaton accepts. */
#ifndef NOETHER_TESTS_LOGIC_WORDS_H
#define NOETHER_TESTS_LOGIC_WORDS_H

#include "base/hash.h"
#include "base/memory.h"
#include "logic/automaton.h"

static inline uint32_t random_below(uint64_t *seed, uint32_t bound)
{
    *seed = hash_mix(*seed);
    return (uint32_t)((*seed >> 20) % bound);
}

/* A formula as it was asked for, before any law. */
enum wish_kind {
    WISH_FALSE,
    WISH_TRUE,
    WISH_ATOM,
    WISH_NOT,
    WISH_NEXT,
    WISH_EVENTUALLY,
    WISH_ALWAYS,
    WISH_AND,
    WISH_OR,
    WISH_UNTIL,
    WISH_RELEASE
};

struct wish {
    enum wish_kind kind;
    uint32_t atom;
    const struct wish *left, *right;
};

struct wishes {
    struct wish items[256];
    uint32_t count;
};

static inline const struct wish *random_wish(struct wishes *wishes, uint64_t *seed, uint32_t size, uint32_t atoms)
{
    struct wish *wish = &wishes->items[wishes->count++];
    *wish = (struct wish){0};
    if (size <= 1) {
        wish->kind = random_below(seed, 12) ? WISH_ATOM : random_below(seed, 2) ? WISH_TRUE : WISH_FALSE;
        wish->atom = random_below(seed, atoms);
    } else if (size == 2 || !random_below(seed, 3)) {
        wish->kind = WISH_NOT + random_below(seed, 4);
        wish->left = random_wish(wishes, seed, size - 1, atoms);
    } else {
        uint32_t left = 1 + random_below(seed, size - 2);
        wish->kind = WISH_AND + random_below(seed, 4);
        wish->left = random_wish(wishes, seed, left, atoms);
        wish->right = random_wish(wishes, seed, size - 1 - left, atoms);
    }
    return wish;
}

static inline logic_formula wish_formula(struct logic *logic, const struct wish *wish)
{
    logic_formula left = wish->left ? wish_formula(logic, wish->left) : 0;
    logic_formula right = wish->right ? wish_formula(logic, wish->right) : 0;
    switch (wish->kind) {
    case WISH_FALSE:
    case WISH_TRUE:
        return logic_truth(logic, wish->kind == WISH_TRUE);
    case WISH_ATOM:
        return logic_atom(logic, wish->atom);
    case WISH_NOT:
        return logic_not(logic, left);
    case WISH_NEXT:
        return logic_next(logic, left);
    case WISH_EVENTUALLY:
        return logic_eventually(logic, left);
    case WISH_ALWAYS:
        return logic_always(logic, left);
    case WISH_AND:
        return logic_and(logic, left, right);
    case WISH_OR:
        return logic_or(logic, left, right);
    case WISH_UNTIL:
        return logic_until(logic, left, right);
    default:
        return logic_release(logic, left, right);
    }
}

enum { WORD_MAX = 8 };

/* letters[0 .. length), then from `loop` on again and again. */
struct word {
    uint64_t letters[WORD_MAX];
    uint32_t length, loop;
};

static inline struct word random_word(uint64_t *seed, uint32_t atoms)
{
    struct word word = {.length = 1 + random_below(seed, WORD_MAX)};
    word.loop = random_below(seed, word.length);
    for (uint32_t i = 0; i < word.length; i++)
        word.letters[i] = random_below(seed, 1u << atoms);
    return word;
}

static inline uint32_t word_after(const struct word *word, uint32_t place)
{
    return place + 1 < word->length ? place + 1 : word->loop;
}

/* holds[i]: at place i. a U b at i: b at some place that a leads to; as many steps as there are places are enough. */
static inline void word_until(const struct word *word, const bool *left, const bool *right, bool *holds)
{
    for (uint32_t i = 0; i < word->length; i++) {
        uint32_t place = i;
        holds[i] = false;
        for (uint32_t step = 0; step <= word->length && !holds[i]; step++) {
            holds[i] = right[place];
            if (!left[place])
                break;
            place = word_after(word, place);
        }
    }
}

static inline void wish_on_word(const struct wish *wish, const struct word *word, bool *holds)
{
    bool left[WORD_MAX], right[WORD_MAX];
    if (wish->left)
        wish_on_word(wish->left, word, left);
    if (wish->right)
        wish_on_word(wish->right, word, right);
    bool is_dual = wish->kind == WISH_RELEASE || wish->kind == WISH_ALWAYS;
    if (is_dual || wish->kind == WISH_UNTIL || wish->kind == WISH_EVENTUALLY) {
        bool is_unary = !wish->right;
        for (uint32_t i = 0; i < word->length; i++) {
            right[i] = (is_unary ? left[i] : right[i]) != is_dual;
            left[i] = is_unary || left[i] != is_dual;
        }
        word_until(word, left, right, holds);
        for (uint32_t i = 0; i < word->length; i++)
            holds[i] = holds[i] != is_dual;
        return;
    }
    for (uint32_t i = 0; i < word->length; i++)
        switch (wish->kind) {
        case WISH_ATOM:
            holds[i] = word->letters[i] >> wish->atom & 1;
            break;
        case WISH_NOT:
            holds[i] = !left[i];
            break;
        case WISH_NEXT:
            holds[i] = left[word_after(word, i)];
            break;
        case WISH_AND:
            holds[i] = left[i] && right[i];
            break;
        case WISH_OR:
            holds[i] = left[i] || right[i];
            break;
        default:
            holds[i] = wish->kind == WISH_TRUE;
        }
}

/* Places of the product of automaton and word: reach[from][to] by at least one step, with the marks that paths from
 * `from` through `to` and back can have. A word is accepted when a place of the loop that is reached lies in a strongly
 * connected set that has all marks; here by closure of relations, not by Tarjan. */
struct product {
    const struct automaton *automaton;
    const struct word *word;
    uint32_t size;
    unsigned char *reach;
};

static inline uint32_t place_of(const struct product *product, uint32_t state, uint32_t place)
{
    return state * product->word->length + place;
}

static inline bool reaches(const struct product *product, uint32_t from, uint32_t to)
{
    return product->reach[(size_t)from * product->size + to];
}

static inline void close_relation(struct product *product)
{
    size_t size = product->size;
    for (size_t via = 0; via < size; via++)
        for (size_t from = 0; from < size; from++)
            if (product->reach[from * size + via])
                for (size_t to = 0; to < size; to++)
                    product->reach[from * size + to] |= product->reach[via * size + to];
}

typedef void (*edge_visitor)(struct product *product, uint32_t from, uint32_t to, uint64_t marks, void *user);

static inline void visit_edges(struct product *product, edge_visitor visitor, void *user)
{
    const struct automaton *automaton = product->automaton;
    for (uint32_t state = 0; state < automaton->state_count; state++)
        for (uint32_t place = 0; place < product->word->length; place++)
            for (uint32_t i = automaton->first[state]; i < automaton->first[state + 1]; i++) {
                const struct automaton_edge *edge = &automaton->edges[i];
                if (logic_label_fits(edge->label, product->word->letters[place]))
                    visitor(product, place_of(product, state, place),
                            place_of(product, edge->target, word_after(product->word, place)), edge->marks, user);
            }
}

static inline void note_edge(struct product *product, uint32_t from, uint32_t to, uint64_t marks, void *user)
{
    (void)marks;
    (void)user;
    product->reach[(size_t)from * product->size + to] = 1;
}

struct cycle {
    uint32_t place;
    uint64_t marks;
};

static inline void note_marks(struct product *product, uint32_t from, uint32_t to, uint64_t marks, void *user)
{
    struct cycle *cycle = user;
    bool is_inside =
        (from == cycle->place || (reaches(product, cycle->place, from) && reaches(product, from, cycle->place))) &&
        (to == cycle->place || (reaches(product, cycle->place, to) && reaches(product, to, cycle->place)));
    if (is_inside)
        cycle->marks |= marks;
}

static inline bool accepts(const struct automaton *automaton, const struct word *word)
{
    struct product product = {automaton, word, automaton->state_count * word->length, NULL};
    uint64_t all = automaton->mark_count < 64 ? (UINT64_C(1) << automaton->mark_count) - 1 : UINT64_MAX;
    bool is_accepted = false;
    if (!automaton->state_count)
        return false;
    product.reach = memory_zeroed(product.size, product.size);
    visit_edges(&product, note_edge, NULL);
    close_relation(&product);
    uint32_t start = place_of(&product, automaton->start, 0);
    for (uint32_t place = 0; place < product.size && !is_accepted; place++) {
        struct cycle cycle = {place, 0};
        if (!reaches(&product, place, place) || (place != start && !reaches(&product, start, place)))
            continue;
        visit_edges(&product, note_marks, &cycle);
        is_accepted = (cycle.marks & all) == all;
    }
    free(product.reach);
    return is_accepted;
}

#endif
