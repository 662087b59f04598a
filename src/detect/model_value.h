/* Private to model_*.c: the value of an expression, if it follows from constants, known variables and the values
 * of at most two variables of carriers, the *leaves*. */
#ifndef NOETHER_DETECT_MODEL_VALUE_H
#define NOETHER_DETECT_MODEL_VALUE_H

#include "detect/model_term.h"

enum { MOST_LEAVES = 2 };

/* A value that depends on the state: a variable of a carrier. */
struct model_leaf {
    const struct expr *read;
    uint32_t carrier;
    int64_t value; /* the one tried */
};

struct evaluation {
    struct sketch *sketch;
    struct model_leaf leaves[MOST_LEAVES];
    uint32_t leaf_count;
    bool is_bound;  /* the leaves have values; else they are being collected */
    bool is_broken; /* something is computed or named */
    bool faults;
    uint32_t steps;
    /* locals of the functions being interpreted */
    const struct variable *locals[16];
    int64_t values[16];
    uint32_t local_count;
};

/* First with no leaf: collects them. Then with is_bound and values: false, when the value does not follow from what is
 * known, so nothing is to be made of it. */
bool sketch_evaluate(struct evaluation *v, const struct expr *expr, int64_t *value);

#endif
