/* Boolean functions of a state, in the form that an engine keeps them: decision diagrams, or an and-inverter graph.
 *
 * A `bit` is a handle: twice a number, and the complement bit. 0 is false and 1 is true in every form, so a constant is
 * recognised without asking, and negation is free. Everything else is made by an algebra: a table of functions, and the
 * manager behind them. Handles of different algebras do not mix.
 *
 * An operation may fail (no memory, time is over): it returns BIT_NONE. The calculator (number.h) takes note.
 *
 * Equal functions may have different handles (an and-inverter graph is not canonical), so what is not BIT_FALSE may be
 * false all the same. Where work ends only with that, `is_false` finds it out. */
#ifndef NOETHER_BITS_BIT_H
#define NOETHER_BITS_BIT_H

#include <stdbool.h>
#include <stdint.h>

typedef uint32_t bit;

#define BIT_FALSE 0u
#define BIT_TRUE 1u
#define BIT_NONE UINT32_MAX

static inline bit bit_not(bit f)
{
    return f == BIT_NONE ? f : f ^ 1u;
}

struct algebra {
    const char *engine; /* whose it is, for refusals: "the symbolic engine" */
    bit (*conjunction)(void *data, bit f, bit g);
    bit (*difference)(void *data, bit f, bit g); /* exclusive or */
    bit (*choice)(void *data, bit f, bit g, bit h);
    /* A function that agrees with f where `care` holds, and may be simpler. NULL: f itself. */
    bit (*simplify)(void *data, bit f, bit care);
    /* Bit b of the packed cell (ir/layout.h) in the state. */
    bit (*cell)(void *data, uint32_t cell, uint32_t b);
    /* The cell is defined, and has the value at this position of its type. BIT_NONE: the cell is one that is known by
     * its packed bits only. NULL: all are. */
    bit (*value)(void *data, uint32_t cell, uint32_t ordinal);
    /* Others exclude the states that do not exist: codes that are no values, multisets out of order. */
    bool has_only_states;
    /* Is it false in every state? Exact, unless time or memory is over: then it may say no. */
    bool (*is_false)(void *data, bit f);
    /* Between these, which nest, no handle is given up; NULL: none ever is. */
    void (*hold)(void *data);
    void (*release)(void *data);
    void *data;
};

#endif
