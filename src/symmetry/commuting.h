/* Private to commute*.c: a run of two iterations in a state of unknowns. */
#ifndef NOETHER_SYMMETRY_COMMUTING_H
#define NOETHER_SYMMETRY_COMMUTING_H

#include "base/words.h"
#include "symmetry/commute.h"
#include "symmetry/facts.h"

enum path_end {
    PATH_OK,
    PATH_RETURNED,
    PATH_FAULT, /* which failure it is may depend on the order: see symmetry/failures.h */
    PATH_DISCARDED,
    PATH_IMPOSSIBLE, /* the facts of this way contradict each other */
    PATH_STUCK       /* see `stuck` */
};

enum held_kind {
    HELD_NUMBER,
    HELD_UNDEFINED,
    HELD_UNKNOWN /* what the cell of `unknown` held in the beginning, undefined perhaps */
};

struct held {
    enum held_kind kind;
    uint32_t unknown;
    struct linear_sum number;
};

enum definedness { DEFINED_PERHAPS, DEFINED_SURELY, DEFINED_NOT };

/* What a cell held in the beginning. */
struct origin {
    uint32_t address;
    const struct type *type; /* NULL: how many elements a multiset has */
    const char *name;        /* or NULL: as the address is called */
    enum definedness definedness;
};

/* An element put into a multiset: its cells are `cells` of the order's `taken`. */
struct insertion {
    uint32_t multiset;
    size_t first, cells;
};

struct commuting_cell {
    uint32_t address;
    const struct type *type;
};

/* A multiset was counted: of the elements that were there in the beginning, as many as `unknown` says meet the
 * condition; evaluating it fails for one of them if `fails` is 1. What the condition read besides the element is in
 * count_values. */
struct multiset_count {
    const struct expr *expr;
    uint32_t multiset;
    size_t first, value_count;
    uint32_t unknown, fails;
};

/* The element that a condition is about: the slot that `variable` holds of the multiset is at the address; NULL: none.
 */
struct slot_element {
    const struct variable *variable;
    uint32_t multiset, address;
};

/* A slot of a multiset, chosen by a variable that no iteration writes. Iterations only add elements, and into free
 * slots: an element that was there in the beginning stays as it was. Its cells are unknowns from `address` on, which is
 * no address of a system; whether the slot was taken in the beginning is one, too. */
struct held_slot {
    const struct variable *variable;
    uint32_t multiset, address, taken;
};

/* One of the two orders. */
struct commuting_order {
    struct pairs at; /* by address: number of what it holds now */
    VEC(struct commuting_cell) written;
    VEC(struct held) values;
    VEC(struct insertion) insertions;
    VEC(struct held) taken;
    enum path_end end;
};

/* What was decided on the way, and what is still to be tried. */
struct decision {
    uint32_t choice, count;
};

/* A call that is running. */
struct commuting_frame {
    const struct commuting_frame *caller;
    const struct function *function;
};

struct commuting {
    struct effects *effects;
    const struct effects_loop *loop;
    const struct type *owner; /* the index type whose elements are exchanged ... */
    int32_t pair[2];          /* ... these two */
    struct block parts[2];    /* of the body: what is run for each of them */
    struct facts facts;
    VEC(struct origin) origins; /* by unknown */
    struct pairs unknown_of;    /* by address */
    struct pairs bound;         /* by address of a reference bound outside the loop: where it leads */
    struct commuting_order orders[2];
    struct commuting_order *now;
    VEC(struct multiset_count) counts; /* of this run */
    VEC(struct held) count_values;     /* theirs */
    struct slot_element element;
    VEC(struct held_slot) slots; /* of this run */
    bool has_written_slot;       /* an element of the beginning does not stay as it was */
    VEC(struct decision) decisions;
    size_t decided;     /* of this run */
    uint32_t mentioned; /* elements of `owner` that this run has named: those below this number */
    const struct function *function;
    const struct commuting_frame *frame;
    uint32_t depth;      /* of calls */
    VEC(uint32_t) stale; /* units of local variables in which the orders leave different values */
    uint64_t work;       /* left */
    const char *stuck;
    struct span at; /* the statement that runs */
};

