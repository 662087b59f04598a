/* Stubborn sets from inside.
 *
 *   peval.c     expressions of which only some variables are known
 *   queue.c      rules that put a message at the end of a queue, or take the first
 *   trace.c, trace_place.c   what a rule reads and writes, cell by cell
 *   units.c      instances, and what each touches
 *   variants.c   the same by the value of a cell
 *   constant.c   cells that keep one value
 *   control.c    cells that have one value where control stands
 *   chain.c      steps of several rules
 *   conjunct.c   guards, conjunct by conjunct
 *   relate.c     which units accord, and which enable a conjunct
 *   close.c      the sets of a state
 *   stubborn.c   made and unmade
 *
 * A *unit* is an instance of a rule; or, where there are too many of them, all instances of a rule; or an invariant or
 * cover. */
#ifndef NOETHER_STUBBORN_INNER_H
#define NOETHER_STUBBORN_INNER_H

#include "base/vec.h"
#include "base/bits.h"
#include "stubborn/peval.h"
#include "stubborn/stubborn.h"

enum {
    STUBBORN_UNITS = 8192,    /* more instances are taken rule by rule */
    STUBBORN_WORDS = 1 << 20, /* of all units' sets of cells of one kind */
    STUBBORN_VALUES = 1024,   /* types with more values: nothing is known of single ones */
    STUBBORN_CONSTANTS = 16,  /* that a unit may assign to a cell, to be told one by one */
    STUBBORN_WORK = 20000000, /* nodes looked at, in all */
    STUBBORN_TRIES = 32       /* sets that are made in a state */
};

/* A rule that does one thing with a queue: a record of a length and an array of messages. */
enum queue_kind {
    QUEUE_NONE,
    QUEUE_SEND,   /* where it is not full: a message behind the last one */
    QUEUE_RECEIVE /* where it is not empty: the first message is read and taken out */
};

struct queue_use {
    enum queue_kind kind;
    const struct place *place;
    const struct field *length, *message;
    uint32_t first, end; /* the statements of the body that do it */
};

/* Finds it in the rule's body and guard. */
struct queue_use queue_find(const struct rule *rule);
/* Is the conjunct what the operation asks of the queue: that it is not full, or not empty? */
bool queue_is_condition(const struct queue_use *queue, const struct expr *conjunct);
/* Is it a part of the first message? */
bool queue_is_head(const struct queue_use *queue, const struct place *place);
/* Is the conjunct "a part of the first message is this value"? Where it is false there is a message. */
bool queue_is_match(const struct queue_use *queue, const struct expr *conjunct);

/* What a unit may do to a cell: store one of some constants, or add something once; or anything. It may leave it as it
 * is, too. */
enum effect_kind { EFFECT_CONSTANTS, EFFECT_MORE, EFFECT_ANY };
struct effect {
    uint32_t cell;
    enum effect_kind kind;
    bool is_sure; /* CONSTANTS: it surely stores one of them, last */
    uint32_t count;
    int32_t values[STUBBORN_CONSTANTS]; /* MORE: values[0] is added */
};

struct footprint_sets {
    uint64_t *reads, *writes;
    uint64_t *sends, *receives; /* the cells of queues, where all it does with them is to send, or to receive */
};

struct guard_conjunct {
    const struct expr *expr;
    bool is_negated;
    bool is_safe;      /* it never faults */
    bool is_late;      /* its row is for states in which all conjuncts before are true */
    bool is_heavy;     /* not evaluated here */
    uint64_t *reads;   /* cells */
    uint64_t *heads;   /* of these, those of a queue that sends do not matter to (then it is late); NULL: none */
    uint32_t cell;     /* the only one that it reads, or UINT32_MAX */
    uint64_t *allowed; /* by place in the cell's type, 0: undefined: where it is not false. NULL: not known */
    bool is_exact;     /* and of every value it is known whether it is true */
    uint32_t row;      /* who could make it true: number of a row */
};

struct known_cell {
    uint32_t cell;
    int32_t value;
};

