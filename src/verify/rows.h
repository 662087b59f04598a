/* The rows of a state of a chain, exactly, by the evaluator: the probabilities of what follows it.
 *
 * A decision process has a row for each choice; a chain one row, with all choices alike; a chain in continuous time one
 * row with the rates. A state without an enabled choice has a row that stays. */
#ifndef NOETHER_VERIFY_ROWS_H
#define NOETHER_VERIFY_ROWS_H

#include "base/text.h"
#include "base/vec.h"
#include "exec/stepper.h"
#include "ir/chain.h"

struct row_outcome {
    uint64_t target;         /* by `find`; of an outcome that never happens nothing is known */
    struct rational *chance; /* to be divided by the total of the row; 0: it never happens */
    const struct rule *rule; /* NULL: it stays, since nothing is enabled */
    uint64_t instance;
};

struct chain_row {
    size_t first, end; /* its outcomes */
    struct rational *total;
};

struct rows {
    const struct layout *layout;
    const struct chain *chain;
    struct stepper *stepper, *judge; /* the evaluator: for steps, and for conditions */
    struct probe *probe;
    const struct weight **weights;
    /* The number of a state; UINT64_MAX: it is none of the certificate. */
    uint64_t (*find)(void *user, const int32_t *cells);
    void *user;
    VEC(struct row_outcome) outcomes; /* with numbers beyond the count that are used again */
    VEC(struct chain_row) rows;
    size_t outcome_count, row_count;
    const int32_t *cells;
    bool is_stuck; /* nothing is enabled */
    struct rational *factor, *number, *sum, *one;
    struct text *reason;
};

void rows_open(struct rows *rows, const struct layout *layout, struct text *reason);
void rows_close(struct rows *rows);
/* All of these: false when something is wrong with the state, and the reason says what. */
bool rows_load(struct rows *rows, const int32_t *cells, uint64_t number);
bool rows_judge(struct rows *rows, const struct proposition *proposition, bool *truth);
/* What a step by the row earns, times its total, is added. */
bool rows_earn(struct rows *rows, const struct chain_row *row, const struct reward_structure *structure,
               struct rational *earned);

#endif