enum path_end commuting_stuck(struct commuting *c, const char *why);
/* One step more. */
enum path_end commuting_step(struct commuting *c);
/* Is the sum at most zero; is it zero? Decided, and then a fact. */
enum path_end commuting_is_at_most(struct commuting *c, struct linear_sum sum, bool *holds);
enum path_end commuting_is_zero(struct commuting *c, struct linear_sum sum, bool *holds);
/* The number is a constant on this way: which. */
enum path_end commuting_settle(struct commuting *c, struct linear_sum number, int64_t *value);
/* Is it defined? HELD_UNKNOWN becomes one of the others. */
enum path_end commuting_resolve(struct commuting *c, struct held *held);

/* What a scalar cell of the type holds; what it held in the beginning. */
struct held commuting_load(struct commuting *c, uint32_t address, const struct type *type);
struct held commuting_initial(struct commuting *c, uint32_t address, const struct type *type);
void commuting_store(struct commuting *c, uint32_t address, const struct type *type, struct held held);
uint32_t commuting_new_unknown(struct commuting *c, int64_t lo, int64_t hi, struct origin origin);

/* commute_expr.c */
enum path_end commuting_expr(struct commuting *c, const struct expr *expr, struct held *held);
enum path_end commuting_number(struct commuting *c, const struct expr *expr, struct linear_sum *number);
enum path_end commuting_truth(struct commuting *c, const struct expr *expr, bool *holds);
/* Calls `visit` for every element of the domain until it does not end well, or *is_over. */
struct commuting_walk {
    enum path_end (*visit)(struct commuting *c, void *user, bool *is_over);
    void *user;
};
enum path_end commuting_each(struct commuting *c, const struct domain *domain, const struct variable *variable,
                             const struct commuting_walk *walk);
/* commute_count.c */
enum path_end commuting_count(struct commuting *c, const struct expr *expr, struct linear_sum *number);
/* How many elements a multiset had in the beginning: an unknown. */
uint32_t commuting_size(struct commuting *c, uint32_t multiset, const struct type *type);
/* commute_place.c */
/* Elements of multisets (struct held_slot) are from this address on. */
enum { COMMUTING_SLOTS = 0x60000000 };
enum path_end commuting_place(struct commuting *c, const struct place *place, uint32_t *address);
/* The type of a cell of an aggregate without multisets. */
const struct type *commuting_cell_type(const struct type *type, uint32_t cell);
/* Can whole values of the type be copied and compared: no multisets, not too many cells? */
enum path_end commuting_is_copied(struct commuting *c, const struct type *type);
/* commute_stmt.c */
enum path_end commuting_block(struct commuting *c, const struct block *block);
enum path_end commuting_call(struct commuting *c, const struct expr *call);
/* commute_parts.c: the parts of a body, in order; there is room for as many as statements. How many there are. */
enum { COMMUTING_MOST_PARTS = 32 };
uint32_t commuting_split(const struct block *body, struct block *parts);
/* commute_proof.c: what a reference bound outside the loop leads to, or NULL */
const struct effects_path *proof_path(struct commuting *c, const struct variable *reference);
bool proof_is_defined(struct commuting *c, uint32_t address);
bool proof_is_private(struct commuting *c, uint32_t unit);
void proof_leave_stale(struct effects *effects, uint32_t unit);
/* commute.c: of any loop statement, without a look at earlier proofs */
enum commute_answer commuting_decide(struct effects *effects, const struct effects_loop *loop, const char **words);
/* commute_compare.c: after both orders, of this way. OPEN: see `stuck`. */
enum commute_answer commuting_compare(struct commuting *c, const char **words);

#endif