struct unit {
    const struct rule *rule; /* NULL: */
    const struct property *property;
    uint64_t instance;
    bool is_coarse; /* all instances of the rule */
    struct footprint_sets touched;
    VEC(struct effect) effects;
    /* The first conjunct says that this cell (UINT32_MAX: none does) has this value; and the cells, which it does not
     * write, whose values it knows then. */
    uint32_t control;
    int32_t control_value;
    VEC(struct known_cell) known;
    uint32_t varied_by; /* one of these that it may write (UINT32_MAX: none): its value is known until it does, */
    bool is_loose;      /* unless it is not clear when that is */
    struct guard_conjunct *conjuncts;
    uint32_t conjunct_count;
};

struct stubborn {
    const struct layout *layout;
    const struct system *system;
    const struct symmetry *symmetry;
    struct arena *arena;
    const char *refusal;
    uint64_t work;
    bool *is_definite;
    /* Cells that keep one value, in all states of all orbits. */
    int32_t *constants;
    bool *is_constant;
    struct peval peval;
    struct unit *units;
    uint32_t unit_count;
    struct stubborn_variants *variants; /* by number of an instance, from 1 on; NULL: nobody asked for them */
    VEC(struct unit) varied;            /* all of them */
    uint32_t *first_unit;               /* by rule */
    int32_t *starts;                    /* the start states, one after the other; none where they are many */
    uint32_t start_count;
    bool starts_are_closed; /* they are known, and so are their images, which are start states, too */
    uint64_t *undefined;    /* cells that a rule may undefine */
    uint64_t *wanted;       /* cells whose values say which element of an array is meant */
    uint64_t *unseen;       /* cells of no system state: the holder, and the idle flag */
    uint32_t cell_words, unit_words;
    uint64_t *dependent; /* by unit, a row: those that do not accord with it */
    VEC(uint64_t *) rows;
    struct columns {
        uint64_t *reads, *writes, *sends, *receives; /* the units, cell by cell */
    } columns;
};

/* trace.c */
/* The unit's rule, as it would run. False: there is too much of it. */
bool trace_unit(struct stubborn *stubborn, struct unit *unit);
/* What an expression reads; NULL: what decides whether the unit is enabled. The parameters are bound by the caller. */
bool trace_reads(struct stubborn *stubborn, const struct unit *unit, const struct expr *expr, uint64_t *reads);

/* units.c */
bool units_create(struct stubborn *stubborn, const bool *is_observed);
bool units_trace(struct stubborn *stubborn);
void units_destroy(struct stubborn *stubborn);
struct footprint_sets units_new_sets(struct stubborn *stubborn);
void unit_free(struct unit *unit);
static inline uint32_t units_number(const struct stubborn *stubborn, const struct rule *rule, uint64_t instance)
{
    uint32_t first = stubborn->first_unit[rule->id];
    return stubborn->units[first].is_coarse ? first : first + (uint32_t)instance;
}
/* NULL: the unit does not write the cell. */
const struct effect *unit_effect(const struct unit *unit, uint32_t cell);
bool unit_writes(const struct unit *unit, uint32_t cell);

/* variants.c: as many as make `most` numbers together with the instances, and take no more work than is left. */
void variants_find(struct stubborn *stubborn, uint32_t most);

/* constant.c */
bool constant_find(struct stubborn *stubborn);
/* control.c: true where something was found out. The values known to the unit, as if they were constants. */
bool control_find(struct stubborn *stubborn);
void control_bind(struct stubborn *stubborn, const struct unit *unit);
void control_release(struct stubborn *stubborn, const struct unit *unit);
/* chain.c */
bool chain_join(struct stubborn *stubborn);
/* conjunct.c */
bool conjunct_split(struct stubborn *stubborn);
/* relate.c */
bool relate_units(struct stubborn *stubborn);
/* Adds those that write what the unit reads or writes. */
void relate_wakers(const struct stubborn *stubborn, uint32_t unit, uint64_t *row);
static inline const uint64_t *relate_dependent(const struct stubborn *stubborn, uint32_t unit)
{
    return stubborn->dependent + (size_t)unit * stubborn->unit_words;
}

#endif
