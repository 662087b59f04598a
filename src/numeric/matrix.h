/* A sparse matrix of probabilities, with a choice of rows in each state.
 *
 * State s has the rows state_row[s] .. state_row[s + 1] - 1 (one for a Markov chain, one for each choice of a decision
 * process; at least one), row r the entries row_entry[r] .. row_entry[r + 1] - 1. Built row by row, state by state. */
#ifndef NOETHER_NUMERIC_MATRIX_H
#define NOETHER_NUMERIC_MATRIX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

struct entry {
    uint32_t target;
    double value;
};

struct matrix {
    VEC(uint32_t) state_row; /* one more than there are states, once it is closed */
    VEC(uint64_t) row_entry;
    VEC(struct entry) entries;
};

/* Begins the rows of the next state, or the next row of that state. */
void matrix_begin_state(struct matrix *matrix);
void matrix_begin_row(struct matrix *matrix);
/* Adds to the entry of this row for that target, if there is one. */
void matrix_add(struct matrix *matrix, uint32_t target, double value);
/* An entry for a target that this row has none for. */
void matrix_append(struct matrix *matrix, uint32_t target, double value);
/* After the last row: writes the ends. */
void matrix_close(struct matrix *matrix);
void matrix_free(struct matrix *matrix);

static inline uint32_t matrix_states(const struct matrix *matrix)
{
    return (uint32_t)matrix->state_row.count - 1;
}
static inline uint32_t matrix_rows(const struct matrix *matrix)
{
    return (uint32_t)matrix->row_entry.count - 1;
}
uint64_t matrix_bytes(const struct matrix *matrix);

#endif
