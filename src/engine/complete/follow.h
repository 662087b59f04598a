/* Executing a rule, or a property, in one state, with a record of the conditions that decide its course.
 *
 * Every value is carried twice: as a number, and as a term over the current state. Where the course depends on
 * a term (a condition, an index that must be in range, a cell that must be defined) the term is recorded as a *side
 * condition*: in every state in which the side conditions hold, under every numbering of the objects, the rule
 * takes the same course, fails as little, and makes the same writes as terms.
 *
 * The guard is kept apart. Where it is true its truth is not needed (a state in which it is false has one successor
 * less), only that it does not fail; where it is false one false conjunct is a reason. */
#ifndef NOETHER_ENGINE_COMPLETE_FOLLOW_H
#define NOETHER_ENGINE_COMPLETE_FOLLOW_H

#include "engine/complete/backward.h"
#include "exec/fault.h"
#include "ir/iteration.h"

enum course { COURSE_OK, COURSE_RETURNED, COURSE_DISABLED, COURSE_DISCARDED, COURSE_FAULT };

/* The term is NULL for a constant. */
struct complete_value {
    int64_t number;
    const struct complete_term *term;
};

/* A place: its first cell, and the terms of the array indices on the way to it. */
struct complete_spot {
    uint32_t address, index_count;
    const struct complete_term *indices[SHAPE_MAX_DIMENSIONS];
};

/* A local variable that iterations of a loop add to, and bounds of all partial sums in any order. */
struct loop_sum {
    uint32_t address;
    int64_t lo, hi;
};

/* The accesses of the iterations of one loop over a family: may they be made in any order? */
struct loop_watch {
    uint32_t iteration;        /* from 1 */
    uint32_t *writer, *reader; /* by address: the iteration that did, LOOP_SEVERAL or (writer) LOOP_SUM; 0: none */
    uint8_t *slot_use;         /* by slot: written, accessed in another way than by the indices of objects */
    VEC(uint32_t) touched;     /* addresses */
    VEC(struct loop_sum) sums; /* local variables that iterations add to */
    bool is_ordered;           /* an iteration depends on another */
};

struct follow {
    const struct shape *shape;
    const struct system *system;
    struct terms *terms;
    int32_t *memory;                      /* the state, then scratch */
    const struct complete_term **scratch; /* by address: the term of what is in scratch, NULL: constant */
    bool *is_stale;                       /* by address: written by several iterations of a loop: the last one counts */
    struct complete_spot *bindings;       /* by address of a reference */
    struct backward reader;               /* .at is the state; reads go back over the writes made so far */
    VEC(struct write) writes;
    struct term_list sides, guards; /* guards: the conjuncts that are true */
    bool *covered;                  /* by property: a cover statement was met in a step, */
    bool is_formula;                /* not in a formula */
    struct fault fault;
    const struct function *function;
    bool has_no_effects;            /* in a guard or formula: looking at more than needed does no harm */
    VEC(struct loop_watch *) loops; /* as deep as they were ever nested */
    uint32_t loop_depth;
    const int32_t *state;
};

struct follow *follow_create(const struct shape *shape, struct terms *terms);
void follow_destroy(struct follow *follow);

/* Begins in a state (which must stay where it is until the next begin). */
void follow_begin(struct follow *follow, const int32_t *state);
/* Fires an instance: OK (the successor's state is in memory until follow_undo), DISABLED, DISCARDED, FAULT. */
enum course follow_rule(struct follow *follow, const struct rule *rule, uint64_t instance);
/* Takes the writes back. */
void follow_undo(struct follow *follow);
/* OK: *truth is what it is, as a term. DISCARDED: an assume statement in it is false. */
enum course follow_formula(struct follow *follow, const struct expr *formula, bool *holds,
                           const struct complete_term **truth);

/* Inside. */
enum course follow_expr(struct follow *follow, const struct expr *expr, struct complete_value *value);
enum course follow_place(struct follow *follow, const struct place *place, struct complete_spot *spot);
enum course follow_block(struct follow *follow, const struct block *block);
enum course follow_call(struct follow *follow, const struct expr *call);
enum course follow_fail(struct follow *follow, enum fault_kind kind, struct span span);
/* OK, or a fault of `kind` (RANGE, INDEX) when the value is not in the type; what it depends on is noted. */
enum course follow_check(struct follow *follow, enum fault_kind kind, const struct type *type,
                         struct complete_value value, struct span span);
enum course follow_storable(struct follow *follow, const struct expr *expr, const struct type *type,
                            struct complete_value value);
/* The cell `offset` cells into the place. */
struct complete_value follow_load(struct follow *follow, const struct complete_spot *spot, uint32_t offset);
void follow_store(struct follow *follow, const struct complete_spot *spot, uint32_t offset,
                  struct complete_value value);
/* A local variable or parameter. */
void follow_set(struct follow *follow, uint32_t address, struct complete_value value);
enum course follow_bounds(struct follow *follow, const struct domain *domain, struct span span,
                          struct iteration *iteration);
/* The value of a variable that runs over a type: an object's index, or a constant. */
struct complete_value follow_element(struct follow *follow, const struct type *type, uint32_t ordinal);

/* Notes that the term, which is true, has to be. */
void follow_require(struct follow *follow, const struct complete_term *truth);
/* The value as a constant, which it is from then on. */
void follow_settle(struct follow *follow, struct complete_value *value);
/* Settles a condition: is it true? */
bool follow_decide(struct follow *follow, struct complete_value value);
const struct complete_term *follow_term(struct follow *follow, struct complete_value value);
/* The order of the objects matters: all indices are required to be what they are. */
void follow_require_order(struct follow *follow);

/* follow_loop.c */
void loop_begin(struct follow *follow);
void loop_next(struct follow *follow);
void loop_end(struct follow *follow);
void loop_note_read(struct follow *follow, const struct complete_spot *spot, uint32_t address);
void loop_note_write(struct follow *follow, const struct complete_spot *spot, uint32_t address);
/* A local variable of the type, with a value between `lo` and `hi`, has something added that is between `item_lo` and
 * `item_hi`. */
void loop_note_sum(struct follow *follow, uint32_t address, const struct type *type, int64_t lo, int64_t hi,
                   int64_t item_lo, int64_t item_hi);

/* follow_sum.c */
/* What an assignment in a loop over a family adds to a local variable; NULL: it is no such assignment. */
const struct expr *sum_item_of(const struct follow *follow, const struct stmt *stmt);
enum course follow_sum(struct follow *follow, const struct stmt *stmt, const struct expr *item);

#endif
