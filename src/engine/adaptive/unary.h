/* Values that depend on the local state of one element: finite functions, tabulated.
 *
 * A function is a table over the values of the slots it depends on, and on no others, so two functions are equal
 * iff they are the same object, even if the texts differ (`!(s[j] = T)`, `s[j] != T`). An entry is a
 * number, UNDEFINED (of a raw read), or UNARY_FAULT where evaluation fails. A slot that no local state has had
 * undefined so far is taken to be defined (roster: may_be_undefined); when one turns up, everything is tabulated
 * anew. */
#ifndef NOETHER_ENGINE_ADAPTIVE_UNARY_H
#define NOETHER_ENGINE_ADAPTIVE_UNARY_H

#include "portrait/roster.h"

#define UNARY_FAULT INT64_MIN

enum { UNARY_MAX_OPERANDS = 3 };

/* An operand, or the result: a function, or a number. */
struct operand {
    bool is_number;
    int64_t number;
    uint32_t function;
};

struct unaries {
    const struct roster *roster;
    struct words words; /* family, number of slots, the slots, then two words for each entry */
    struct words keys;  /* applications already made */
    VEC(struct operand) results;
};

/* Computes an entry from entries; `user` is a number that says what to do. */
typedef int64_t (*unary_rule)(int64_t user, const int64_t *entries);

void unaries_create(struct unaries *unaries, const struct roster *roster);
void unaries_destroy(struct unaries *unaries);

/* The value of a slot, UNDEFINED or not: a number, where it has one value only. False: its type is too large. */
bool unary_slot(struct unaries *unaries, uint32_t family, uint32_t slot, struct operand *result);
/* The rule applied entry by entry to operands of the same family. False: the table would be too large. `tag` tells
 * the rule from others in what is remembered. */
bool unary_apply(struct unaries *unaries, unary_rule rule, uint32_t tag, int64_t user, const struct operand *operands,
                 uint32_t count, struct operand *result);

uint32_t unary_entries(const struct unaries *unaries, uint32_t function);
int64_t unary_entry(const struct unaries *unaries, uint32_t function, uint32_t entry);
/* At the values of the slots (by slot number) of a local state. */
int64_t unary_at(const struct unaries *unaries, uint32_t function, const uint32_t *slots);

#endif
