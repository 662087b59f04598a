/* The state as a vector of cells, and packed into bits.
 *
 * Every cell of the state has a scalar type (or is the taken-flag of a multiset slot). Packed, a cell is its
 * ordinal + 1, and 0 when undefined (a taken-flag: its value, one bit), in just enough bits; no cell straddles a
 * 64-bit word. Unused bits are zero, so packed states are compared and hashed as words. */
#ifndef NOETHER_IR_LAYOUT_H
#define NOETHER_IR_LAYOUT_H

#include "ir/system.h"

struct cell {
    const struct type *type; /* NULL: the taken-flag of a multiset slot */
    uint32_t word, shift, bits;
};

/* A multiset in the state. */
struct multiset_site {
    const struct type *type;
    uint32_t address; /* first cell */
};

struct packing;

/* Where a cell is in the packed state. */
struct placement {
    uint64_t bits; /* its own, in the word */
    int32_t base;  /* code - base = packed value of a defined cell */
    uint32_t word;
    uint8_t shift;
    bool is_scattered; /* no: of a union with gaps between its codes */
};

struct layout {
    const struct system *system;
    uint32_t cell_count; /* = system->state_cells */
    struct cell *cells;
    uint32_t words;                  /* 64-bit words of a packed state, at least 1 */
    uint32_t bits;                   /* bits in use */
    struct multiset_site *multisets; /* a multiset inside an element of another comes before it */
    uint32_t multiset_count;
    /* Private to layout.c: the cells by word, and those of unions with gaps between their codes. */
    struct packing *packings;
    uint32_t *word_start; /* word w: packings[word_start[w] .. word_start[w + 1]) */
    uint32_t *scattered, scattered_count;
    uint8_t *packing_of_bit;      /* by bit of the packed state: the packing within its word */
    uint64_t *first_bits;         /* by word: the lowest bit of each cell */
    struct placement *placements; /* by cell */
};

struct layout *layout_create(const struct system *system);
void layout_destroy(struct layout *layout);
void layout_pack(const struct layout *layout, const int32_t *cells, uint64_t *words);
/* Packs a state that differs from the one packed in `words` in no other cells than those listed. */
void layout_repack(const struct layout *layout, const int32_t *cells, const uint32_t *changed, uint32_t count,
                   uint64_t *words);
void layout_unpack(const struct layout *layout, const uint64_t *words, int32_t *cells);
/* The same where `cells` are those of the state packed in `known`: only what differs is unpacked. Lists the cells that
 * do, and returns how many. */
uint32_t layout_unpack_changes(const struct layout *layout, const uint64_t *known, const uint64_t *words,
                               int32_t *cells, uint32_t *changed);
/* Are these the words of a state: every cell a value of its type, or undefined, and no other bit set? */
bool layout_is_packed(const struct layout *layout, const uint64_t *words);
/* All cells undefined, multisets empty: the memory a start state begins with. */
void layout_blank(const struct layout *layout, int32_t *cells);
/* Puts every multiset of the state in normal order: taken slots first, then lexicographic by the element's
 * codes (UNDEFINED is the least). A multiset is unordered; this makes equal states equal vectors. */
void layout_normalise(const struct layout *layout, int32_t *cells);
/* The same of one of layout->multisets, those in its elements being in order. Has anything moved? Then only the cells
 * *begin to *end - 1. */
bool layout_normalise_one(const struct layout *layout, uint32_t number, int32_t *cells, uint32_t *begin, uint32_t *end);
bool layout_is_normal(const struct layout *layout, const int32_t *cells);
/* Unpacks words from outside. False: they are no state: a cell has no value, or a multiset is not in order. */
bool layout_read(const struct layout *layout, const uint64_t *words, int32_t *cells);
/* A code goes into the packed state: of a cell that is not scattered, */
static inline void placement_put(const struct placement *at, int32_t code, uint64_t *words)
{
    uint64_t value = code == UNDEFINED ? 0 : (uint32_t)code - (uint32_t)at->base;
    words[at->word] = (words[at->word] & ~at->bits) | value << at->shift;
}

/* and of any cell. */
static inline void layout_place(const struct layout *layout, uint32_t cell, int32_t code, uint64_t *words)
{
    const struct placement *at = &layout->placements[cell];
    if (__builtin_expect(!at->is_scattered, 1)) {
        placement_put(at, code, words);
        return;
    }
    uint64_t value = (uint64_t)(type_ordinal(layout->cells[cell].type, code) + 1);
    words[at->word] = (words[at->word] & ~at->bits) | value << at->shift;
}

/* "Cells[Node_2].State", "Net{3}.kind" (slot 3 of a multiset), "Net{3}.taken" */
void variable_cell_name(const struct variable *variable, uint32_t offset, struct text *out);
void layout_cell_name(const struct layout *layout, uint32_t cell, struct text *out);
/* "\n    x = 3" for each cell that users see and that has a value. */
void layout_print_state(const struct layout *layout, const int32_t *cells, struct text *out);

#endif
